import { charsetOfFont } from './rtf-tables.ts';

/**
 * This file extracts the text of Windows metafiles (EMF and WMF). Office stores the preview picture of an embedded or
 * linked object as a metafile, which contains the words of the preview as text.
 */

/** A piece of text with the position where it is drawn. */
interface TextRun {
  text: string;
  x: number;
  y: number;
  /** X coordinate where the text ends; undefined if unknown. */
  end: number | undefined;
}

const maxRuns = 50_000;
/**
 * Charset number of symbol fonts such as Wingdings. Text in such a font is skipped, because its characters are
 * pictures.
 */
const symbolCharset = 2;
const glyphIndexOption = 0x10;
const updatePosition = 1;

/**
 * Returns those lines of text in a metafile that contain a letter. The list is empty if the bytes are not a metafile.
 */
export function metafileLines(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const runs = isEmf(view) ? readEmf(view, bytes) : readWmf(view, bytes);
  return joinRuns(runs).filter((line) => /\p{Letter}/u.test(line));
}

function isEmf(view: DataView): boolean {
  return view.byteLength >= 88 && view.getUint32(0, true) === 1 && view.getUint32(40, true) === 0x464d4520;
}

/** Joins text runs on the same baseline into lines, with a space where there is a gap between them. */
function joinRuns(runs: readonly TextRun[]): string[] {
  const lines: string[] = [];
  let last: TextRun | undefined;
  for (const run of runs) {
    const width = last?.end === undefined ? 0 : (last.end - last.x) / last.text.length;
    const gap = last === undefined ? 0 : run.x - (last.end ?? last.x);
    const isSameLine = last !== undefined && Math.abs(run.y - last.y) <= Math.abs(width) / 2 && gap >= -Math.abs(width);
    if (isSameLine) lines[lines.length - 1] += last?.end === undefined || gap > width / 4 ? ` ${run.text}` : run.text;
    else lines.push(run.text);
    last = run;
  }
  return lines.map((line) => line.replace(/\s+/g, ' ').trim());
}

/** EMF record types that affect text. */
const emfSetTextAlign = 22;
const emfMoveTo = 27;
const emfSelectObject = 37;
const emfDeleteObject = 40;
const emfComment = 70;
const emfCreateFont = 82;
const emfTextNarrow = 83;
const emfTextWide = 84;
const emfSmallText = 108;
const emfPlusMark = 0x2b464d45;
const emfPlusDrawString = 0x401c;

function readEmf(view: DataView, bytes: Uint8Array): TextRun[] {
  const runs: TextRun[] = [];
  /**
   * Text of EMF+ records, the newer format inside EMF comments. It is used only if EMF records contain no text, because
   * a file may repeat the same text in both.
   */
  const plusRuns: TextRun[] = [];
  const pen = new TextPen();
  const charsets = new Map<number, number>();
  for (let at = 0; at + 8 <= bytes.length && runs.length + plusRuns.length < maxRuns;) {
    const type = view.getUint32(at, true);
    const size = view.getUint32(at + 4, true);
    if (size < 8 || at + size > bytes.length) break;
    const record = new DataView(bytes.buffer, bytes.byteOffset + at, size);
    if (type === emfMoveTo && size >= 16) pen.moveTo(record.getInt32(8, true), record.getInt32(12, true));
    else if (type === emfSetTextAlign && size >= 12) pen.align = record.getUint32(8, true);
    else if (type === emfCreateFont && size >= 36) charsets.set(record.getUint32(8, true), record.getUint8(35));
    else if (type === emfDeleteObject && size >= 12) charsets.delete(record.getUint32(8, true));
    else if (type === emfSelectObject && size >= 12)
      pen.charset = charsets.get(record.getUint32(8, true)) ?? pen.charset;
    else if (type === emfTextWide || type === emfTextNarrow) addEmfText(runs, record, pen, type === emfTextWide);
    else if (type === emfSmallText) addSmallText(runs, record, pen);
    else if (type === emfComment && size >= 16 && record.getUint32(12, true) === emfPlusMark)
      addPlusTexts(plusRuns, record);
    at += size;
  }
  return runs.length > 0 ? runs : plusRuns;
}

function addEmfText(runs: TextRun[], record: DataView, pen: TextPen, isWide: boolean): void {
  if (record.byteLength < 76) return;
  const count = record.getUint32(44, true);
  const from = record.getUint32(48, true);
  const spacing = record.getUint32(72, true);
  const text = textAt(record, from, count, isWide ? 'utf-16le' : pen.encoding);
  if (text === undefined || (record.getUint32(52, true) & glyphIndexOption) !== 0) return;
  let width: number | undefined;
  if (spacing >= 76 && spacing + count * 4 <= record.byteLength) {
    width = 0;
    for (let index = 0; index < count; index++) width += record.getUint32(spacing + index * 4, true);
  }
  pen.draw(runs, { text, x: record.getInt32(36, true), y: record.getInt32(40, true), width });
}

function addSmallText(runs: TextRun[], record: DataView, pen: TextPen): void {
  if (record.byteLength < 36) return;
  const options = record.getUint32(20, true);
  const hasBounds = (options & 0x100) === 0;
  const isNarrow = (options & 0x200) !== 0;
  const text = textAt(record, hasBounds ? 52 : 36, record.getUint32(16, true), isNarrow ? 'windows-1252' : 'utf-16le');
  if (text === undefined || (options & glyphIndexOption) !== 0) return;
  pen.draw(runs, { text, x: record.getInt32(8, true), y: record.getInt32(12, true), width: undefined });
}

function addPlusTexts(runs: TextRun[], comment: DataView): void {
  const end = Math.min(12 + comment.getUint32(8, true), comment.byteLength);
  for (let at = 16; at + 12 <= end && runs.length < maxRuns;) {
    const size = comment.getUint32(at + 4, true);
    if (size < 12 || at + size > end) return;
    if (comment.getUint16(at, true) === emfPlusDrawString && size >= 40) {
      const record = new DataView(comment.buffer, comment.byteOffset + at, size);
      const text = textAt(record, 40, record.getUint32(20, true), 'utf-16le');
      const x = record.getFloat32(24, true);
      if (text !== undefined) runs.push({ text, x, y: record.getFloat32(28, true), end: undefined });
    }
    at += size;
  }
}

/**
 * WMF record types that affect text. Records that create objects are needed too, because objects are numbered in the
 * order of creation.
 */
const wmfMoveTo = 0x0214;
const wmfSetTextAlign = 0x012e;
const wmfSelectObject = 0x012d;
const wmfDeleteObject = 0x01f0;
const wmfCreateFont = 0x02fb;
const wmfTextOut = 0x0521;
const wmfExtTextOut = 0x0a32;
const wmfCreations = new Set([wmfCreateFont, 0x00f7, 0x0142, 0x01f9, 0x02fa, 0x02fc, 0x06ff]);
const placeableMark = 0x9ac6cdd7;
const placeableSize = 22;
const maxObjects = 1_024;

function readWmf(view: DataView, bytes: Uint8Array): TextRun[] {
  const runs: TextRun[] = [];
  const start = bytes.length >= 4 && view.getUint32(0, true) === placeableMark ? placeableSize : 0;
  if (bytes.length < start + 18 || view.getUint16(start + 2, true) !== 9) return runs;
  const pen = new TextPen();
  /** Charset of each font by object number; -1 for objects that are not fonts, undefined for free numbers. */
  const objects: (number | undefined)[] = [];
  for (let at = start + 18; at + 6 <= bytes.length && runs.length < maxRuns;) {
    const size = view.getUint32(at, true) * 2;
    const type = view.getUint16(at + 4, true);
    if (size < 6 || at + size > bytes.length) break;
    const record = new DataView(bytes.buffer, bytes.byteOffset + at, size);
    if (type === wmfMoveTo && size >= 10) pen.moveTo(record.getInt16(8, true), record.getInt16(6, true));
    else if (type === wmfSetTextAlign && size >= 8) pen.align = record.getUint16(6, true);
    else if (wmfCreations.has(type)) {
      const free = objects.indexOf(undefined);
      const place = free === -1 ? objects.length : free;
      if (place < maxObjects) objects[place] = type === wmfCreateFont && size >= 20 ? record.getUint8(19) : -1;
    } else if (type === wmfDeleteObject && size >= 8) {
      if (record.getUint16(6, true) < objects.length) objects[record.getUint16(6, true)] = undefined;
    } else if (type === wmfSelectObject && size >= 8) {
      const charset = objects[record.getUint16(6, true)] ?? -1;
      if (charset !== -1) pen.charset = charset;
    } else if (type === wmfTextOut || type === wmfExtTextOut) addWmfText(runs, record, pen, type === wmfExtTextOut);
    at += size;
  }
  return runs;
}

function addWmfText(runs: TextRun[], record: DataView, pen: TextPen, isExtended: boolean): void {
  if (record.byteLength < 14) return;
  const count = record.getUint16(isExtended ? 10 : 6, true);
  const options = isExtended ? record.getUint16(12, true) : 0;
  const hasRectangle = (options & 6) !== 0;
  const from = isExtended ? (hasRectangle ? 22 : 14) : 8;
  const behind = from + ((count + 1) & ~1);
  const text = textAt(record, from, count, pen.encoding);
  if (text === undefined || (options & glyphIndexOption) !== 0) return;
  const place = isExtended ? 6 : behind;
  if (place + 4 > record.byteLength) return;
  let width: number | undefined;
  if (isExtended && behind + count * 2 <= record.byteLength) {
    width = 0;
    for (let index = 0; index < count; index++) width += record.getInt16(behind + index * 2, true);
  }
  pen.draw(runs, { text, x: record.getInt16(place + 2, true), y: record.getInt16(place, true), width });
}

function textAt(record: DataView, from: number, count: number, encoding: string): string | undefined {
  const length = count * (encoding === 'utf-16le' ? 2 : 1);
  if (count === 0 || from + length > record.byteLength) return undefined;
  return new TextDecoder(encoding).decode(new Uint8Array(record.buffer, record.byteOffset + from, length));
}

/**
 * Settings in a metafile, changed by its records, that determine the position and the charset of the text drawn next.
 */
class TextPen {
  align = 0;
  charset = 0;
  #x = 0;
  #y = 0;

  get encoding(): string {
    return charsetOfFont(this.charset) ?? 'windows-1252';
  }

  moveTo(x: number, y: number): void {
    this.#x = x;
    this.#y = y;
  }

  draw(
    runs: TextRun[],
    { text, width, x, y }: { text: string; x: number; y: number; width: number | undefined },
  ): void {
    const usesPosition = (this.align & updatePosition) !== 0;
    const from = usesPosition ? this.#x : x;
    if (this.charset !== symbolCharset && text.trim() !== '')
      runs.push({ text, x: from, y: usesPosition ? this.#y : y, end: width === undefined ? undefined : from + width });
    if (usesPosition) this.#x += width ?? 0;
  }
}
