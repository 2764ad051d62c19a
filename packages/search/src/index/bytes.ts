/** Writer that appends bytes to a growing buffer. Integers are written as varints, seven bits per byte. */
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

  /** Appends the bytes of `more` from offset `from` to `to`. */
  part(more: Uint8Array, from: number, to: number): void {
    this.#need(to - from);
    const bytes = this.#bytes;
    if (to - from > 64) bytes.set(more.subarray(from, to), this.#length);
    else for (let i = from; i < to; i++) bytes[this.#length + i - from] = more[i]!;
    this.#length += to - from;
  }

  /** Appends the content of another writer. Short content is copied in a loop, which is faster than creating a view. */
  append(other: ByteWriter): void {
    this.#need(other.#length);
    const bytes = this.#bytes;
    const more = other.#bytes;
    if (other.#length > 64) bytes.set(other.view(), this.#length);
    else for (let i = 0; i < other.#length; i++) bytes[this.#length + i] = more[i]!;
    this.#length += other.#length;
  }

  /**
   * Appends the length and the bytes of a text in UTF-8. Tokens are short, and encoding them here is much faster than
   * calling the platform's encoder.
   */
  text(text: string): void {
    let size = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0xd800 && code <= 0xdfff) {
        const bytes = encoder.encode(text);
        this.varint(bytes.length);
        this.bytes(bytes);
        return;
      }
      size += code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    }
    this.varint(size);
    this.#need(size);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code < 0x80) bytes[at++] = code;
      else {
        if (code < 0x800) bytes[at++] = 0xc0 | (code >> 6);
        else {
          bytes[at++] = 0xe0 | (code >> 12);
          bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
        }
        bytes[at++] = 0x80 | (code & 0x3f);
      }
    }
    this.#length = at;
  }

  /** Returns whether the written bytes are in `other` at this offset. */
  isAt(other: Uint8Array, at: number): boolean {
    const bytes = this.#bytes;
    for (let i = 0; i < this.#length; i++) if (other[at + i] !== bytes[i]) return false;
    return true;
  }

  /** Returns the written bytes without copying them; valid until the next write. */
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

/** Reads data written by `ByteWriter`. */
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
    const from = this.at;
    this.at = from + length;
    return decodeText(this.bytes, from, this.at);
  }

  skip(numbers: number): void {
    for (let left = numbers; left > 0; left--) while ((this.bytes[this.at++] ?? 0) >= 0x80);
  }
}

/** Decodes UTF-8. For short texts this is several times as fast as calling the platform's decoder. */
export function decodeText(bytes: Uint8Array, from = 0, to = bytes.length): string {
  let text = '';
  for (let at = from; at < to;) {
    const byte = bytes[at]!;
    // Leave characters of four bytes (surrogate pairs) and long texts to the platform's decoder.
    if (byte >= 0xf0 || to - from > 48) return decoder.decode(bytes.subarray(from, to));
    if (byte < 0x80) {
      text += String.fromCharCode(byte);
      at += 1;
    } else if (byte < 0xe0) {
      text += String.fromCharCode(((byte & 0x1f) << 6) | (bytes[at + 1]! & 0x3f));
      at += 2;
    } else {
      text += String.fromCharCode(((byte & 0x0f) << 12) | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f));
      at += 3;
    }
  }
  return text;
}

export function growArray<Numbers extends Uint8Array | Uint32Array | Float64Array>(
  array: Numbers,
  length: number,
): Numbers {
  const longer = new (array.constructor as new (length: number) => Numbers)(length);
  if (array.length > 0) longer.set(array);
  return longer;
}
