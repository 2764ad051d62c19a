import { FormatError } from '../format-error.ts';
import type { ZipArchive } from '../zip/reader.ts';
import { metafileLines } from './metafile.ts';

/** Metafiles larger than this, or more of them together, are not read. */
const maxMetafileBytes = 32 * 1024 * 1024;
const maxMetafilesBytes = 128 * 1024 * 1024;
const otherPictures = /\.(?:png|jpe?g|gif|tiff?|bmp|svg|wdp|webp|ico|pict?)$/i;

/** Text that the metafiles (EMF, WMF) of a package draw. Each file is read once, however many slides or headers show it. */
export class MetafileTexts {
  readonly #archive: ZipArchive;
  readonly #lines = new Map<string, readonly string[]>();
  #bytes = 0;

  constructor(archive: ZipArchive) {
    this.#archive = archive;
  }

  /** Returns the text that a picture draws; none if it is not a metafile or cannot be read. */
  lines(part: string): readonly string[] {
    const known = this.#lines.get(part);
    if (known) return known;
    const lines = this.#read(part);
    this.#lines.set(part, lines);
    return lines;
  }

  #read(part: string): string[] {
    const size = this.#archive.find(part)?.size ?? Infinity;
    if (otherPictures.test(part) || size > maxMetafileBytes || this.#bytes + size > maxMetafilesBytes) return [];
    this.#bytes += size;
    try {
      return metafileLines(this.#archive.read(part));
    } catch (error) {
      // The rest of the document is read, whatever its pictures contain.
      if (error instanceof FormatError && error.word !== 'too_large') return [];
      throw error;
    }
  }
}
