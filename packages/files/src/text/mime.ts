import { decodeBytes } from './charset.ts';
import type { DecodeLimits } from '../decode-types.ts';

/** A part of a mail: its headers, and either its child parts or its decoded bytes. */
export interface MimePart {
  /** Media type in lower case, without parameters. */
  readonly type: string;
  readonly charset: string | undefined;
  /** File name; '' if the part has none. */
  readonly name: string;
  /**
   * Value of the Content-Disposition header in lower case, such as `attachment` or `inline`; '' if the part has none.
   */
  readonly disposition: string;
  /** Content-ID without angle brackets; '' if there is none. HTML bodies refer to it by `cid:` URLs. */
  readonly contentId: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly parts: readonly MimePart[];
  /** Returns the content with its transfer encoding decoded. */
  bytes(): Uint8Array;
}

/** Parses a mail into its MIME parts. Parts nested deeper than `maxNesting` are not split further. */
export function parseMime(bytes: Uint8Array, limits: DecodeLimits): MimePart {
  // Decode as Latin-1, where every byte is one character, so that character positions equal byte positions.
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const counter = { left: limits.maxEntries };
  return parsePart(raw, limits.maxNesting, counter, 'text/plain');
}

function parsePart(raw: string, depth: number, counter: { left: number }, implied: string): MimePart {
  const blank = /\r?\n\r?\n/.exec(raw);
  const startsBlank = /^\r?\n/.exec(raw);
  const head = startsBlank ? '' : raw.slice(0, blank?.index ?? raw.length);
  const body = startsBlank ? raw.slice(startsBlank[0].length) : blank ? raw.slice(blank.index + blank[0].length) : '';
  const headers = parseHeaders(head);
  const [type, parameters] = parameterized(headers.get('content-type') ?? implied);
  const [disposition, placed] = parameterized(headers.get('content-disposition') ?? '');
  const boundary = parameters.get('boundary');
  const isMultipart = type.startsWith('multipart/') && boundary !== undefined && boundary !== '' && depth > 0;
  const childType = type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
  const encoding = (headers.get('content-transfer-encoding') ?? '').trim().toLowerCase();
  return {
    type: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'text/plain',
    charset: parameters.get('charset'),
    name: decodeWords(placed.get('filename') ?? parameters.get('name') ?? '').trim(),
    disposition,
    contentId: (headers.get('content-id') ?? '').trim().replace(/^<|>$/g, ''),
    headers,
    parts: isMultipart
      ? splitParts(body, boundary, counter).map((part) => parsePart(part, depth - 1, counter, childType))
      : [],
    bytes: () => transferDecoded(body, encoding),
  };
}

/**
 * Parses mail headers into a map by lower-case name. Folded lines are joined; only the first header of each name is
 * kept.
 */
export function parseHeaders(head: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    if (!headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}

function splitParts(body: string, boundary: string, counter: { left: number }): string[] {
  const escaped = boundary.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  const delimiter = new RegExp(`(?:^|\\r?\\n)--${escaped}(--)?[ \\t]*(?=\\r?\\n|$)`, 'g');
  const parts: string[] = [];
  let from: number | undefined;
  for (const match of body.matchAll(delimiter)) {
    if (from !== undefined) parts.push(body.slice(from, Math.max(from, match.index)));
    if (match[1] !== undefined || --counter.left < 0) return parts;
    const end = match.index + match[0].length;
    from = end + (/^\r?\n/.exec(body.slice(end, end + 2))?.[0].length ?? 0);
  }
  // The last part of a truncated mail has no closing delimiter and extends to the end.
  if (from !== undefined) parts.push(body.slice(from));
  return parts;
}

function transferDecoded(body: string, encoding: string): Uint8Array {
  if (encoding === 'base64') return new Uint8Array(Buffer.from(body.replace(/[^A-Za-z0-9+/]/g, ''), 'base64'));
  if (encoding === 'quoted-printable') return quotedPrintable(body);
  return new Uint8Array(Buffer.from(body, 'latin1'));
}

function quotedPrintable(body: string): Uint8Array {
  const plain = body
    .replace(/[ \t]+(?=\r?\n|$)/g, '')
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return new Uint8Array(Buffer.from(plain, 'latin1'));
}

/**
 * Splits a header into its lower-case value and its parameters (RFC 2045). The numbered pieces of a long parameter (RFC
 * 2231) are joined.
 */
function parameterized(header: string): [value: string, parameters: Map<string, string>] {
  const found = new Map<string, string>();
  const value = (/^[^;]*/.exec(header)?.[0] ?? '').trim().toLowerCase();
  const pieces = new Map<string, { index: number; text: string; isEncoded: boolean }[]>();
  for (const match of header
    .slice(0, 20_000)
    .matchAll(/;\s*([\w!#$&+.^`{}~-]+)(?:\*(\d{1,3}))?(\*)?\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)/g)) {
    const [, name = '', index, star, raw = ''] = match;
    const text = raw.startsWith('"') ? raw.slice(1, -1).replace(/\\(.)/g, '$1') : raw.trim();
    const key = name.toLowerCase();
    if (index === undefined && star === undefined) {
      if (!found.has(key)) found.set(key, text);
      continue;
    }
    const list = pieces.get(key) ?? [];
    list.push({ index: Number(index ?? 0), text, isEncoded: star !== undefined });
    pieces.set(key, list);
  }
  for (const [key, list] of pieces) {
    const sorted = list.toSorted((a, b) => a.index - b.index);
    const charset = sorted[0]!.isEncoded ? /^([^']*)'[^']*'/.exec(sorted[0]!.text) : null;
    const raw = sorted
      .map(({ text, isEncoded }, at) => {
        const own = at === 0 && charset ? text.slice(charset[0].length) : text;
        return isEncoded ? percentDecoded(own) : own;
      })
      .join('');
    found.set(key, decodeAs(Buffer.from(raw, 'latin1'), charset?.[1] ?? 'utf-8'));
  }
  return [value, found];
}

function percentDecoded(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function decodeAs(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder('utf-8').decode(bytes);
    throw error;
  }
}

const encodedWord = /=\?([^?\s]{1,60})\?([bq])\?([^?]*)\?=/gi;

/**
 * Decodes the encoded words of a header (RFC 2047), such as `=?utf-8?q?caf=C3=A9?=`. Unencoded non-ASCII bytes are
 * decoded as UTF-8 if they are valid UTF-8.
 */
export function decodeWords(header: string): string {
  const joined = header.replace(/(\?=)\s+(?==\?)/g, '$1');
  const runs: { charset: string; bytes: Buffer }[] = [];
  // Adjacent encoded words are decoded together, because some mailers split a character between them.
  const text = joined.replace(new RegExp(`(?:${encodedWord.source})+`, 'gi'), (all) => {
    runs.length = 0;
    for (const [, charset = '', form = '', data = ''] of all.matchAll(encodedWord)) {
      const bytes =
        form.toLowerCase() === 'b'
          ? Buffer.from(data, 'base64')
          : Buffer.from(quotedPrintable(data.replaceAll('_', ' ')));
      const label = charset.split('*', 1)[0]!.toLowerCase();
      const last = runs.at(-1);
      if (last?.charset === label) last.bytes = Buffer.concat([last.bytes, bytes]);
      else runs.push({ charset: label, bytes });
    }
    return runs.map(({ charset, bytes }) => decodeAs(bytes, charset)).join('');
  });
  // eslint-disable-next-line no-control-regex
  return /[\u0080-\u00ff]/.test(text) && !/[^\u0000-\u00ff]/.test(text)
    ? decodeIfUtf8(Buffer.from(text, 'latin1'), text)
    : text;
}

function decodeIfUtf8(bytes: Uint8Array, otherwise: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return otherwise;
    throw error;
  }
}

/** Decodes the text of a mail part in its declared charset. If the charset is missing or wrong, it is detected. */
export async function partText(part: MimePart): Promise<string> {
  const bytes = part.bytes();
  if (bytes.length === 0) return '';
  return (await decodeBytes(bytes, part.charset)).text;
}
