import { constants, deflateRawSync } from 'node:zlib';
import { crc32 } from './crc32.ts';
import { centralRecord, descriptor, endRecord, localHeader, zipTime, type ZipEntryRecord } from './records.ts';

/**
 * Number of bytes compressed at a time. Larger pieces compress slightly better but stay in memory until a full garbage
 * collection.
 */
const pieceBytes = 1 << 17;
const compressionLevel = 3;
const maxZipBytes = 0xffff_ffff;

/**
 * Builds a ZIP archive in memory, file by file. Text added by `begin`, `push` and `end` is compressed in pieces, so
 * that a long text is never held as a whole.
 */
export class ZipWriter {
  readonly #out: Buffer[] = [];
  #length = 0;
  readonly #entries: ZipEntryRecord[] = [];
  #open: ZipEntryRecord | undefined;
  #text = '';
  readonly #at: { time: number; date: number };

  constructor(at: Date) {
    this.#at = zipTime(at.getTime());
  }

  add(name: string, content: string): void {
    this.begin(name);
    this.push(content);
    this.end();
  }

  addBytes(name: string, bytes: Uint8Array): void {
    this.begin(name);
    this.#pack(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), true);
    this.#close();
  }

  /** Adds a file without compression, for data that is compressed already. */
  store(name: string, bytes: Uint8Array): void {
    const entry = this.#entryOf(name, false);
    entry.crc = crc32(bytes);
    entry.size = bytes.length;
    entry.packed = bytes.length;
    this.#write(localHeader(entry));
    this.#write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.#entries.push(entry);
  }

  begin(name: string): void {
    const entry = this.#entryOf(name, true);
    this.#write(localHeader(entry));
    this.#open = entry;
    this.#text = '';
  }

  push(text: string): void {
    this.#text += text;
    if (this.#text.length >= pieceBytes) this.#flush(false);
  }

  end(): void {
    this.#flush(true);
    this.#close();
  }

  #close(): void {
    this.#write(descriptor(this.#entry()));
    this.#entries.push(this.#entry());
    this.#open = undefined;
  }

  finish(): Uint8Array {
    const at = this.#length;
    for (const entry of this.#entries) this.#write(centralRecord(entry));
    this.#write(endRecord(this.#entries.length, at, this.#length - at));
    const whole = new Uint8Array(this.#length);
    let to = 0;
    for (const piece of this.#out) {
      whole.set(piece, to);
      to += piece.length;
    }
    return whole;
  }

  #entry(): ZipEntryRecord {
    if (!this.#open) throw new Error('no part of the archive is open');
    return this.#open;
  }

  #flush(last: boolean): void {
    const bytes = Buffer.from(this.#text);
    this.#text = '';
    this.#pack(bytes, last);
  }

  #pack(bytes: Buffer, last: boolean): void {
    const entry = this.#entry();
    if (bytes.length === 0 && !last) return;
    entry.crc = crc32(bytes, entry.crc);
    entry.size += bytes.length;
    if (entry.size > maxZipBytes)
      throw new RangeError(`${entry.name.toString()}: the part is larger than a file of this kind can be`);
    const packed = deflateRawSync(bytes, {
      level: compressionLevel,
      finishFlush: last ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
    });
    entry.packed += packed.length;
    this.#write(packed);
  }

  #entryOf(name: string, isPacked: boolean): ZipEntryRecord {
    return {
      name: Buffer.from(name),
      isPacked,
      isDescribedAfter: isPacked,
      ...this.#at,
      offset: this.#length,
      crc: 0,
      size: 0,
      packed: 0,
    };
  }

  #write(bytes: Buffer): void {
    this.#out.push(bytes);
    this.#length += bytes.length;
    if (this.#length > maxZipBytes) throw new RangeError('the file is larger than a file of this kind can be');
  }
}
