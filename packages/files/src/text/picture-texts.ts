import { MetafileStore, shapeProperties, type OfficeRecord } from '../containers/office-art.ts';
import { metafileLines } from './metafile.ts';

/** Record with the properties of a shape. */
export const shapeOptionsRecord = 0xf00b;
/** Property of a shape that holds the text of WordArt. */
const wordArtText = 0xc0;
/** Property of a shape that holds the number of its picture. */
const pictureNumber = 0x104;

/** The texts of the pictures that the shapes of a .doc or .ppt show, by their numbers. */
export class PictureTexts {
  readonly #store = new MetafileStore();
  readonly #stream: Uint8Array;
  readonly #entries: readonly OfficeRecord[];
  readonly #pictures: Uint8Array;
  readonly #lines = new Map<number, readonly string[]>();

  /** `entries` are records of `stream`; the pictures are inside them or in `pictures`. */
  constructor(stream: Uint8Array, entries: readonly OfficeRecord[], pictures: Uint8Array) {
    this.#stream = stream;
    this.#entries = entries;
    this.#pictures = pictures;
  }

  /** Returns the lines of the picture that shapes call `number`, counted from 1. */
  lines(number: number): readonly string[] {
    const known = this.#lines.get(number);
    if (known) return known;
    const entry = this.#entries[number - 1];
    const bytes = entry && this.#store.readEntry(this.#stream, entry, this.#pictures);
    const lines = bytes ? metafileLines(bytes) : [];
    this.#lines.set(number, lines);
    return lines;
  }

  /** Returns the text of WordArt, which is a property of its shape, and the text that a shape's picture draws. */
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
