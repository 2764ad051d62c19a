import type { CompoundFile } from '../containers/compound-file.ts';
import { blipEntries, children, MetafileStore, recordAt } from '../containers/office-art.ts';
import { metafileLines } from './metafile.ts';
import { PictureTexts, shapeOptionsRecord } from './picture-texts.ts';

/**
 * Offset of a field in the header of a .doc file. The field holds the offset of the drawing data in the table stream;
 * the next field holds the length of this data.
 */
const drawingsAt = 0x22a;
const drawingRecord = 0xf002;
const maxDepth = 20;
/** Picture types in a picture's header: a shape preceded by a file name, and a WMF without a shape. */
const shapeFileKind = 0x66;
const wmfKind = 8;

export interface DocPictures {
  file: CompoundFile;
  main: Uint8Array;
  table: Uint8Array;
  /** Offsets, in the data stream, of the pictures placed within the text. */
  inText: readonly number[];
}

/** Returns the text drawn by the pictures and shapes of a document, each line once. */
export function docPictureLines({ file, main, table, inText }: DocPictures): Set<string> {
  const lines = new Set<string>();
  const store = new MetafileStore();
  const data = inText.length > 0 && file.has('Data') ? file.read('Data') : new Uint8Array();
  for (const at of new Set(inText)) for (const line of inlineLines(data, at, store)) lines.add(line);
  for (const line of shapeLines(main, table)) lines.add(line.trim());
  return lines;
}

function inlineLines(data: Uint8Array, at: number, store: MetafileStore): string[] {
  if (at + 68 > data.length) return [];
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const to = Math.min(at + view.getUint32(at, true), data.length);
  const kind = view.getUint16(at + 6, true);
  const from = at + view.getUint16(at + 4, true);
  if (from >= to) return [];
  if (kind === wmfKind) return metafileLines(data.subarray(from, to));
  const shapes = kind === shapeFileKind ? from + 1 + view.getUint8(from) : from;
  return [...children(view, shapes, to)].flatMap((record) => {
    const bytes = store.readEntry(data, record, new Uint8Array());
    return bytes === undefined ? [] : metafileLines(bytes);
  });
}

/**
 * Returns the texts of the floating shapes of a .doc file and of the pictures in them. The shapes are stored in the
 * table stream (`table`), the pictures in the main stream (`main`).
 */
function shapeLines(main: Uint8Array, table: Uint8Array): string[] {
  const fib = new DataView(main.buffer, main.byteOffset, main.byteLength);
  if (main.length < drawingsAt + 8) return [];
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  const from = fib.getUint32(drawingsAt, true);
  const to = from + fib.getUint32(drawingsAt + 4, true);
  const group = to > table.length ? undefined : recordAt(view, from, to);
  if (group === undefined) return [];
  const pictures = new PictureTexts(table, blipEntries(view, from, group.to), main);
  const texts: string[] = [];
  const walk = (begin: number, end: number, depth: number): void => {
    for (const record of children(view, begin, end))
      if (record.type === shapeOptionsRecord) texts.push(...pictures.shapeTexts(table, record));
      else if (record.container && depth < maxDepth) walk(record.from, record.to, depth + 1);
  };
  // Skip the byte before each drawing, which tells whether the drawing belongs to the body or to the headers.
  for (let at = group.to + 1; ;) {
    const drawing = recordAt(view, at, to);
    if (drawing?.type !== drawingRecord) return texts;
    walk(drawing.from, drawing.to, 0);
    at = drawing.to + 1;
  }
}
