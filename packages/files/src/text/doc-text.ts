import { damaged } from '../format-error.ts';
import type { TextBuilder } from './text-builder.ts';

/**
 * A run of characters in a .doc file: character number `start` is at byte offset `at`, with `width` bytes per
 * character. `end` is one more than the number of the last character.
 */
export interface Piece {
  start: number;
  end: number;
  at: number;
  width: 1 | 2;
}

const fieldBegin = 0x13;
const fieldSeparator = 0x14;
const fieldEnd = 0x15;

/**
 * Reads the piece table of a .doc file, which tells where each run of characters is stored in the main stream of
 * `mainLength` bytes. In Word 6 and 95 files (`isOld`), every character counts as one byte, and the offsets have no
 * flag for the number of bytes per character.
 */
export function readPieces(
  table: Uint8Array,
  from: number,
  length: number,
  { mainLength, isOld = false }: { mainLength: number; isOld?: boolean },
): Piece[] {
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  const end = Math.min(from + length, table.length);
  let at = from;
  // Property runs precede the piece table; skip each by its stated length.
  while (at + 3 <= end && view.getUint8(at) === 1) at += 3 + view.getUint16(at + 1, true);
  if (at + 5 > end || view.getUint8(at) !== 2) throw damaged('it has no piece table');
  const size = view.getUint32(at + 1, true);
  const count = Math.floor((size - 4) / 12);
  at += 5;
  if (count < 0 || at + size > table.length) throw damaged('its piece table is truncated');
  const pieces: Piece[] = [];
  for (let index = 0; index < count; index++) {
    const start = view.getUint32(at + index * 4, true);
    const stop = view.getUint32(at + index * 4 + 4, true);
    const place = view.getUint32(at + (count + 1) * 4 + index * 8 + 2, true);
    const narrow = isOld || (place & 0x40000000) !== 0;
    const byteAt = isOld ? place : narrow ? (place & 0x3fffffff) >>> 1 : place & 0x3fffffff;
    const width = narrow ? 1 : 2;
    if (stop < start || byteAt + (stop - start) * width > mainLength)
      throw damaged('its piece table points outside the text');
    pieces.push({ start, end: stop, at: byteAt, width });
  }
  return pieces;
}

export interface EmitContext {
  main: Uint8Array;
  pieces: Piece[];
  headings: (byteAt: number) => number;
  deleted: (byteAt: number) => number;
  out: TextBuilder;
  /** Charset of the pieces of text that the file stores with one byte per character. */
  charset: string;
}

/**
 * Writes the characters number `from` to `to` as paragraphs and headings to `context.out`. If `line` is given, every
 * paragraph is passed to it instead.
 */
export function emitText(context: EmitContext, from: number, to: number, line?: (text: string) => void): void {
  const { main, pieces, headings, deleted, out, charset } = context;
  const runs: { text: string; base: number; width: number }[] = [];
  for (const piece of pieces) {
    if (piece.end <= from || piece.start >= to) continue;
    const first = Math.max(piece.start, from);
    const last = Math.min(piece.end, to);
    const base = piece.at + (first - piece.start) * piece.width;
    const bytes = main.subarray(base, piece.at + (last - piece.start) * piece.width);
    const text = new TextDecoder(piece.width === 1 ? charset : 'utf-16le', { ignoreBOM: true }).decode(bytes);
    runs.push({ text, base, width: piece.width });
  }
  const isCode = fieldCodes(runs.map(({ text }) => text));
  let paragraph = '';
  let place = 0;
  const end = (byteAt: number): void => {
    const level = line ? 0 : headings(byteAt);
    if (line) line(paragraph);
    else if (level > 0) out.heading(level, paragraph);
    else out.line(paragraph);
    paragraph = '';
  };
  for (const { text, base, width } of runs) {
    for (let index = 0; index < text.length; index++, place++) {
      const code = text.charCodeAt(index);
      const byteAt = base + index * width;
      if (code === 0x0d || code === 0x0c) end(byteAt);
      else if (isCode[place] === 0 && deleted(byteAt) === 0) paragraph += visibleText(code, text[index]!);
    }
  }
  if (paragraph !== '') (line ?? ((rest) => out.line(rest)))(paragraph);
}

/**
 * Returns the distinct lines that contain a letter, out of a range of characters. Used for page headers and footers,
 * which every section repeats.
 */
export function uniqueLines(context: EmitContext, from: number, length: number): Set<string> {
  const lines = new Set<string>();
  emitText(context, from, from + length, (text) => {
    if (/\p{Letter}/u.test(text)) lines.add(text.trim());
  });
  return lines;
}

/**
 * Returns an array with a 1 for every character of a field code (the hidden instruction of a Word field), else 0. Only
 * a code that ends in the paragraph where it begins is hidden: text pasted from web pages may contain unclosed field
 * marks.
 */
function fieldCodes(texts: readonly string[]): Uint8Array {
  const marks = new Uint8Array(texts.reduce((sum, text) => sum + text.length, 0));
  const fields: { begin: number; separator: number | undefined; paragraph: number }[] = [];
  let place = 0;
  let paragraph = 0;
  const all = texts.join('');
  const hide = ({ begin, paragraph: own }: { begin: number; paragraph: number }, end: number): void => {
    if (own !== paragraph) return;
    marks.fill(1, begin, end);
    const code = all.slice(begin + 1, end);
    // An EQ field (equation or phonetic guide) has no result. The arguments in its code are visible instead.
    if (/^\s*EQ\s/.test(code))
      for (const { index, 0: argument } of code.matchAll(/(?<=[(,])[^(),\\]+(?=[,)])/g))
        marks.fill(0, begin + 1 + index, begin + 1 + index + argument.length);
  };
  for (const text of texts) {
    for (let index = 0; index < text.length; index++, place++) {
      const code = text.charCodeAt(index);
      const field = fields.at(-1);
      if (code === fieldBegin) fields.push({ begin: place, separator: undefined, paragraph });
      else if (code === fieldSeparator && field && field.separator === undefined) {
        field.separator = place;
        hide(field, place);
      } else if (code === fieldEnd && field) {
        fields.pop();
        if (field.separator === undefined) hide(field, place);
      } else if (code === 0x0d || code === 0x07) paragraph++;
    }
  }
  return marks;
}

function visibleText(code: number, char: string): string {
  if (code >= 0x20) return char;
  if (code === 0x07 || code === 0x09) return '\t';
  if (code === 0x0b) return '\n';
  if (code === 0x1e) return '-';
  return '';
}

/**
 * Returns a copy of `stream` decrypted from the offset `from` on. Word's XOR encryption leaves a byte unchanged if it
 * is zero or would become zero.
 */
export function xorStream(stream: Uint8Array, key: Uint8Array, from: number): Uint8Array {
  const plain = stream.slice();
  for (let at = from; at < plain.length; at++) {
    const byte = plain[at]! ^ key[at & 15]!;
    if (plain[at] !== 0 && byte !== 0) plain[at] = byte;
  }
  return plain;
}
