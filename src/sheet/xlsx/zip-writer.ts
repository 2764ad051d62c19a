import { constants, deflateRawSync } from 'node:zlib';
import { crc32 } from '../../lib/crc32.ts';

/** Larger ones would pack a little better, but stay in memory until a full collection. */
const pieceBytes = 1 << 17;
const compressionLevel = 3;
const maxZipBytes = 0xffff_ffff;

interface Entry {
  readonly name: Buffer;
  readonly at: number;
  readonly stored: boolean;
  crc: number;
  size: number;
  packed: number;
}

/**
 * Makes a zip synchronously and part by part. A long part is packed in pieces that end on a byte, which together are one
 * deflate stream: neither the text of a large sheet nor its bytes are ever held whole.
 */
export class ZipWriter {
  readonly #out: Buffer[] = [];
  #length = 0;
  readonly #entries: Entry[] = [];
  #open: Entry | undefined;
  #text = '';
  readonly #time: number;
  readonly #date: number;

  constructor(at: Date) {
    this.#time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
    this.#date = (Math.max(0, at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  }

  add(name: string, content: string): void {
    this.begin(name);
    this.push(content);
    this.end();
  }

  addBytes(name: string, bytes: Uint8Array): void {
    this.begin(name);
    this.#flushBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), true);
    this.#close();
  }

  /** Bytes that are packed already, as pictures are. */
  store(name: string, bytes: Uint8Array): void {
    const entry: Entry = {
      name: Buffer.from(name),
      at: this.#length,
      stored: true,
      crc: crc32(bytes),
      size: bytes.length,
      packed: bytes.length,
    };
    this.#header(entry, false);
    this.#write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.#entries.push(entry);
  }

  begin(name: string): void {
    const entry: Entry = { name: Buffer.from(name), at: this.#length, stored: false, crc: 0, size: 0, packed: 0 };
    this.#header(entry, true);
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
    const { crc, size, packed } = this.#entry();
    const tail = Buffer.alloc(16);
    tail.writeUInt32LE(0x08074b50, 0);
    tail.writeUInt32LE(crc, 4);
    tail.writeUInt32LE(packed, 8);
    tail.writeUInt32LE(size, 12);
    this.#write(tail);
    this.#entries.push(this.#entry());
    this.#open = undefined;
  }

  finish(): Uint8Array {
    const at = this.#length;
    for (const entry of this.#entries) {
      const head = Buffer.alloc(46);
      head.writeUInt32LE(0x02014b50, 0);
      head.writeUInt16LE(20, 4);
      head.writeUInt16LE(20, 6);
      head.writeUInt16LE(entry.stored ? 0x800 : 0x808, 8);
      head.writeUInt16LE(entry.stored ? 0 : 8, 10);
      head.writeUInt16LE(this.#time, 12);
      head.writeUInt16LE(this.#date, 14);
      head.writeUInt32LE(entry.crc, 16);
      head.writeUInt32LE(entry.packed, 20);
      head.writeUInt32LE(entry.size, 24);
      head.writeUInt16LE(entry.name.length, 28);
      head.writeUInt32LE(entry.at, 42);
      this.#write(head);
      this.#write(entry.name);
    }
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(this.#entries.length, 8);
    end.writeUInt16LE(this.#entries.length, 10);
    end.writeUInt32LE(this.#length - at, 12);
    end.writeUInt32LE(at, 16);
    this.#write(end);
    const whole = new Uint8Array(this.#length);
    let to = 0;
    for (const piece of this.#out) {
      whole.set(piece, to);
      to += piece.length;
    }
    return whole;
  }

  #entry(): Entry {
    if (!this.#open) throw new Error('no part of the archive is open');
    return this.#open;
  }

  #flush(last: boolean): void {
    const bytes = Buffer.from(this.#text);
    this.#text = '';
    this.#flushBytes(bytes, last);
  }

  #flushBytes(bytes: Buffer, last: boolean): void {
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

  #header(entry: Entry, later: boolean): void {
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    // Names are UTF-8; sizes of a packed part follow it.
    head.writeUInt16LE(later ? 0x808 : 0x800, 6);
    head.writeUInt16LE(entry.stored ? 0 : 8, 8);
    head.writeUInt16LE(this.#time, 10);
    head.writeUInt16LE(this.#date, 12);
    if (!later) {
      head.writeUInt32LE(entry.crc, 14);
      head.writeUInt32LE(entry.packed, 18);
      head.writeUInt32LE(entry.size, 22);
    }
    head.writeUInt16LE(entry.name.length, 26);
    this.#write(head);
    this.#write(entry.name);
  }

  #write(bytes: Buffer): void {
    this.#out.push(bytes);
    this.#length += bytes.length;
    if (this.#length > maxZipBytes) throw new RangeError('the file is larger than a file of this kind can be');
  }
}
