import { MetafileStore, shapeProperties, type OfficeRecord } from '../containers/office-art.ts';
import { metafileLines } from './metafile.ts';

/** Record type of a shape's property table in the drawings of .doc and .ppt files. */
export const shapeOptionsRecord = 0xf00b;
/** Id of the shape property that holds the text of WordArt. */
const wordArtText = 0xc0;
/**
 * Id of the shape property that holds the index of the shape's picture in the file's list of pictures, counted from 1.
 */
const pictureNumber = 0x104;

/**
 * Reads the text in the pictures of a .doc or .ppt file, which shapes refer to by picture number. Each picture is read
 * once.
 */
export class PictureTexts {
  readonly #store = new MetafileStore();
  readonly #stream: Uint8Array;
  readonly #entries: readonly OfficeRecord[];
  readonly #pictures: Uint8Array;
  readonly #lines = new Map<number, readonly string[]>();

  /**
   * `entries` are the records in `stream` that describe the pictures of the file. The data of a picture is in its entry
   * or in the stream `pictures`.
   */
  constructor(stream: Uint8Array, entries: readonly OfficeRecord[], pictures: Uint8Array) {
    this.#stream = stream;
    this.#entries = entries;
    this.#pictures = pictures;
  }

  /** Returns the lines of text in the picture with this number; numbers start at 1. */
  lines(number: number): readonly string[] {
    const known = this.#lines.get(number);
    if (known) return known;
    const entry = this.#entries[number - 1];
    const bytes = entry && this.#store.readEntry(this.#stream, entry, this.#pictures);
    const lines = bytes ? metafileLines(bytes) : [];
    this.#lines.set(number, lines);
    return lines;
  }

  /**
   * Returns the texts of a shape: its WordArt text and the text in its picture. `options` is the shape's property
   * table, a record in `stream`.
   */
  shapeTexts(stream: Uint8Array, options: OfficeRecord): string[] {
    const properties = shapeProperties(stream.subarray(options.from, options.to), options.instance);
    const art = properties.get(wordArtText)?.data;
    const picture = properties.get(pictureNumber)?.value;
    return [
      ...(art === undefined ? [] : [new TextDecoder('utf-16le').decode(art).replace(/\0.*$/s, '')]),
      ...(picture === undefined ? [] : this.lines(picture)),
    ];
  }
}
