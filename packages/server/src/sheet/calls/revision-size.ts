import { fail } from '../../operation/errors.ts';

/**
 * Maximum bytes of one revision, mutations and inverse together: as large as the largest request. The main thread
 * copies and stores a revision in one step, which blocks all other requests.
 */
export const maxRevisionBytes = 32 * 2 ** 20;

/** Characters that take more than one byte in JSON. */
const escaped = /[^ !#-[\]-~]/;
const longText = 64;
/** Approximate maximum length of a written number, apart from small integers. */
const numberBytes = 20;

/** Estimates the size of a revision before it is serialized, and refuses one that is too large. */
export class RevisionSize {
  readonly #most: number;
  /** Sizes of long texts: copied cells share a text, so it is measured once. */
  readonly #known = new Map<string, number>();
  #bytes = 0;

  constructor(most = maxRevisionBytes) {
    this.#most = most;
  }

  /** Adds the JSON size of a value. */
  add(value: unknown): void {
    this.#bytes += this.#sizeOf(value);
    this.#refuse('');
  }

  /** Adds a text that a plan has produced, so that the plan stops before producing more. */
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
      // Test for numbers inline, because most long lists hold numbers.
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
