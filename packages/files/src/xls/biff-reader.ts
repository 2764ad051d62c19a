import { damaged } from '../format-error.ts';

const continueRecord = 0x003c;
const wideFlag = 0x01;
const extendedFlag = 0x04;
const richFlag = 0x08;

export interface RichBiffText {
  readonly text: string;
  /** First character and font index of each formatting run; empty for plain text. */
  readonly runs: readonly (readonly [start: number, font: number])[];
}

/**
 * Reads the records of a BIFF8 stream (the content of an .xls file) in sequence. Fields of the current record may
 * continue in the CONTINUE records after it. Reading past their end throws, so wrong lengths in a damaged file cannot
 * reach other records.
 */
export class BiffReader {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #at: number;
  /** End of the current segment: the record itself, or one of its CONTINUE records. */
  #end: number;
  /** Type of the current record. */
  type = -1;

  constructor(bytes: Uint8Array, from = 0) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = from;
    this.#end = from;
  }

  /** Returns a reader of bytes extracted from a record, such as a formula. */
  static ofFields(bytes: Uint8Array): BiffReader {
    const reader = new BiffReader(bytes);
    reader.#end = bytes.length;
    return reader;
  }

  /** Moves to the next record that is not a CONTINUE record. Returns false at the end of the stream. */
  next(): boolean {
    while (this.#advance()) if (this.type !== continueRecord) return true;
    return false;
  }

  #advance(): boolean {
    const at = this.#end;
    if (at + 4 > this.#bytes.length) return false;
    this.type = this.#view.getUint16(at, true);
    this.#at = at + 4;
    this.#end = Math.min(this.#at + this.#view.getUint16(at + 2, true), this.#bytes.length);
    return true;
  }

  /** Number of unread bytes in the current record or CONTINUE record. */
  get left(): number {
    return this.#end - this.#at;
  }

  /** Moves to the start of the next CONTINUE record; returns false if the next record has another type. */
  nextPiece(): boolean {
    const at = this.#end;
    if (at + 4 > this.#bytes.length || this.#view.getUint16(at, true) !== continueRecord) return false;
    this.#at = at + 4;
    this.#end = Math.min(this.#at + this.#view.getUint16(at + 2, true), this.#bytes.length);
    return true;
  }

  #take(count: number): number {
    if (this.#at + count > this.#end && !(this.#at === this.#end && this.nextPiece() && this.left >= count))
      throw damaged('one of its records is truncated');
    const at = this.#at;
    this.#at += count;
    return at;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** Reads a number in RK format: an integer or the high half of a double, optionally divided by 100. */
  rk(): number {
    const raw = this.u32();
    let value: number;
    if ((raw & 2) !== 0) value = (raw | 0) >> 2;
    else {
      const half = new DataView(new ArrayBuffer(8));
      half.setUint32(4, raw & ~3, true);
      value = half.getFloat64(0, true);
    }
    return (raw & 1) === 0 ? value : value / 100;
  }

  /** Returns the next bytes. They are copied only if they continue in CONTINUE records. */
  bytes(count: number): Uint8Array {
    if (count <= this.left) {
      const at = this.#take(count);
      return this.#bytes.subarray(at, at + count);
    }
    const parts: Uint8Array[] = [];
    for (let missing = count; missing > 0;) {
      if (this.left === 0 && !this.nextPiece()) throw damaged('one of its records is truncated');
      const length = Math.min(missing, this.left);
      parts.push(this.#bytes.subarray(this.#at, this.#at + length));
      this.#at += length;
      missing -= length;
    }
    return Buffer.concat(parts);
  }

  /** Returns the unread bytes of the current record or CONTINUE record, without the CONTINUE records after it. */
  rest(): Uint8Array {
    return this.bytes(this.left);
  }

  skip(count: number): void {
    for (let missing = count; missing > 0;) {
      if (this.left === 0 && !this.nextPiece()) throw damaged('one of its records is truncated');
      const length = Math.min(missing, this.left);
      this.#at += length;
      missing -= length;
    }
  }

  /** Reads a text of `length` characters. It begins with a byte of flags, which say how the characters are encoded. */
  text(length: number): string {
    return length === 0 && this.left === 0 ? '' : this.#chars(length, this.u8());
  }

  text8(): string {
    return this.text(this.u8());
  }

  text16(): string {
    return this.text(this.u16());
  }

  /** Reads an entry of the shared string table with its formatting runs. The phonetic part is skipped. */
  richText(): RichBiffText {
    const length = this.u16();
    const flags = this.u8();
    const runCount = (flags & richFlag) === 0 ? 0 : this.u16();
    const extended = (flags & extendedFlag) === 0 ? 0 : this.u32();
    const text = this.#chars(length, flags);
    const runs: [number, number][] = [];
    for (let index = 0; index < runCount; index++) runs.push([this.u16(), this.u16()]);
    this.skip(extended);
    return { text, runs };
  }

  /**
   * Reads characters. Each CONTINUE record starts with a flag that tells whether its characters have one byte or two.
   */
  #chars(length: number, flags: number): string {
    let isWide = (flags & wideFlag) !== 0;
    let text = '';
    for (let missing = length; missing > 0;) {
      if (this.left === 0) {
        if (!this.nextPiece()) throw damaged('one of its texts is truncated');
        isWide = (this.u8() & wideFlag) !== 0;
      }
      const count = Math.min(missing, isWide ? this.left >> 1 : this.left);
      if (count === 0) throw damaged('one of its texts is truncated');
      const at = this.#take(isWide ? count * 2 : count);
      text += this.#bytes.toString(isWide ? 'utf16le' : 'latin1', at, at + count * (isWide ? 2 : 1));
      missing -= count;
    }
    return text;
  }
}
