import { cellName } from '@sheaf/engine';
import { damaged } from '../format-error.ts';
import type { BiffReader, RichBiffText } from './biff-reader.ts';
import { biffError, formulaText, UnsupportedFormula, type FormulaOrigin, type FormulaScope } from './formula-text.ts';
import type { ForeignCell, ForeignRow, ForeignValue } from './workbook-model.ts';

const records = {
  blank: 0x0201,
  blanks: 0x00be,
  number: 0x0203,
  rk: 0x027e,
  rks: 0x00bd,
  label: 0x0204,
  richLabel: 0x00d6,
  sharedLabel: 0x00fd,
  logicalOrError: 0x0205,
  formula: 0x0006,
  formulaText: 0x0207,
  sharedFormula: 0x04bc,
  array: 0x0221,
  dataTable: 0x0236,
} as const;

const maxBiffCols = 256;
const sharedToken = 0x01;
const tableToken = 0x02;

type MutableCell = { -readonly [Key in keyof ForeignCell]: ForeignCell[Key] };

interface FormulaCell {
  readonly row: number;
  readonly cell: MutableCell;
  /**
   * Address of the cell whose record is followed by the definition that this cell uses: a shared formula, an array
   * formula or a data table. Undefined if the cell has its own formula.
   */
  readonly sharedAt: string | undefined;
}

interface StoredFormula {
  readonly tokens: Uint8Array;
  readonly extra: Uint8Array;
}

/** Collects the cells of a worksheet from the records of an .xls file. */
export class BiffCells {
  readonly rows = new Map<number, ForeignRow>();
  readonly #strings: readonly RichBiffText[];
  readonly #scope: FormulaScope;
  readonly #count: () => void;
  readonly #unsupported: (message: string, row: number, col: number) => void;
  readonly #sharing: FormulaCell[] = [];
  readonly #shared = new Map<string, StoredFormula>();
  #last: FormulaCell | undefined;

  constructor(
    strings: readonly RichBiffText[],
    scope: FormulaScope,
    count: () => void,
    unsupported: (message: string, row: number, col: number) => void,
  ) {
    this.#strings = strings;
    this.#scope = scope;
    this.#count = count;
    this.#unsupported = unsupported;
  }

  row(row: number): ForeignRow {
    let found = this.rows.get(row);
    if (!found) this.rows.set(row, (found = { cells: [], attributes: '' }));
    return found;
  }

  /** Reads the current record if it describes a cell or its formula; returns false for other records. */
  record(reader: BiffReader): boolean {
    switch (reader.type) {
      case records.formula:
        this.#formula(reader);
        return true;
      case records.formulaText:
        if (this.#last) this.#last.cell.value = reader.text16();
        return true;
      case records.sharedFormula:
      case records.array:
      case records.dataTable:
        this.#behindFormula(reader);
        return true;
      case records.blanks:
      case records.rks:
        this.#several(reader);
        return true;
      case records.blank:
      case records.number:
      case records.rk:
      case records.label:
      case records.richLabel:
      case records.sharedLabel:
      case records.logicalOrError: {
        const [row, col, format] = [reader.u16(), reader.u16(), reader.u16()];
        this.#add(row, { col, format, value: this.#valueOf(reader) });
        return true;
      }
      default:
        return false;
    }
  }

  #add(row: number, cell: MutableCell): void {
    this.#count();
    if (cell.col >= maxBiffCols) throw damaged('a cell is past the last column');
    this.row(row).cells.push(cell);
  }

  #valueOf(reader: BiffReader): ForeignValue | undefined {
    switch (reader.type) {
      case records.number:
        return finite(reader.f64());
      case records.rk:
        return finite(reader.rk());
      case records.label:
      case records.richLabel:
        return reader.text16();
      case records.sharedLabel: {
        const shared = reader.u32();
        return shared < this.#strings.length ? { shared } : undefined;
      }
      case records.logicalOrError: {
        const value = reader.u8();
        return reader.u8() === 0 ? value !== 0 : { error: biffError(value) };
      }
      default:
        return undefined;
    }
  }

  #several(reader: BiffReader): void {
    const row = reader.u16();
    const isNumbers = reader.type === records.rks;
    for (let col = reader.u16(); reader.left >= (isNumbers ? 8 : 4); col++) {
      const format = reader.u16();
      this.#add(row, isNumbers ? { col, format, value: finite(reader.rk()) } : { col, format });
    }
  }

  #formula(reader: BiffReader): void {
    const [row, col, format] = [reader.u16(), reader.u16(), reader.u16()];
    const cell: MutableCell = { col, format, value: cachedValue(reader.bytes(8)) };
    reader.skip(6);
    const tokens = reader.bytes(reader.u16());
    const extra = reader.rest();
    this.#add(row, cell);
    const isShared = tokens[0] === sharedToken || tokens[0] === tableToken;
    const sharedAt = isShared && tokens.length >= 5 ? cellName(word(tokens, 1), word(tokens, 3)) : undefined;
    this.#last = { row, cell, sharedAt };
    if (isShared) this.#sharing.push(this.#last);
    else this.#setFormula(this.#last, { tokens, extra }, { row, col });
  }

  #setFormula({ row, cell }: FormulaCell, { tokens, extra }: StoredFormula, origin: FormulaOrigin): void {
    try {
      cell.formula = formulaText(tokens, extra, origin, this.#scope);
    } catch (error) {
      if (!(error instanceof UnsupportedFormula)) throw error;
      this.#unsupported(error.message, row, cell.col);
    }
  }

  /**
   * Reads a shared formula, an array formula or a data table. Its record follows the formula record of one of its
   * cells.
   */
  #behindFormula(reader: BiffReader): void {
    const last = this.#last;
    const [top, bottom, left, right] = [reader.u16(), reader.u16(), reader.u8(), reader.u8()];
    const range = `${cellName(top, left)}:${cellName(bottom, right)}`;
    if (!last) return;
    if (reader.type === records.dataTable) {
      last.cell.dataTable = `ref="${range}"${dataTableInputs(reader)}`;
      return;
    }
    reader.skip(reader.type === records.array ? 6 : 2);
    const stored = { tokens: reader.bytes(reader.u16()), extra: reader.rest() };
    if (reader.type === records.sharedFormula) {
      if (last.sharedAt !== undefined) this.#shared.set(last.sharedAt, stored);
      return;
    }
    this.#setFormula(last, stored, { row: top, col: left });
    if (last.cell.formula !== undefined) last.cell.array = range;
  }

  /**
   * Sets the formulas of cells that use a shared formula, and sorts the cells of each row by column. Must be called
   * after all records have been read.
   */
  finish(): void {
    for (const one of this.#sharing) {
      const stored = one.sharedAt === undefined ? undefined : this.#shared.get(one.sharedAt);
      // Without a shared formula, the cell belongs to an array formula or a data table. `#behindFormula` has already
      // added the definition to the first cell; the other cells keep only their values.
      if (stored) this.#setFormula(one, stored, { row: one.row, col: one.cell.col });
    }
    for (const { cells } of this.rows.values()) cells.sort((one, other) => one.col - other.col);
  }
}

function word(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}

function finite(value: number): ForeignValue {
  return Number.isFinite(value) ? value : { error: '#NUM!' };
}

/** Decodes the cached result of a formula. Returns '' for a text, which is stored in a separate record that follows. */
function cachedValue(bytes: Uint8Array): ForeignValue | undefined {
  if (bytes[6] !== 0xff || bytes[7] !== 0xff)
    return finite(new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true));
  if (bytes[0] === 1) return bytes[2] !== 0;
  return bytes[0] === 2 ? { error: biffError(bytes[2]!) } : '';
}

function dataTableInputs(reader: BiffReader): string {
  const flags = reader.u16();
  const first = cellName(reader.u16(), reader.u16());
  const isTwoDimensional = (flags & 0x08) !== 0;
  const second = isTwoDimensional ? ` r2="${cellName(reader.u16(), reader.u16())}"` : '';
  return ` dt2D="${isTwoDimensional ? 1 : 0}" dtr="${(flags & 0x04) === 0 ? 0 : 1}" r1="${first}"${second}`;
}
