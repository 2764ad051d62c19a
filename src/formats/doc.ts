import type { CompoundFile } from './compound-file.ts';
import { formattingRanges } from './doc-formatting.ts';
import { damaged, FormatError } from './format-error.ts';
import { summaryOf } from './ole-properties.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, Decoded } from './types.ts';

/** A run of characters of the document and where its bytes are: character `start` is at byte `at`, `width` bytes each. */
interface Piece {
  start: number;
  end: number;
  at: number;
  width: 1 | 2;
}

const fieldBegin = 0x13;
const fieldSeparator = 0x14;
const fieldEnd = 0x15;

export function decodeDoc(file: CompoundFile, job: DecodeJob): Decoded {
  const main = file.read('WordDocument');
  const view = new DataView(main.buffer, main.byteOffset, main.byteLength);
  if (main.length < 0x1aa || view.getUint16(0, true) !== 0xa5ec)
    throw damaged('its header is not that of a Word document');
  const flags = view.getUint16(0x0a, true);
  if ((flags & 0x0100) !== 0) {
    throw new FormatError(
      'encrypted',
      'The document is protected with legacy .doc encryption, which cannot be opened here. Save it as .docx (a password is fine there), or without a password.',
    );
  }
  if (view.getUint16(2, true) < 0xc1) {
    throw new FormatError(
      'unsupported',
      'The document was written by Word 95 or older. Open it in a current program and save it as .docx.',
    );
  }
  const table = file.read((flags & 0x0200) === 0 ? '0Table' : '1Table');
  const pieces = readPieces(table, view.getUint32(0x1a2, true), view.getUint32(0x1a6, true), main.length);
  const { headings, deleted } = formattingRanges(main, table);

  const body = view.getUint32(0x4c, true);
  const footnotes = view.getUint32(0x50, true);
  const headers = view.getUint32(0x54, true) + view.getUint32(0x58, true);
  const rest = view.getUint32(0x5c, true) + view.getUint32(0x60, true) + view.getUint32(0x64, true);
  const out = new TextBuilder(job.limits.maxTextChars);
  const context = { main, pieces, headings, deleted, out };
  emit(context, 0, body + footnotes);
  // Page headers repeat on every page and would drown the text.
  emit(context, body + footnotes + headers, body + footnotes + headers + rest);
  const { title, author } = summaryOf(file);
  return out.done(title, { format: 'doc', ...(author === undefined ? {} : { author }) });
}

function readPieces(table: Uint8Array, from: number, length: number, mainLength: number): Piece[] {
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  const end = Math.min(from + length, table.length);
  let at = from;
  // Property runs come first; each is skipped by its own length.
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
    const narrow = (place & 0x40000000) !== 0;
    const byteAt = narrow ? (place & 0x3fffffff) >>> 1 : place & 0x3fffffff;
    const width = narrow ? 1 : 2;
    if (stop < start || byteAt + (stop - start) * width > mainLength)
      throw damaged('its piece table points outside the text');
    pieces.push({ start, end: stop, at: byteAt, width });
  }
  return pieces;
}

interface EmitContext {
  main: Uint8Array;
  pieces: Piece[];
  headings: (byteAt: number) => number;
  deleted: (byteAt: number) => number;
  out: TextBuilder;
}

function emit({ main, pieces, headings, deleted, out }: EmitContext, from: number, to: number): void {
  let paragraph = '';
  // Inside a field only the part after the separator is shown; fields nest.
  const fields: boolean[] = [];
  for (const piece of pieces) {
    if (piece.end <= from || piece.start >= to) continue;
    const first = Math.max(piece.start, from);
    const last = Math.min(piece.end, to);
    const base = piece.at + (first - piece.start) * piece.width;
    const bytes = main.subarray(base, piece.at + (last - piece.start) * piece.width);
    const text = new TextDecoder(piece.width === 1 ? 'windows-1252' : 'utf-16le', { ignoreBOM: true }).decode(bytes);
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      const byteAt = base + index * piece.width;
      if (code === fieldBegin) fields.push(false);
      else if (code === fieldSeparator && fields.length > 0) fields[fields.length - 1] = true;
      else if (code === fieldEnd) fields.pop();
      else if (code === 0x0d || code === 0x0c) {
        const level = headings(byteAt);
        if (level > 0) out.heading(level, paragraph);
        else out.line(paragraph);
        paragraph = '';
      } else if (fields.every(Boolean) && deleted(byteAt) === 0) paragraph += shown(code, text[index]!);
    }
  }
  out.line(paragraph);
}

function shown(code: number, char: string): string {
  if (code >= 0x20) return char;
  if (code === 0x07 || code === 0x09) return '\t';
  if (code === 0x0b) return '\n';
  if (code === 0x1e) return '-';
  return '';
}
