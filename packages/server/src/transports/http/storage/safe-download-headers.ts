/**
 * Matches content types that a browser may display inline. They cannot run scripts, except PDF, whose scripts the
 * viewer isolates.
 */
const inlineTypes =
  /^(image\/(png|jpeg|webp|gif|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf|text\/(plain|markdown|x-markdown|csv))$/;
/**
 * Matches content types that a browser must download instead of displaying them. Types that match neither this pattern
 * nor `inlineTypes` could act as a script or stylesheet, so they are sent as application/octet-stream.
 */
const attachmentTypes = new RegExp(
  String.raw`^(application/(json|zip|gzip|msword|rtf|epub\+zip|octet-stream|x-(tar|7z-compressed|rar-compressed|xmind)|` +
    String.raw`vnd\.(ms-|openxmlformats-|oasis\.opendocument\.|xmind\.|apple\.)[\w.+-]+)|` +
    'image/(tiff|heic|heif|x-icon)|text/(rtf|tab-separated-values|calendar|vcard))$',
);
const typeForm = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(; ?charset=[a-z0-9_-]+)?$/;

export interface SafeDownloadHeaders {
  'content-type': string;
  'content-disposition': string;
  'content-security-policy': string;
  'x-content-type-options': 'nosniff';
}

/** Returns headers that prevent a user's file from acting as a page of this site, whatever its type and name. */
export function safeDownloadHeaders(
  contentType: string,
  fileName: string,
  wanted: { type: string | null; disposition: string | null },
): SafeDownloadHeaders {
  const asked = (wanted.type ?? contentType).trim().toLowerCase();
  const isInert = typeForm.test(asked) && (inlineTypes.test(bare(asked)) || attachmentTypes.test(bare(asked)));
  const type = isInert ? asked : 'application/octet-stream';
  const plain = bare(type);
  const isAttachment = !inlineTypes.test(plain) || /^\s*attachment\b/i.test(wanted.disposition ?? '');
  const name = (wanted.disposition === null ? undefined : fileNameIn(wanted.disposition)) ?? fileName;
  return {
    'content-type': type,
    'content-disposition': contentDisposition(isAttachment ? 'attachment' : 'inline', name),
    // Do not sandbox PDF files. PDF viewers of browsers do not start in a sandbox, and isolate scripts themselves.
    'content-security-policy':
      plain === 'application/pdf'
        ? "frame-ancestors 'self'"
        : "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'",
    'x-content-type-options': 'nosniff',
  };
}

function bare(type: string): string {
  return type.split(';', 1)[0]!.trim();
}

function fileNameIn(header: string): string | undefined {
  const extended = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
    }
  }
  return /filename\s*=\s*"([^"]*)"/i.exec(header)?.[1] ?? /filename\s*=\s*([^;"\s]+)/i.exec(header)?.[1];
}

/**
 * Builds the Content-Disposition header (RFC 6266) with an ASCII file name for old clients and the full file name,
 * percent-encoded. Replaces or escapes every character that could end the header or the quotes.
 */
export function contentDisposition(kind: 'attachment' | 'inline', fileName: string): string {
  const clean = fileName
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069/\\]/gu, '_')
    .replace(/\p{Surrogate}/gu, '\ufffd');
  const name = clean === '' ? 'file' : clean;
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
