import { createDeflateRaw } from 'node:zlib';
import type { Readable, Transform } from 'node:stream';
import { crc32 } from '../lib/crc32.ts';

export interface ZipFile {
  /** Slash-separated. */
  path: string;
  modifiedAt: number;
  /** Whether packing is worth it: text is, pictures are packed already. */
  pack: boolean;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

interface Written {
  name: Buffer;
  method: number;
  time: number;
  date: number;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

const most32 = 0xffffffff;
const most16 = 0xffff;
/** Sizes follow the bytes, names are UTF-8. */
const flags = 0x0808;

/** What is remembered of each file, for the list at the end, is put together in blocks of this size. */
const blockBytes = 64 * 1024;

/** A zip archive as a stream of bytes; of each file it remembers its line in the list at the end, nothing more. Past 4 GiB or 65,535 entries it is a zip64. */
export async function* zipStream(files: AsyncIterable<ZipFile>): AsyncGenerator<Buffer> {
  const list = new List();
  let offset = 0;
  for await (const file of files) {
    const entry: Written = {
      name: Buffer.from(file.path),
      method: file.pack ? 8 : 0,
      ...dosTime(file.modifiedAt),
      crc: 0,
      packed: 0,
      size: 0,
      offset,
    };
    const header = localHeader(entry);
    offset += header.length;
    yield header;
    for await (const chunk of packed(await file.open(), file.pack, entry)) {
      offset += chunk.length;
      yield chunk;
    }
    const after = descriptor(entry);
    offset += after.length;
    yield after;
    list.add(centralRecord(entry));
  }
  yield* list.blocks();
  yield end(list.count, offset, list.bytes);
}

class List {
  readonly #full: Buffer[] = [];
  #records: Buffer[] = [];
  #recordBytes = 0;
  count = 0;
  bytes = 0;

  add(record: Buffer): void {
    this.#records.push(record);
    this.#recordBytes += record.length;
    this.bytes += record.length;
    this.count += 1;
    if (this.#recordBytes < blockBytes) return;
    this.#full.push(Buffer.concat(this.#records));
    this.#records = [];
    this.#recordBytes = 0;
  }

  blocks(): Buffer[] {
    return [...this.#full, Buffer.concat(this.#records)];
  }
}

async function* packed(bytes: AsyncIterable<Uint8Array>, pack: boolean, entry: Written): AsyncGenerator<Buffer> {
  const counted = (async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      entry.crc = crc32(chunk, entry.crc);
      entry.size += chunk.length;
      yield chunk;
    }
  })();
  const source: AsyncIterable<Uint8Array> = pack ? deflated(counted) : counted;
  for await (const chunk of source) {
    entry.packed += chunk.length;
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
}

async function* deflated(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const deflate = createDeflateRaw();
  const feeding = (async () => {
    try {
      for await (const chunk of bytes) {
        if (!deflate.write(chunk)) await drained(deflate);
        // Nobody reads any more: leaving the loop closes the file.
        if (deflate.destroyed) return;
      }
      deflate.end();
    } catch (error) {
      deflate.destroy(error as Error);
    }
  })();
  yield* deflate as Readable as AsyncIterable<Uint8Array>;
  await feeding;
}

function drained(stream: Transform): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    if (stream.destroyed) resolve();
    else stream.on('drain', done).on('close', done);
  });
}

function dosTime(at: number): { time: number; date: number } {
  const when = new Date(Math.max(at, Date.UTC(1980, 0, 1)));
  return {
    time: (when.getUTCHours() << 11) | (when.getUTCMinutes() << 5) | (when.getUTCSeconds() >> 1),
    date: (Math.min(127, when.getUTCFullYear() - 1980) << 9) | ((when.getUTCMonth() + 1) << 5) | when.getUTCDate(),
  };
}

function localHeader(entry: Written): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(entry.method, 8);
  header.writeUInt16LE(entry.time, 10);
  header.writeUInt16LE(entry.date, 12);
  header.writeUInt16LE(entry.name.length, 26);
  return Buffer.concat([header, entry.name]);
}

/** No file here is past 4 GiB, so its own sizes always fit. */
function descriptor(entry: Written): Buffer {
  const after = Buffer.alloc(16);
  after.writeUInt32LE(0x08074b50, 0);
  after.writeUInt32LE(entry.crc, 4);
  after.writeUInt32LE(entry.packed, 8);
  after.writeUInt32LE(entry.size, 12);
  return after;
}

function centralRecord(entry: Written): Buffer {
  const far = entry.offset > most32 - 1;
  const extra = Buffer.alloc(far ? 12 : 0);
  if (far) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(BigInt(entry.offset), 4);
  }
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(far ? 45 : 20, 4);
  record.writeUInt16LE(far ? 45 : 20, 6);
  record.writeUInt16LE(flags, 8);
  record.writeUInt16LE(entry.method, 10);
  record.writeUInt16LE(entry.time, 12);
  record.writeUInt16LE(entry.date, 14);
  record.writeUInt32LE(entry.crc, 16);
  record.writeUInt32LE(entry.packed, 20);
  record.writeUInt32LE(entry.size, 24);
  record.writeUInt16LE(entry.name.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE(far ? most32 : entry.offset, 42);
  return Buffer.concat([record, entry.name, extra]);
}

function end(count: number, start: number, size: number): Buffer {
  const isLarge = count >= most16 || start >= most32 || size >= most32;
  const large = Buffer.alloc(isLarge ? 76 : 0);
  if (isLarge) {
    large.writeUInt32LE(0x06064b50, 0);
    large.writeBigUInt64LE(44n, 4);
    large.writeUInt16LE(45, 12);
    large.writeUInt16LE(45, 14);
    large.writeBigUInt64LE(BigInt(count), 24);
    large.writeBigUInt64LE(BigInt(count), 32);
    large.writeBigUInt64LE(BigInt(size), 40);
    large.writeBigUInt64LE(BigInt(start), 48);
    large.writeUInt32LE(0x07064b50, 56);
    large.writeBigUInt64LE(BigInt(start + size), 64);
    large.writeUInt32LE(1, 72);
  }
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(Math.min(count, most16), 8);
  record.writeUInt16LE(Math.min(count, most16), 10);
  record.writeUInt32LE(Math.min(size, most32), 12);
  record.writeUInt32LE(Math.min(start, most32), 16);
  return Buffer.concat([large, record]);
}
