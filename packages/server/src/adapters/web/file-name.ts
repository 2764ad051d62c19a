/**
 * Returns the file name of a download: the name in Content-Disposition, otherwise the last path segment. Returns '' if
 * there is neither.
 */
export function fileNameOf(disposition: string, url: URL): string {
  return clean(fromDisposition(disposition) ?? decoded(url.pathname.split('/').at(-1) ?? ''));
}

function fromDisposition(header: string): string | undefined {
  const extended = /(?:^|;)\s*filename\*\s*=\s*([\w-]+)'[^']*'([^;\s]+)/i.exec(header);
  if (extended && /^utf-?8$/i.test(extended[1]!)) return decoded(extended[2]!);
  const quoted = /(?:^|;)\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header);
  if (quoted) return decoded(utf8(quoted[1]!.replace(/\\(.)/g, '$1')));
  const plain = /(?:^|;)\s*filename\s*=\s*([^;\s"]+)/i.exec(header);
  return plain ? decoded(utf8(plain[1]!)) : undefined;
}

/** Decodes a header as UTF-8 if possible. Node decodes headers as Latin-1, but many servers send UTF-8. */
function utf8(text: string): string {
  const read = Buffer.from(text, 'latin1').toString('utf8');
  return read.includes('\ufffd') ? text : read;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

function clean(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  return [...last.replace(/\p{Cc}/gu, '')].slice(0, 255).join('').trim();
}
