import type { XmlSource } from './xml-reader.ts';

/** Number of bytes decoded at a time. It is small, so that minor garbage collections free the decoded text. */
const pieceBytes = 1 << 16;

/** Detects UTF-8 or UTF-16 by the first bytes and ignores the encoding in the XML declaration. */
export function xmlEncoding(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0x3c && bytes[1] === 0) return 'utf-16le';
  return bytes[0] === 0 && bytes[1] === 0x3c ? 'utf-16be' : 'utf-8';
}

/**
 * Supplies an XML file to the parser piece by piece, so that the text of a large sheet is never in memory as a whole.
 */
export class BytesSource implements XmlSource {
  readonly #bytes: Uint8Array;
  readonly #decoder: InstanceType<typeof TextDecoder>;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#decoder = new TextDecoder(xmlEncoding(bytes));
  }

  next(pieces: number): string | undefined {
    if (this.#at >= this.#bytes.length) return undefined;
    const end = Math.min(this.#bytes.length, this.#at + pieces * pieceBytes);
    const text = this.#decoder.decode(this.#bytes.subarray(this.#at, end), { stream: end < this.#bytes.length });
    this.#at = end;
    return text;
  }
}

export class StringSource implements XmlSource {
  #text: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  next(): string | undefined {
    const text = this.#text;
    this.#text = undefined;
    return text;
  }
}
