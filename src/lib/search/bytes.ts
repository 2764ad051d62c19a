/** Bytes written one after the other: whole numbers take as few as they need, seven bits in each. */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(room = 256) {
    this.#bytes = new Uint8Array(room);
  }

  get length(): number {
    return this.#length;
  }

  varint(value: number): void {
    this.#need(8);
    const bytes = this.#bytes;
    let rest = value;
    while (rest >= 0x80) {
      bytes[this.#length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    bytes[this.#length++] = rest;
  }

  bytes(more: Uint8Array): void {
    this.#need(more.length);
    this.#bytes.set(more, this.#length);
    this.#length += more.length;
  }

  /** What another has written. Most of it is short, and a loop takes less than a view. */
  append(other: ByteWriter): void {
    this.#need(other.#length);
    const bytes = this.#bytes;
    const more = other.#bytes;
    if (other.#length > 64) bytes.set(other.view(), this.#length);
    else for (let i = 0; i < other.#length; i++) bytes[this.#length + i] = more[i]!;
    this.#length += other.#length;
  }

  text(text: string): void {
    if (/^[\0-\x7f]*$/.test(text)) {
      this.varint(text.length);
      this.#need(text.length);
      for (let i = 0; i < text.length; i++) this.#bytes[this.#length++] = text.charCodeAt(i);
      return;
    }
    const bytes = encoder.encode(text);
    this.varint(bytes.length);
    this.bytes(bytes);
  }

  /** What was written, without a copy: good until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  copy(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  #need(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const longer = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    longer.set(this.view());
    this.#bytes = longer;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Reads what a ByteWriter wrote. */
export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  varint(): number {
    const bytes = this.bytes;
    let byte = bytes[this.at++] ?? 0;
    if (byte < 0x80) return byte;
    let value = byte - 0x80;
    let scale = 0x80;
    do {
      byte = bytes[this.at++] ?? 0;
      value += (byte & 0x7f) * scale;
      scale *= 0x80;
    } while (byte >= 0x80);
    return value;
  }

  text(): string {
    const length = this.varint();
    const text = decoder.decode(this.bytes.subarray(this.at, this.at + length));
    this.at += length;
    return text;
  }

  skip(numbers: number): void {
    for (let left = numbers; left > 0; left--) while ((this.bytes[this.at++] ?? 0) >= 0x80);
  }
}
