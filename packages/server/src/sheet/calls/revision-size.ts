import { fail } from '../../operation/errors.ts';

/**
 * Bytes of one revision, its mutations and its inverse together: as many as the largest request can bring and replace. The
 * main thread copies and stores a revision whole, during which nobody else is served.
 */
export const maxRevisionBytes = 32 * 2 ** 20;

/** Characters that take more than one byte in JSON. */
const escaped = /[^ !#-[\]-~]/;
const longText = 64;
/** The longest a number that is no small integer is written, about. */
const numberBytes = 20;

/** Counts the bytes of a revision before they are written out, and refuses too many. */
export class RevisionSize {
  readonly #most: number;
  /** Copied cells share their text: a long one is measured once. */
  readonly #known = new Map<string, number>();
  #bytes = 0;

  constructor(most = maxRevisionBytes) {
    this.#most = most;
  }

  /** Counts what is about to be written as JSON. */
  add(value: unknown): void {
    this.#bytes += this.#sizeOf(value);
    this.#refuse('');
  }

  /** Counts a text that a plan has made, before it makes the next. */
  addText(text: string): void {
    this.#bytes += text.length;
    this.#refuse('at least ');
  }

  #refuse(about: string): void {
    if (this.#bytes <= this.#most) return;
    throw fail(
      'limit_exceeded',
      `the call would write ${about}${this.#bytes} bytes of changes, counted with what undoes them, and one call ` +
        `writes at most ${this.#most}; change fewer cells at once`,
    );
  }

  #sizeOf(value: unknown): number {
    if (typeof value === 'number') return numberSize(value);
    if (typeof value === 'string') return this.#textSize(value);
    if (value === null || typeof value !== 'object') return 5;
    let bytes = 2;
    if (Array.isArray(value)) {
      // Most lists are long and of numbers.
      for (const one of value as readonly unknown[])
        bytes += (typeof one === 'number' ? numberSize(one) : this.#sizeOf(one)) + 1;
      return bytes;
    }
    for (const [key, one] of Object.entries(value)) if (one !== undefined) bytes += key.length + 4 + this.#sizeOf(one);
    return bytes;
  }

  #textSize(text: string): number {
    if (text.length <= longText) return jsonBytes(text);
    let bytes = this.#known.get(text);
    if (bytes === undefined) {
      bytes = jsonBytes(text);
      this.#known.set(text, bytes);
    }
    return bytes;
  }
}

function jsonBytes(text: string): number {
  return escaped.test(text) ? Buffer.byteLength(JSON.stringify(text)) : text.length + 2;
}

function numberSize(value: number): number {
  if ((value | 0) !== value) return numberBytes;
  const size = Math.abs(value);
  return (value < 0 ? 1 : 0) + (size < 10 ? 1 : size < 1000 ? 3 : size < 1_000_000 ? 6 : 10);
}
