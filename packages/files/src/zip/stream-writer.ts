import { createDeflateRaw } from 'node:zlib';
import type { Readable, Transform } from 'node:stream';
import { crc32 } from './crc32.ts';
import { centralRecord, descriptor, endRecord, localHeader, zipTime, type ZipEntryRecord } from './records.ts';

export interface ZipFile {
  /** Path in the archive, with forward slashes. */
  path: string;
  modifiedAt: number;
  /** Whether to compress the file; false for compressed data such as pictures. */
  pack: boolean;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** Size of the blocks in which central directory records are collected. */
const blockBytes = 64 * 1024;

/** Streams a ZIP archive; only the central directory is held in memory. Uses ZIP64 above 4 GiB or 65,535 entries. */
export async function* zipStream(files: AsyncIterable<ZipFile>): AsyncGenerator<Buffer> {
  const list = new List();
  let offset = 0;
  for await (const file of files) {
    const entry: ZipEntryRecord = {
      name: Buffer.from(file.path),
      isPacked: file.pack,
      isDescribedAfter: true,
      ...zipTime(file.modifiedAt),
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
  yield endRecord(list.count, offset, list.bytes);
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

async function* packed(bytes: AsyncIterable<Uint8Array>, pack: boolean, entry: ZipEntryRecord): AsyncGenerator<Buffer> {
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
        // The consumer has stopped reading. Returning here also ends the iteration over `bytes`, which closes the
        // source file.
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
