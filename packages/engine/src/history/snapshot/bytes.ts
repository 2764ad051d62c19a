/** Thrown if bytes are not a snapshot, are damaged, or were written by a newer version of this program. */
export class SnapshotError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SnapshotError';
  }
}

/** Writes numbers and arrays in little-endian order; arrays are aligned to 8 bytes. */
export class ByteWriter {
  #bytes = new Uint8Array(1 << 16);
  #view = new DataView(this.#bytes.buffer);
  length = 0;

  #room(count: number): void {
    if (this.length + count <= this.#bytes.length) return;
    const wider = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + count));
    wider.set(this.#bytes.subarray(0, this.length));
    this.#bytes = wider;
    this.#view = new DataView(wider.buffer);
  }

  u32(value: number): void {
    this.#room(4);
    this.#view.setUint32(this.length, value, true);
    this.length += 4;
  }

  align(): void {
    this.#room(8);
    while (this.length % 8 !== 0) this.#bytes[this.length++] = 0;
  }

  array(values: Uint8Array | Int32Array | Uint32Array | Float64Array): void {
    this.align();
    this.#room(values.byteLength);
    this.#bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), this.length);
    this.length += values.byteLength;
  }

  text(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.u32(bytes.length);
    this.array(bytes);
    this.align();
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    // Arrays are read in place, without copying, which requires 8-byte alignment. Bytes that are not aligned are copied
    // once.
    this.#bytes = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
  }

  #take(count: number): number {
    const from = this.#at;
    if (from + count > this.#bytes.length)
      throw new SnapshotError(`the snapshot ends at byte ${this.#bytes.length}, in the middle of its contents`);
    this.#at += count;
    return from;
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  skipPadding(): void {
    this.#at = Math.ceil(this.#at / 8) * 8;
  }

  #place(count: number, size: number): number {
    this.skipPadding();
    return this.#bytes.byteOffset + this.#take(count * size);
  }

  u8Array(count: number): Uint8Array {
    return new Uint8Array(this.#bytes.buffer, this.#place(count, 1), count);
  }

  i32Array(count: number): Int32Array {
    return new Int32Array(this.#bytes.buffer, this.#place(count, 4), count);
  }

  u32Array(count: number): Uint32Array {
    return new Uint32Array(this.#bytes.buffer, this.#place(count, 4), count);
  }

  f64Array(count: number): Float64Array {
    return new Float64Array(this.#bytes.buffer, this.#place(count, 8), count);
  }

  text(): string {
    const bytes = this.u8Array(this.u32());
    this.skipPadding();
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      if (error instanceof TypeError) throw new SnapshotError('a text in the snapshot is not UTF-8');
      throw error;
    }
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }
}
