const quote = 0x22;
const backslash = 0x5c;
const zero = 0x30;
const minus = 0x2d;
const dot = 0x2e;

const strictNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/**
 * Number of decimal digits that a double always holds exactly. An integer of this length divided by a power of ten
 * gives the nearest double.
 */
const exactDigits = 15;
const powers = Array.from({ length: exactDigits + 1 }, (_, exponent) => 10 ** exponent);

/**
 * A fixed text to match in the JSON input, such as a field name. `words` holds its bytes as 32-bit words, except for up
 * to three bytes at the end, because comparing words is faster than comparing bytes.
 */
interface Literal {
  readonly bytes: Uint8Array;
  readonly words: readonly number[];
}

export function encodeLiteral(text: string): Literal {
  const bytes = Buffer.from(text);
  return { bytes, words: Array.from({ length: bytes.length >> 2 }, (_, i) => bytes.readUInt32BE(4 * i)) };
}

/**
 * Reads JSON values of a known shape directly from valid UTF-8 bytes, without creating an object per list entry.
 * Accepts only a subset of JSON. When a method refuses the input, the caller uses the JSON parser instead.
 */
export class JsonScanner {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  #space(): void {
    const bytes = this.#bytes;
    for (
      let byte = bytes[this.#at];
      byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
      byte = bytes[++this.#at]
    );
  }

  /** Consumes the given byte and the whitespace around it. Returns whether the byte was found. */
  take(byte: number): boolean {
    if (this.#bytes[this.#at]! <= 0x20) this.#space();
    if (this.#bytes[this.#at] !== byte) return false;
    this.#at++;
    if (this.#bytes[this.#at]! <= 0x20) this.#space();
    return true;
  }

  /**
   * Consumes one of the literals and returns its index, or -1 if none matches. Tries the literal at index `first`
   * first.
   */
  takeOneOf(texts: readonly Literal[], first: number): number {
    if (first < texts.length && this.#takeExactly(texts[first]!)) return first;
    for (let i = 0; i < texts.length; i++) if (i !== first && this.#takeExactly(texts[i]!)) return i;
    return -1;
  }

  #takeExactly({ bytes: text, words }: Literal): boolean {
    const { length } = text;
    let at = this.#at;
    if (at + length > this.#bytes.length) return false;
    for (let i = 0; i < words.length; i++, at += 4) if (this.#view.getUint32(at) !== words[i]) return false;
    for (let i = words.length * 4; i < length; i++, at++) if (this.#bytes[at] !== text[i]) return false;
    this.#at = at;
    if (this.#bytes[at]! <= 0x20) this.#space();
    return true;
  }

  /**
   * Consumes a non-negative integer and returns it. Returns -1 if there is no valid integer or it has more than nine
   * digits.
   */
  takeIndex(): number {
    const bytes = this.#bytes;
    const start = this.#at;
    let value = 0;
    let at = start;
    for (let digit = bytes[at]! - zero; digit >= 0 && digit <= 9; digit = bytes[++at]! - zero)
      value = value * 10 + digit;
    this.#at = at;
    const length = at - start;
    return length === 0 || length > 9 || (length > 1 && bytes[start] === zero) || isInNumber(bytes[at]) ? -1 : value;
  }

  /** Consumes a number. Returns NaN if there is no number or it does not fit a double. */
  takeNumber(): number {
    const bytes = this.#bytes;
    const start = this.#at;
    const isNegative = bytes[start] === minus;
    const first = isNegative ? start + 1 : start;
    let at = first;
    let value = 0;
    for (let digit = bytes[at]! - zero; digit >= 0 && digit <= 9; digit = bytes[++at]! - zero)
      value = value * 10 + digit;
    let digits = at - first;
    const isWhole = digits === 1 || bytes[first] !== zero;
    if (digits === 0 || !isWhole) return NaN;
    let decimals = 0;
    if (bytes[at] === dot) {
      const from = ++at;
      for (let digit = bytes[at]! - zero; digit >= 0 && digit <= 9; digit = bytes[++at]! - zero)
        value = value * 10 + digit;
      decimals = at - from;
      if (decimals === 0) return NaN;
      digits += decimals;
    }
    if (digits > exactDigits || isInNumber(bytes[at])) return this.#longNumber(start);
    this.#at = at;
    const size = decimals === 0 ? value : value / powers[decimals]!;
    return isNegative ? -size : size;
  }

  #longNumber(start: number): number {
    let at = start;
    while (isInNumber(this.#bytes[at])) at++;
    this.#at = at;
    const text = this.#bytes.toString('latin1', start, at);
    const value = strictNumber.test(text) ? Number(text) : NaN;
    return Number.isFinite(value) ? value : NaN;
  }

  takeBoolean(): boolean | undefined {
    return [true, false][this.takeOneOf(booleans, 0)];
  }

  takeNull(): boolean {
    return this.#takeExactly(nothing);
  }

  takeText(): string | undefined {
    const bytes = this.#bytes;
    if (bytes[this.#at] !== quote) return undefined;
    const start = this.#at + 1;
    let at = start;
    let isEscaped = false;
    let isWide = false;
    for (let byte = bytes[at]!; byte !== quote; byte = bytes[++at]!) {
      // Refuse control characters and the end of the input. At the end, `byte` is undefined, and `byte < 0x20` would be
      // false.
      if (!(byte >= 0x20)) return undefined;
      if (byte === backslash) {
        isEscaped = true;
        at++;
      } else if (byte >= 0x80) isWide = true;
    }
    this.#at = at + 1;
    if (isEscaped) return unescaped(bytes.toString('utf8', start - 1, at + 1));
    return bytes.toString(isWide ? 'utf8' : 'latin1', start, at);
  }
}

const booleans = ['true', 'false'].map(encodeLiteral);
const nothing = encodeLiteral('null');

function isInNumber(byte: number | undefined): boolean {
  // True for digits and for the characters + - . e E.
  return (
    byte !== undefined &&
    ((byte >= zero && byte <= 0x39) ||
      byte === 0x2b ||
      byte === minus ||
      byte === dot ||
      byte === 0x65 ||
      byte === 0x45)
  );
}

/**
 * Decodes a JSON string literal with escapes. Returns undefined for invalid escapes and for the character NUL, which
 * requests must not contain. The caller then parses the request with the JSON parser, which reports the error.
 */
function unescaped(literal: string): string | undefined {
  try {
    const text = JSON.parse(literal) as string;
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
