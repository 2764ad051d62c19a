import { inflateSync } from 'node:zlib';

/** A record of the drawing format in .doc and .ppt files (MS-ODRAW), or of the .ppt format itself. */
export interface OfficeRecord {
  type: number;
  instance: number;
  container: boolean;
  from: number;
  to: number;
}

const blipStoreRecord = 0xf001;
const blipEntryRecord = 0xf007;
const emfRecord = 0xf01a;
const wmfRecord = 0xf01b;
/**
 * Length in bytes of an entry of the picture store (a document's list of pictures), excluding the picture's name and
 * the embedded picture.
 */
const blipEntrySize = 36;
const blipIdSize = 16;
const metafileHeaderSize = 34;
/**
 * Maximum size in bytes of one metafile (vector picture) and of all metafiles of a document together. Metafiles beyond
 * these limits are skipped.
 */
const maxMetafileBytes = 32 * 1024 * 1024;
const maxMetafilesBytes = 128 * 1024 * 1024;

/** Returns the record at an offset, or undefined if it extends past `end`. */
export function recordAt(view: DataView, at: number, end = view.byteLength): OfficeRecord | undefined {
  if (at + 8 > end) return undefined;
  const head = view.getUint16(at, true);
  const to = at + 8 + view.getUint32(at + 4, true);
  if (to > end) return undefined;
  return { type: view.getUint16(at + 2, true), instance: head >> 4, container: (head & 0xf) === 0xf, from: at + 8, to };
}

export function* children(view: DataView, from: number, to: number): Generator<OfficeRecord> {
  for (let at = from; ;) {
    const record = recordAt(view, at, to);
    if (record === undefined) return;
    yield record;
    at = record.to;
  }
}

/**
 * Returns the properties of a drawing shape by property number. `options` is the shape's property table with `count`
 * entries. `data` is set for complex properties and holds their variable-length data.
 */
export function shapeProperties(options: Uint8Array, count: number): Map<number, { value: number; data?: Uint8Array }> {
  const view = new DataView(options.buffer, options.byteOffset, options.byteLength);
  const properties = new Map<number, { value: number; data?: Uint8Array }>();
  let data = count * 6;
  for (let at = 0; at + 6 <= Math.min(count * 6, options.length); at += 6) {
    const id = view.getUint16(at, true);
    const value = view.getUint32(at + 2, true);
    if ((id & 0x8000) === 0) properties.set(id & 0x3fff, { value });
    else {
      properties.set(id & 0x3fff, { value, data: options.subarray(data, data + value) });
      data += value;
    }
  }
  return properties;
}

/** Reads metafiles (vector pictures in EMF or WMF format) from picture records, up to a maximum total size. */
export class MetafileStore {
  #bytes = 0;

  /**
   * Returns the metafile in the picture record at offset `at`. Returns undefined if the picture has another format, is
   * damaged or exceeds the size limits.
   */
  read(stream: Uint8Array, at: number): Uint8Array | undefined {
    const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
    const record = recordAt(view, at);
    if (record === undefined || (record.type !== emfRecord && record.type !== wmfRecord)) return undefined;
    // The lowest bit of the record's instance field is set if the picture has two identifiers.
    const header = record.from + blipIdSize * (1 + (record.instance & 1));
    const from = header + metafileHeaderSize;
    if (from > record.to) return undefined;
    const size = view.getUint32(header, true);
    const isDeflated = view.getUint8(header + 32) === 0;
    const stored = stream.subarray(from, record.to);
    if (size > maxMetafileBytes || this.#bytes + size > maxMetafilesBytes) return undefined;
    this.#bytes += size;
    if (!isDeflated) return stored;
    try {
      return inflateSync(stored, { maxOutputLength: Math.max(size, 1) });
    } catch (error) {
      // Skip a damaged or oversized picture, so that the rest of the document is still read.
      if (error instanceof Error) return undefined;
      throw error;
    }
  }

  /**
   * Returns the metafile of an entry of the picture store (a document's list of pictures). The entry is a picture
   * record itself, contains one, or gives the offset of one in the stream `pictures`.
   */
  readEntry(stream: Uint8Array, entry: OfficeRecord, pictures: Uint8Array): Uint8Array | undefined {
    if (entry.type !== blipEntryRecord) return this.read(stream, entry.from - 8);
    if (entry.to - entry.from < blipEntrySize) return undefined;
    const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
    const inside = entry.from + blipEntrySize + view.getUint8(entry.from + 33);
    if (inside + 8 <= entry.to) return this.read(stream, inside);
    return this.read(pictures, view.getUint32(entry.from + 28, true));
  }
}

/**
 * Returns the entries of the first picture store (list of pictures) inside a record. Shapes refer to their pictures by
 * the index of the entry, counted from 1.
 */
export function blipEntries(view: DataView, from: number, to: number, depth = 0): OfficeRecord[] {
  for (const record of children(view, from, to)) {
    if (record.type === blipStoreRecord) return [...children(view, record.from, record.to)];
    const below = record.container && depth < 4 ? blipEntries(view, record.from, record.to, depth + 1) : [];
    if (below.length > 0) return below;
  }
  return [];
}
