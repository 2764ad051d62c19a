import { checksumAlgorithms, checksumElement, type ChecksumAlgorithm } from './checksum-algorithms.ts';
import { badRequest } from './s3-error.ts';

/**
 * Maximum size in bytes of the XML list of parts with which a client completes a multipart upload. It suffices for ten
 * thousand parts, each with a number, an ETag and every checksum.
 */
export const maxListBytes = 4 * 2 ** 20;
const maxParts = 10_000;
const maxNameLength = 64;

export interface ListedPart {
  part: number;
  etag: string;
  /** Checksums of the part in base64. Most clients send none or one. */
  checksums: Partial<Record<ChecksumAlgorithm, string>>;
}

type Fields = Map<string, string>;

/** Reads the part list of a CompleteMultipartUpload request. Throws an S3 error if it is too long or malformed. */
export async function readPartList(body: AsyncIterable<Uint8Array>): Promise<ListedPart[]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxListBytes) throw partListTooLong(`over ${maxListBytes} bytes`);
    chunks.push(chunk);
  }
  const parts: ListedPart[] = [];
  for (const fields of listedFields(Buffer.concat(chunks).toString('utf8'))) {
    if (parts.length === maxParts) throw partListTooLong(`over ${maxParts} parts`);
    parts.push(partOf(fields));
  }
  if (parts.length > 0) return parts;
  throw badRequest('MalformedXML', 'the body must be a CompleteMultipartUpload with at least one Part');
}

export function partListTooLong(what: string): Error {
  return badRequest('MalformedXML', `the list of parts is too long: ${what}`);
}

function partOf(fields: Fields): ListedPart {
  const number = Number(fields.get('PartNumber'));
  const etag = (fields.get('ETag') ?? '').replace(/&quot;|&#34;|&#x22;|"/gi, '').toLowerCase();
  if (!Number.isInteger(number) || !/^[0-9a-f]{32}$/.test(etag))
    throw badRequest('InvalidPart', `a part has no number or no ETag (number ${number})`);
  const checksums: ListedPart['checksums'] = {};
  for (const algorithm of checksumAlgorithms) {
    const listed = fields.get(checksumElement(algorithm));
    if (listed !== undefined) checksums[algorithm] = listed;
  }
  return { part: number, etag, checksums };
}

/**
 * Yields the fields of each `Part` element of the XML. Parses only this flat structure, not general XML. The text is
 * scanned once, so that malformed input takes linear time too.
 */
function* listedFields(text: string): Generator<Fields> {
  let fields: Fields | undefined;
  let opened: { name: string; end: number } | undefined;
  for (const { name, isEnd, start, end } of tagsOf(text)) {
    if (fields === undefined) {
      if (name === 'Part' && !isEnd) fields = new Map();
    } else if (name === 'Part' && isEnd) {
      yield fields;
      fields = undefined;
    } else if (!isEnd) {
      opened = { name, end };
      continue;
    } else if (opened !== undefined && !fields.has(opened.name)) {
      fields.set(opened.name, text.slice(opened.end, start).trim());
    }
    opened = undefined;
  }
}

interface Tag {
  /** Name of the XML tag without the namespace prefix. */
  name: string;
  isEnd: boolean;
  start: number;
  end: number;
}

function* tagsOf(text: string): Generator<Tag> {
  for (let start = text.indexOf('<'); start >= 0;) {
    const close = text.indexOf('>', start);
    if (close < 0) return;
    const end = close + 1;
    const isEnd = text[start + 1] === '/';
    const from = isEnd ? start + 2 : start + 1;
    const name = close - from <= maxNameLength ? /^(?:\w+:)?(\w+)$/.exec(text.slice(from, close))?.[1] : undefined;
    if (name !== undefined) yield { name, isEnd, start, end };
    start = text.indexOf('<', end);
  }
}
