import { FormatError } from '../format-error.ts';
import type { ZipArchive } from '../zip/reader.ts';
import { metafileLines } from './metafile.ts';

/**
 * Maximum size in bytes of one metafile (EMF or WMF picture), and of all metafiles of a document together. Pictures
 * beyond these limits are skipped.
 */
const maxMetafileBytes = 32 * 1024 * 1024;
const maxMetafilesBytes = 128 * 1024 * 1024;
const otherPictures = /\.(?:png|jpe?g|gif|tiff?|bmp|svg|wdp|webp|ico|pict?)$/i;

/**
 * Reads the text in the metafiles (EMF and WMF pictures) of an Office document. Each picture is read once, even if
 * several slides or headers use it.
 */
export class MetafileTexts {
  readonly #archive: ZipArchive;
  readonly #lines = new Map<string, readonly string[]>();
  #bytes = 0;

  constructor(archive: ZipArchive) {
    this.#archive = archive;
  }

  /** Returns the lines of text in a picture. The list is empty if the picture is not a metafile or cannot be read. */
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
      // Skip an unreadable picture, so that the rest of the document is still read.
      if (error instanceof FormatError && error.word !== 'too_large') return [];
      throw error;
    }
  }
}
