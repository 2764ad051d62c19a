import { maxCols, maxRows } from '@sheaf/engine/grid-size';
import { damaged } from '../format-error.ts';
import { closeToken, endToken, openToken, type XmlReader } from '../xml/xml-reader.ts';

/**
 * Callbacks for the rows and cells of a worksheet, which are visited in file order. Row and column indexes start at 0.
 * A callback may throw to stop the scan.
 */
export interface CellVisitor {
  /** Called at the start tag of each row; the reader is positioned at that tag. */
  row(row: number, reader: XmlReader): void;
  /** Called at the start tag of each cell, before its content is read. `look` is the index of the cell's format. */
  cell(row: number, col: number, look: number, reader: XmlReader): void;
  /**
   * Called at the start tag of a formula; the implementation must read the whole element. If this method is absent,
   * formulas are skipped.
   */
  formula?(row: number, col: number, reader: XmlReader): void;
  /** Called at the start tag of an inline string; the implementation must read the whole element. */
  inline(row: number, col: number, reader: XmlReader): void;
  /** Called with the unparsed text of the cell's value. `raw` is empty only if a formula returned an empty text. */
  value(row: number, col: number, type: string, raw: string, look: number): void;
}

/** Scans the cells of a worksheet and calls a visitor. Used by the import and by the extraction of a file's text. */
export class CellScanner {
  readonly #reader: XmlReader;
  readonly #part: string;
  readonly #visitor: CellVisitor;
  #row = -1;
  #col = -1;

  constructor(reader: XmlReader, part: string, visitor: CellVisitor) {
    this.#reader = reader;
    this.#part = part;
    this.#visitor = visitor;
  }

  /** Reads all rows and cells inside the element that the reader has just opened, and its closing tag. */
  read(): void {
    const reader = this.#reader;
    const outside = reader.depth - 1;
    for (;;) {
      const token = reader.next();
      if (token === openToken) {
        const { name } = reader;
        if (name === 'c') this.#cell();
        else if (name === 'row') this.#startRow();
      } else if (token === closeToken) {
        if (reader.depth === outside) return;
      } else if (token === endToken) throw damaged(`"${this.#part}" is truncated`);
    }
  }

  #startRow(): void {
    const named = this.#reader.attribute('r');
    const row = named === undefined ? this.#row + 1 : Number(named) - 1;
    if (!Number.isInteger(row) || row < 0 || row >= maxRows) {
      throw damaged(
        `"${this.#part}" names the row ${(named ?? String(row + 1)).slice(0, 20)}, outside 1 to ${maxRows}`,
      );
    }
    this.#row = row;
    this.#col = -1;
    this.#visitor.row(row, this.#reader);
  }

  #cell(): void {
    const reader = this.#reader;
    const visitor = this.#visitor;
    const ref = reader.attribute('r');
    if (ref === undefined) this.#col++;
    else this.place(ref);
    const row = this.#row;
    const col = this.#col;
    if (row < 0 || col >= maxCols)
      throw damaged(`"${this.#part}" names a cell in row ${row + 1}, column ${col + 1}, past the limits of a sheet`);
    const style = reader.attribute('s');
    const look = style === undefined ? 0 : Number(style);
    const type = reader.attribute('t') ?? 'n';
    visitor.cell(row, col, look, reader);
    if (reader.isEmpty) return;
    const outside = reader.depth - 1;
    let value = '';
    let isComputed = false;
    for (;;) {
      const token = reader.next();
      if (token === openToken) {
        const { name } = reader;
        if (name === 'v') value = reader.content();
        else if (name === 'f' && visitor.formula) {
          isComputed = true;
          visitor.formula(row, col, reader);
        } else if (name === 'is') visitor.inline(row, col, reader);
        else reader.skip();
      } else if (token === closeToken) {
        if (reader.depth === outside) break;
      } else if (token === endToken) throw damaged(`"${this.#part}" is truncated inside a cell`);
    }
    // Also report an empty text returned by a formula: it remains the cell's value if the formula cannot be imported.
    if (value !== '' || (isComputed && type === 'str')) visitor.value(row, col, type, value, look);
  }

  /** Sets the current row and column from a cell reference such as `B7`. Throws if it is not a cell of a sheet. */
  place(ref: string): void {
    let col = 0;
    let row = 0;
    let i = 0;
    // The mask converts ASCII letters to upper case, and keeps the high bits by which other letters differ from them.
    for (let code = ref.charCodeAt(0) & ~0x20; code >= 65 && code <= 90; code = ref.charCodeAt(++i) & ~0x20)
      col = col * 26 + code - 64;
    const digits = i;
    for (let code = ref.charCodeAt(i); code >= 48 && code <= 57; code = ref.charCodeAt(++i)) row = row * 10 + code - 48;
    if (i !== ref.length || i === digits || col === 0 || row === 0 || col > maxCols || row > maxRows) {
      throw damaged(`"${this.#part}" names the cell "${ref.slice(0, 20)}", which is not a cell of a sheet`);
    }
    this.#row = row - 1;
    this.#col = col - 1;
  }
}

/** Parses the time of a cell of type `d` to milliseconds, NaN if invalid. A time without a zone is UTC. */
export function parseCellTime(raw: string): number {
  // A time without a date belongs to serial day 0, which is 30 December 1899.
  const text = /^\d\d?:/.test(raw) ? `1899-12-30T${raw.replace(/^\d:/, '0$&')}` : raw;
  return Date.parse(/[zZ]|[+-]\d\d:\d\d$/.test(text) ? text : `${text}${text.includes('T') ? '' : 'T00:00'}Z`);
}
