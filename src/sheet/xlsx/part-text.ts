import type { ZipArchive } from '../../formats/zip-guard.ts';
import { plainPart } from './read-xml.ts';

/** Short enough that what was read is swept up with the youngest garbage. */
const WINDOW = 1 << 16;
/** Smaller parts are read whole. */
const LARGE = 1 << 22;

/**
 * The text of a worksheet, piece by piece: a sheet of a million cells is tens of megabytes of bytes already, and its text
 * would be as much again. Only what is plainly UTF-8 without comments, CDATA or prefixes is cut; the rest comes in one piece.
 */
export class PartText {
  readonly #bytes: Buffer;
  readonly #decoder = new TextDecoder('utf-8');
  #at = 0;
  #whole: string | undefined;

  constructor(whole: string | Buffer) {
    this.#bytes = typeof whole === 'string' ? Buffer.alloc(0) : whole;
    this.#whole = typeof whole === 'string' ? whole : undefined;
  }

  /** The next pieces, so many joined to one; undefined at the end. */
  next(windows = 1): string | undefined {
    const whole = this.#whole;
    this.#whole = undefined;
    if (whole !== undefined) return whole;
    if (this.#at >= this.#bytes.length) return undefined;
    const end = Math.min(this.#bytes.length, this.#at + windows * WINDOW);
    const text = this.#decoder.decode(this.#bytes.subarray(this.#at, end), { stream: end < this.#bytes.length });
    this.#at = end;
    return text;
  }

  /** All that comes after the last such mark, without taking it. */
  after(mark: string): string {
    if (this.#whole !== undefined) return this.#whole.slice(Math.max(0, this.#whole.lastIndexOf(mark)));
    const at = this.#bytes.lastIndexOf(mark);
    return at < 0 ? '' : this.#bytes.toString('utf8', at);
  }
}

export function worksheetText(archive: ZipArchive, name: string): PartText {
  if ((archive.entries.get(name)?.size ?? 0) < LARGE) return new PartText(plainPart(archive, name) ?? '');
  const read = archive.read(name);
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
  const isPlain = /^(?:\ufeff)?\s*<\?xml[^>]*>\s*<worksheet[\s>]/.test(bytes.toString('utf8', 0, 500)) && !bytes.includes('<!');
  return new PartText(isPlain ? bytes : (plainPart(archive, name, bytes) ?? ''));
}
