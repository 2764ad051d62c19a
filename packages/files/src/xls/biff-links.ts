import type { BiffReader } from './biff-reader.ts';
import { readConstant, sheetPrefixText, UnsupportedFormula, type FormulaScope } from './formula-text.ts';
import type { ExternalBook, ForeignCell } from './workbook-model.ts';

const selfMark = 0x0401;
const addInMark = 0x3a01;
const wholeBook = 0xfffe;

interface SupportingBook {
  readonly kind: 'self' | 'add-in' | 'external';
  readonly target: string;
  readonly sheets: readonly string[];
  readonly names: string[];
  readonly cells: Map<number, Map<number, ForeignCell[]>>;
}

export interface DefinedName {
  readonly name: string;
  /** Index of the sheet that the name is limited to; -1 for the whole workbook. */
  readonly sheet: number;
}

/**
 * Collects what formulas of an .xls file refer to: sheets, defined names, and other workbooks with the cell values
 * that the file stores for them.
 */
export class BiffLinks {
  readonly #books: SupportingBook[] = [];
  readonly #references: { book: number; first: number; last: number }[] = [];
  #cachedSheet: Map<number, ForeignCell[]> | undefined;
  /**
   * Names of all sheets in file order; undefined for sheets that are not imported, so that the indexes in formulas stay
   * right.
   */
  readonly sheets: (string | undefined)[] = [];
  readonly names: DefinedName[] = [];

  supportingBook(reader: BiffReader): void {
    const count = reader.u16();
    const length = reader.u16();
    const names: string[] = [];
    const add = (kind: SupportingBook['kind'], target: string): void =>
      void this.#books.push({ kind, target, sheets: names, names: [], cells: new Map() });
    if (length === selfMark || length === addInMark) {
      add(length === selfMark ? 'self' : 'add-in', '');
      return;
    }
    const path = reader.text(length);
    if (path === '\u0000' || path === '\u0002') {
      add('self', '');
      return;
    }
    const target = decodePath(path);
    for (let index = 0; index < count && reader.left > 0; index++) names.push(reader.text16());
    add('external', target);
  }

  externalName(reader: BiffReader): void {
    reader.skip(6);
    this.#books.at(-1)?.names.push(reader.text8());
  }

  externalSheets(reader: BiffReader): void {
    for (let count = reader.u16(); count > 0; count--)
      this.#references.push({ book: reader.u16(), first: reader.u16(), last: reader.u16() });
  }

  /** Starts the list of stored cell values for one sheet of the external workbook that was read last. */
  cachedSheet(reader: BiffReader): void {
    const book = this.#books.at(-1);
    reader.skip(2);
    this.#cachedSheet = new Map();
    if (book && reader.left >= 2) book.cells.set(reader.u16(), this.#cachedSheet);
  }

  cachedCells(reader: BiffReader): void {
    const last = reader.u8();
    const first = reader.u8();
    const row = reader.u16();
    const cells = this.#cachedSheet?.get(row) ?? [];
    for (let col = first; col <= last; col++) {
      const value = readConstant(reader);
      if (value !== undefined) cells.push({ col, format: 0, value });
    }
    this.#cachedSheet?.set(row, cells);
  }

  /** Returns the external workbooks in the order of their numbers in formulas. */
  externalBooks(): ExternalBook[] {
    return this.#external().map(({ target, sheets, cells }) => ({
      target,
      sheets: sheets.map((name, index) => ({ name, rows: cells.get(index) })),
    }));
  }

  #external(): SupportingBook[] {
    return this.#books.filter(({ kind }) => kind === 'external');
  }

  /**
   * Returns the functions that resolve references in formulas of a sheet. The index -1 is for formulas of names that
   * belong to the whole workbook.
   */
  scopeOf(sheet: number): FormulaScope {
    return {
      sheetPrefix: (index) => this.#sheetPrefix(index),
      definedName: (index) => this.#definedName(index, sheet),
      externalName: (reference, index) => this.#externalName(reference, index, sheet),
    };
  }

  #reference(index: number): { book: SupportingBook; first: number; last: number } {
    const { book = -1, first = 0, last = 0 } = this.#references[index] ?? {};
    const found = this.#books[book];
    if (!found) throw new UnsupportedFormula('refers to a sheet that is not named in the file');
    return { book: found, first, last };
  }

  #number(book: SupportingBook): string {
    return `[${this.#external().indexOf(book) + 1}]`;
  }

  #sheetPrefix(index: number): string | undefined {
    const { book, first, last } = this.#reference(index);
    if (book.kind === 'add-in') throw new UnsupportedFormula('refers to cells of an add-in');
    const names = book.kind === 'self' ? this.sheets : book.sheets;
    // The index of a deleted sheet is 0xffff, which is beyond the end of every list of sheets.
    if (first >= names.length || last >= names.length) return undefined;
    const [from, to] = [names[first], names[last]];
    if (from === undefined || to === undefined) throw new UnsupportedFormula('refers to a sheet that was left out');
    return sheetPrefixText(from, to, book.kind === 'self' ? '' : this.#number(book));
  }

  #definedName(index: number, sheet: number): string {
    const found = this.names[index - 1];
    if (!found) throw new UnsupportedFormula('uses a name that is not in the file');
    if (found.sheet < 0 || found.sheet === sheet) return found.name;
    const owner = this.sheets[found.sheet];
    if (owner === undefined) throw new UnsupportedFormula('uses a name of a sheet that was left out');
    return sheetPrefixText(owner) + found.name;
  }

  #externalName(reference: number, index: number, sheet: number): string {
    const { book, first } = this.#reference(reference);
    if (book.kind === 'self') return this.#definedName(index, sheet);
    const name = book.names[index - 1];
    if (name === undefined) throw new UnsupportedFormula('uses a name that is not in the file');
    if (book.kind === 'add-in') return name;
    const owner = first === wholeBook ? undefined : book.sheets[first];
    return owner === undefined
      ? `${this.#number(book)}!${name}`
      : sheetPrefixText(owner, owner, this.#number(book)) + name;
  }
}

const [encodedMark, driveMark, rootMark, folderMark, parentMark, longDriveMark] =
  '\u0001\u0001\u0002\u0003\u0004\u0005';

/** Decodes the path of another workbook, in which control characters represent drives and folders. */
function decodePath(encoded: string): string {
  if (encoded[0] !== encodedMark) return encoded.replaceAll(folderMark!, '|');
  let path = '';
  for (let at = 1; at < encoded.length; at++) {
    const sign = encoded[at]!;
    if (sign === driveMark) {
      const drive = encoded[++at];
      path += drive === '@' ? '\\\\' : `${drive}:\\`;
    } else if (sign === rootMark || sign === folderMark) path += '\\';
    else if (sign === parentMark) path += '..\\';
    // This mark precedes the length of the drive's name. Skip both.
    else if (sign === longDriveMark) at++;
    else if (sign > '\u0008') path += sign;
  }
  return path.replace(/^\\(?!\\)/, '');
}
