import { isUtf8 } from 'node:buffer';
import { inflateRawSync } from 'node:zlib';
import { crc32 } from './crc32.ts';
import { damaged, FormatError, mebibytes } from '../format-error.ts';
import type { DecodeLimits } from '../decode-types.ts';

/**
 * An entry of an untrusted ZIP archive, as declared in its directory. Declared sizes and counts are checked before
 * anything is inflated, and inflation stops at the declared size, so a false directory cannot exhaust memory. Entry
 * names are used only as map keys, never as file paths.
 */
export interface ZipEntry {
  name: string;
  packedSize: number;
  size: number;
  method: number;
  encrypted: boolean;
  crc: number;
  headerAt: number;
  /** The name as stored, in an unknown charset. */
  rawName: Uint8Array;
}

export interface ZipArchive {
  entries: ReadonlyMap<string, ZipEntry>;
  /**
   * Returns the entry with this name. Without an exact match, case and percent encoding are ignored, as OOXML requires.
   */
  find(name: string): ZipEntry | undefined;
  has(name: string): boolean;
  /** Returns the inflated bytes. Throws if size or checksum differ from those in the directory. */
  read(name: string): Uint8Array;
}

const endMark = 0x06054b50;
const directoryMark = 0x02014b50;
const localMark = 0x04034b50;
const zip64LocatorMark = 0x07064b50;

export function isZip(bytes: Uint8Array): boolean {
  return (
    bytes[0] === 0x50 && bytes[1] === 0x4b && ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6))
  );
}

/**
 * Lists the files of an archive that the caller does not unpack, so the limits on uncompressed sizes are not checked.
 */
export function listZip(bytes: Uint8Array, limits: DecodeLimits): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return [...readDirectory(bytes, view, limits).values()];
}

export function openZip(bytes: Uint8Array, limits: DecodeLimits): ZipArchive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = readDirectory(bytes, view, limits);
  checkSizes(entries, limits);
  const byFolded = new Map<string, ZipEntry>();
  for (const entry of entries.values()) if (!byFolded.has(folded(entry.name))) byFolded.set(folded(entry.name), entry);
  const find = (name: string): ZipEntry | undefined => entries.get(name) ?? byFolded.get(folded(name));
  let inflated = 0;
  return {
    entries,
    find,
    has: (name) => find(name) !== undefined,
    read(name) {
      const entry = find(name);
      if (entry === undefined) throw damaged(`it is missing the part "${name}"`);
      inflated += entry.size;
      if (inflated > limits.maxTotalBytes) throw tooLarge(inflated, limits.maxTotalBytes);
      return inflate(bytes, view, entry);
    },
  };
}

function readDirectory(bytes: Uint8Array, view: DataView, limits: DecodeLimits): Map<string, ZipEntry> {
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  const directorySize = view.getUint32(end + 12, true);
  const directoryAt = view.getUint32(end + 16, true);
  if (end >= 20 && view.getUint32(end - 20, true) === zip64LocatorMark) {
    throw new FormatError(
      'unsupported',
      'The archive uses the zip64 format, which is meant for files over 4 GB. Save the file again in the program that created it.',
    );
  }
  // 65,535 stands for more entries than this 16-bit field can count, so such an archive is refused, too.
  if (count > limits.maxEntries || count === 0xffff) throw tooMany(count, limits.maxEntries);
  if (directoryAt + directorySize > end) throw damaged('its archive directory points outside the file');
  const entries = new Map<string, ZipEntry>();
  let seen = 0;
  let at = directoryAt;
  while (at + 46 <= end && view.getUint32(at, true) === directoryMark) {
    if (++seen > limits.maxEntries) throw tooMany(seen, limits.maxEntries);
    const nameLength = view.getUint16(at + 28, true);
    const next = at + 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > end) throw damaged('its archive directory is truncated');
    const rawName = bytes.subarray(at + 46, at + 46 + nameLength);
    const entry: ZipEntry = {
      name: partName(rawName),
      rawName,
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packedSize: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      headerAt: view.getUint32(at + 42, true),
    };
    at = next;
    if (entry.name === '' || entry.name.endsWith('/')) continue;
    if (entries.has(entry.name)) throw damaged(`its archive lists "${entry.name}" twice`);
    entries.set(entry.name, entry);
  }
  if (seen !== count) throw damaged(`its archive directory declares ${count} entries but lists ${seen}`);
  return entries;
}

/**
 * Returns an entry's name with forward slashes. Names with `..` and absolute paths are harmless, because names are only
 * compared and never used as file paths.
 */
function partName(raw: Uint8Array): string {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  // Decode names that are not valid UTF-8 as Latin-1, which keeps distinct names distinct.
  return (isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1')).replaceAll('\\', '/');
}

function folded(name: string): string {
  const lower = name.toLowerCase();
  try {
    return lower.includes('%') ? decodeURIComponent(lower) : lower;
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return lower;
  }
}

function findEnd(view: DataView): number {
  const last = view.byteLength - 22;
  const first = Math.max(0, last - 0xffff);
  for (let at = last; at >= first; at--) {
    if (view.getUint32(at, true) === endMark && at + 22 + view.getUint16(at + 20, true) <= view.byteLength) return at;
  }
  throw damaged('its archive has no directory, most likely because the upload was truncated');
}

function checkSizes(entries: Map<string, ZipEntry>, limits: DecodeLimits): void {
  let total = 0;
  for (const entry of entries.values()) {
    total += entry.size;
    if (entry.size > limits.maxEntryBytes && isMarkup(entry.name)) throw tooLarge(entry.size, limits.maxEntryBytes);
    if (total > limits.maxTotalBytes) throw tooLarge(total, limits.maxTotalBytes);
    if (entry.size > limits.ratioFloorBytes && entry.size > entry.packedSize * limits.maxRatio) {
      throw new FormatError(
        'too_large',
        `The part "${entry.name.slice(0, 100)}" grows to ${mebibytes(entry.size)} from ${entry.packedSize} ` +
          `bytes, more than ${limits.maxRatio} times. Files of this kind do not; it is refused as a ` +
          'decompression bomb.',
      );
    }
  }
}

function isMarkup(name: string): boolean {
  return /\.(?:xml|rels|json)$/i.test(name);
}

function inflate(bytes: Uint8Array, view: DataView, entry: ZipEntry): Uint8Array {
  const part = `the part "${entry.name.slice(0, 100)}"`;
  if (entry.encrypted)
    throw new FormatError(
      'encrypted',
      `${part} of the archive is encrypted. Save the file without a password and upload it again.`,
    );
  if (entry.headerAt + 30 > bytes.length || view.getUint32(entry.headerAt, true) !== localMark)
    throw damaged(`${part} is not where the directory says`);
  const from =
    entry.headerAt + 30 + view.getUint16(entry.headerAt + 26, true) + view.getUint16(entry.headerAt + 28, true);
  const to = from + entry.packedSize;
  if (to > bytes.length) throw damaged(`${part} is truncated`);
  const packed = bytes.subarray(from, to);
  const plain = entry.method === 0 ? packed : entry.method === 8 ? inflateWithin(packed, entry.size, part) : undefined;
  if (plain === undefined)
    throw new FormatError(
      'unsupported',
      `${part} uses compression method ${entry.method}; only stored and deflate are used in files of this kind.`,
    );
  if (plain.length !== entry.size)
    throw damaged(`${part} has ${plain.length} bytes where its directory declares ${entry.size}`);
  if (crc32(plain) !== entry.crc) throw damaged(`${part} does not match its checksum`);
  return plain;
}

function inflateWithin(packed: Uint8Array, size: number, part: string): Uint8Array {
  try {
    // zlib stops when the output exceeds the declared size. A chunk size above the whole output avoids joining chunks,
    // which would need twice the memory.
    return inflateRawSync(packed, { maxOutputLength: Math.max(size, 1), chunkSize: size + 64 });
  } catch (error) {
    if (
      error instanceof RangeError ||
      (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
    ) {
      throw new FormatError(
        'too_large',
        `${part} inflates past the ${size} bytes its directory declares. It is refused as a decompression bomb.`,
        { cause: error },
      );
    }
    throw damaged(`${part} cannot be inflated`, error);
  }
}

function tooLarge(bytes: number, limit: number): FormatError {
  return new FormatError(
    'too_large',
    `The archive decompresses to ${mebibytes(bytes)} or more; the limit is ${mebibytes(limit)}. Split the file or remove its large parts.`,
  );
}

function tooMany(count: number, limit: number): FormatError {
  return new FormatError('too_many_entries', `The archive contains ${count} or more entries; the limit is ${limit}.`);
}
