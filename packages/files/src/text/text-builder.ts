import { FormatError } from '../format-error.ts';
import type { DecodedFile, DecodedMeta, Heading, PageStart } from '../decode-types.ts';

// Characters that are replaced in extracted text. PostgreSQL rejects NUL, JSON transports may reject lone surrogates,
// and the others have no visible form. Each is replaced by exactly one character, so that text offsets stay valid.
// eslint-disable-next-line no-control-regex
const unstorable = /[\u0000-\u0008\u000b\u000e-\u001f\u007f\ufffe\uffff]/g;
const loneSurrogate = /\p{Surrogate}/gu;

export function cleanText(raw: string): string {
  return raw
    .replace(/\r\n?|\u2028|\u2029|\f|\u0085/g, '\n')
    .replace(unstorable, ' ')
    .replace(loneSurrogate, '\ufffd');
}

/**
 * Removes line breaks from text used as a title, heading or name: collapses white space to single spaces, and cuts the
 * text at `maxChars`.
 */
export function oneLine(raw: string, maxChars = 500): string {
  const line = cleanText(raw.slice(0, maxChars * 8))
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= maxChars) return line;
  return line
    .slice(0, maxChars)
    .replace(/\p{Surrogate}$/u, '')
    .trimEnd();
}

/** Builds the decoded text of a file with its headings and pages, up to a maximum length. */
export class TextBuilder {
  readonly #maxChars: number;
  #pieces: string[] = [];
  #length = 0;
  #trailingNewlines = 2;
  #headings: Heading[] = [];
  #pages: PageStart[] = [];

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  append(raw: string): void {
    if (raw === '') return;
    // Enforce the length limit before `cleanText` copies the text.
    this.#room(raw.length);
    const piece = cleanText(raw);
    if (piece === '') return;
    this.#pieces.push(piece);
    this.#length += piece.length;
    const run = /\n*$/.exec(piece)?.[0].length ?? 0;
    this.#trailingNewlines = run === piece.length ? this.#trailingNewlines + run : run;
  }

  line(raw: string): void {
    const text = cleanText(raw).trim();
    if (text === '') return;
    this.#separate(1);
    this.append(text);
  }

  paragraph(raw: string): void {
    const text = cleanText(raw).trim();
    if (text === '') return;
    this.#separate(2);
    this.append(text);
  }

  heading(level: number, raw: string): void {
    const text = oneLine(raw, 2_000);
    if (text === '') return;
    this.#separate(2);
    this.#headings.push({ level: Math.min(Math.max(Math.trunc(level), 1), 6), text, offset: this.#length });
    this.append(text);
  }

  /** Starts a page, slide or sheet at the current offset. */
  page(label: string): void {
    this.#separate(2);
    this.#pages.push({ label: oneLine(label, 200), offset: this.#length });
  }

  newline(): void {
    this.#separate(1);
  }

  gap(): void {
    this.#separate(2);
  }

  done(title: string | undefined, meta: DecodedMeta): DecodedFile {
    const text = this.#pieces.join('').trimEnd();
    const headings = this.#headings
      .filter((heading) => heading.offset < text.length)
      .toSorted((a, b) => a.offset - b.offset);
    const shown = title === undefined ? '' : oneLine(title);
    const pages = this.#pages.filter((page) => page.offset < text.length);
    return {
      ...(shown === '' ? {} : { title: shown }),
      text,
      headings,
      ...(pages.length === 0 ? {} : { pages }),
      meta,
    };
  }

  #separate(newlines: number): void {
    if (this.#length === 0) return;
    const missing = newlines - this.#trailingNewlines;
    if (missing > 0) this.append('\n'.repeat(missing));
  }

  #room(more: number): void {
    if (this.#length + more > this.#maxChars) {
      throw new FormatError(
        'too_large',
        `The file contains more than ${this.#maxChars} characters of text. Split it and upload the parts.`,
      );
    }
  }
}
