import { SheetDocument } from '../../document/document.ts';
import { iterationOf } from '../../graph/iterative-calculation.ts';
import { modeOf } from '../../formula/array-evaluation-mode.ts';
import { noTables } from '../../formula/table-reference.ts';
import { FormulaSyntaxError } from '../../formula/token.ts';
import { wholeGrid, contains, rectOf } from '../../document/objects/rect.ts';
import type { SubSheet } from '../../document/objects/sub-sheet.ts';
import { errorTag, numberTag, pivotMark, textTag } from '../../store/chunk.ts';
import { maxRows } from '../../base/grid-size.ts';
import { ByteReader, SnapshotError } from './bytes.ts';
import { snapshotFormat, windowKind, snapshotMagic, windowRows, type Header, type StoredFormula } from './format.ts';

/**
 * A snapshot whose format was checked and whose header was read. `body` reads what follows: formulas, texts and cells.
 */
export interface OpenedSnapshot {
  readonly header: Header;
  readonly body: ByteReader;
}

/**
 * Opens a snapshot: checks the format and reads the header. Throws SnapshotError if either fails. The cells are not
 * checked.
 */
export function openSnapshot(bytes: Uint8Array): OpenedSnapshot {
  const reader = new ByteReader(bytes);
  if (bytes.length < 8 || reader.u32() !== snapshotMagic)
    throw new SnapshotError('these bytes are no snapshot of a document');
  const format = reader.u32();
  if (format > snapshotFormat)
    throw new SnapshotError(
      `the snapshot has format ${format}; this program reads formats up to ${snapshotFormat}: update it`,
    );
  if (format < 1) throw new SnapshotError(`the snapshot has format ${format}, which never was`);
  const header = json(reader.text()) as Header;
  if (!Array.isArray(header.sheets) || !Array.isArray(header.styles))
    throw new SnapshotError('the head of the snapshot names no sub-sheets');
  return { header, body: reader };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new SnapshotError(`the snapshot's head cannot be read: ${error.message}`);
    throw error;
  }
}

/**
 * Creates a document with everything that the header contains, such as sub-sheets, styles and charts, but without
 * cells.
 */
export function createDocumentFromHeader({ header }: OpenedSnapshot): SheetDocument {
  const document = new SheetDocument();
  const styles = header.styles.map((style) => document.styles.intern(style));
  for (const { id, type, name, number, state, styles: runs } of header.sheets) {
    const sub = document.add(id, type, name, document.subSheets.length, number);
    sub.restore(state);
    for (let i = 0; i + 3 < runs.length; i += 4) {
      sub.styles.set(
        runs[i] as number,
        runs[i + 1] as number,
        runs[i + 2] as number,
        styles[runs[i + 3] as number] ?? 0,
      );
    }
  }
  withoutTables(document, () => {
    for (const { name, sheet, formula } of header.names)
      document.workbook.defineName(name, formula, sheet === undefined ? undefined : document.subSheet(sheet).sheet.id);
  });
  document.pivots = header.pivots;
  document.kept = header.kept;
  document.workbook.iteration = iterationOf(header.kept?.calculation);
  for (const [id, sheet, region, state] of header.outputs)
    document.pivotOutputs.set(id, { sheet, rect: rectOf(region), blocked: state !== 0, hidden: state === 2 });
  document.clock = header.clock;
  return document;
}

/**
 * Reads cells, formulas and cached values into the document. Values that another engine version calculated are loaded
 * unchanged; `upgradeValues` recalculates them.
 */
export function loadCells({ header, body }: OpenedSnapshot, document: SheetDocument): void {
  const { workbook } = document;
  const formulas = withoutTables(document, () =>
    (json(body.text()) as StoredFormula[]).map(([row, col, mode, text]) => {
      try {
        return workbook.templates.of(text, row, col, modeOf(mode)).id;
      } catch (error) {
        if (error instanceof FormulaSyntaxError)
          throw new SnapshotError(`the formula ${text} cannot be read: ${error.message}`);
        throw error;
      }
    }),
  );
  const texts = readTexts(body, document);
  for (const sub of document.subSheets) {
    const pieces = body.u32();
    const reader = new ByteReader(body.u8Array(body.u32()));
    for (let i = 0; i < pieces; i++) readPiece(reader, document, sub, formulas, texts);
    if (!reader.isAtEnd) throw new SnapshotError(`the cells of sub-sheet '${sub.name}' do not end where they should`);
  }
  for (const { number, filled, blocked } of header.sheets)
    workbook.spills.adopt(number, filled.map(rectOf), blocked.map(rectOf), (row, col) => {
      const sheet = workbook.sheetById(number);
      return sheet !== undefined && workbook.templateAt(sheet, row, col)?.pattern.array !== undefined;
    });
  workbook.noteTables();
  workbook.acceptValues();
  document.looksChanged = false;
}

/**
 * Runs `read` while the workbook has no tables. Stored formulas refer to tables by id, so a plain name in them must not
 * be parsed as a table, even if a table has this name.
 */
function withoutTables<T>({ workbook }: SheetDocument, read: () => T): T {
  const { tables } = workbook;
  workbook.tables = noTables;
  try {
    return read();
  } finally {
    workbook.tables = tables;
  }
}

function readTexts(reader: ByteReader, document: SheetDocument): Int32Array {
  const lengths = reader.u32Array(reader.u32());
  const all = reader.text();
  const ids = new Int32Array(lengths.length);
  const { strings } = document.workbook;
  let at = 0;
  for (let i = 0; i < lengths.length; i++) {
    const end = at + (lengths[i] as number);
    ids[i] = strings.intern(all.slice(at, end));
    at = end;
  }
  if (at !== all.length) throw new SnapshotError('the texts of the snapshot are not as long as they should be');
  return ids;
}

function readPiece(
  reader: ByteReader,
  document: SheetDocument,
  sub: SubSheet,
  formulas: readonly number[],
  texts: Int32Array,
): void {
  const col = reader.u32();
  const row = reader.u32();
  const count = reader.u32();
  const kind = reader.u32();
  const last = row + count - 1;
  if (
    count < 1 ||
    count > windowRows ||
    !contains(wholeGrid, { top: row, left: col, bottom: last, right: col }) ||
    last >= maxRows
  ) {
    throw new SnapshotError(`a piece of column ${col} from row ${row} with ${count} cells lies outside the grid`);
  }
  const { cells } = sub.sheet;
  const { chunk, index: end } = cells.chunkFor(last, col);
  const from = end - count + 1;
  const { tags, nums } = chunk;
  if (kind === windowKind.numbers || kind === windowKind.integers) {
    nums.set(kind === windowKind.numbers ? reader.f64Array(count) : reader.i32Array(count), from);
    tags.fill(numberTag, from, end + 1);
  } else if (kind === windowKind.texts) {
    const places = reader.u32Array(count);
    for (let i = 0; i < count; i++) nums[from + i] = textId(texts, places[i] as number);
    tags.fill(textTag, from, end + 1);
  } else if (kind === windowKind.mixed) {
    const own = reader.u8Array(count);
    const values = reader.f64Array(count);
    for (let i = 0; i < count; i++) {
      const tag = own[i] as number;
      if (tag > errorTag) throw new SnapshotError(`a cell of column ${col} has the unknown tag ${tag}`);
      tags[from + i] = tag;
      nums[from + i] = tag === textTag ? textId(texts, values[i] as number) : (values[i] as number);
    }
  } else throw new SnapshotError(`a piece of column ${col} has the unknown kind ${kind}`);
  readFormulaRuns(reader, document, sub, { col, row, from, count, chunk }, formulas);
  cells.touch(col);
}

function readFormulaRuns(
  reader: ByteReader,
  document: SheetDocument,
  sub: SubSheet,
  piece: { col: number; row: number; from: number; count: number; chunk: { needFormulas(): Int32Array } },
  formulas: readonly number[],
): void {
  const runs = reader.u32();
  const pairs = runs > 0 ? reader.i32Array(runs * 2) : new Int32Array(0);
  reader.skipPadding();
  if (runs === 0) return;
  const ids = piece.chunk.needFormulas();
  let at = 0;
  for (let i = 0; i < runs; i++) {
    const length = pairs[i * 2] as number;
    const place = pairs[i * 2 + 1] as number;
    const id = place <= 0 ? place : formulas[place - 1];
    if (id === undefined || place < pivotMark || length < 1 || at + length > piece.count)
      throw new SnapshotError(`a formula of column ${piece.col} is not in the snapshot's list`);
    ids.fill(id, piece.from + at, piece.from + at + length);
    at += length;
  }
  document.workbook.graph.touch(sub.sheet, piece.col, piece.row, piece.row + piece.count - 1);
}

function textId(texts: Int32Array, place: number): number {
  const id = texts[place];
  if (id === undefined) throw new SnapshotError(`a cell names text ${place} of ${texts.length}`);
  return id;
}
