import { Store } from '../../../ui/store.ts';
import { columnName, parseColumn, rangeName, type Cell, type CellRange } from '../cell-geometry.ts';

/** An edit in progress: the text typed so far and the cell it belongs to. */
export interface CellEdit {
  readonly tab: string;
  readonly row: number;
  readonly col: number;
  readonly text: string;
  /**
   * True if the edit was started by typing; arrow keys then end it. False after F2 or a double click; arrow keys then
   * move the caret.
   */
  readonly quick: boolean;
  readonly where: 'cell' | 'bar';
  /** Start and end offset of the text selection; equal for a plain caret. */
  readonly caret: readonly [number, number];
  /**
   * The reference that the user last inserted into the formula by choosing cells with the pointer or the arrow keys. It
   * is replaced when the user chooses other cells.
   */
  readonly pointing:
    | { readonly from: number; readonly to: number; readonly range: CellRange; readonly anchor: Cell }
    | undefined;
}

/** Matches text after which a cell reference can follow in a formula. */
const mayPoint = /(^=|[=(+\-*/^&,;<>:{\s])\s*$/;

export class EditState {
  readonly state = new Store<CellEdit | undefined>(undefined);

  begin(edit: Pick<CellEdit, 'tab' | 'row' | 'col' | 'text' | 'quick' | 'where'>): void {
    this.state.set({ ...edit, caret: [edit.text.length, edit.text.length], pointing: undefined });
  }

  change(text: string, caret: readonly [number, number]): void {
    const edit = this.state.get();
    if (edit) this.state.set({ ...edit, text, caret, pointing: undefined });
  }

  /**
   * Updates the caret when it moves without a text change. A reference inserted by pointing at cells is then final:
   * pointing at another cell inserts a new reference instead of replacing it.
   */
  moveCaret(caret: readonly [number, number]): void {
    const edit = this.state.get();
    if (!edit || (edit.caret[0] === caret[0] && edit.caret[1] === caret[1])) return;
    this.state.set({ ...edit, caret, pointing: undefined });
  }

  /**
   * Moves the edit between the cell and the formula bar (`where`), or sets whether arrow keys end the edit (`quick`).
   */
  updateMode(change: Partial<Pick<CellEdit, 'where' | 'quick'>>): void {
    const edit = this.state.get();
    if (edit) this.state.set({ ...edit, ...change });
  }

  end(): CellEdit | undefined {
    const edit = this.state.get();
    this.state.set(undefined);
    return edit;
  }

  /** True if a click on a cell inserts a reference into the formula being edited. */
  get canPoint(): boolean {
    const edit = this.state.get();
    if (!edit || !edit.text.startsWith('=')) return false;
    return edit.pointing !== undefined || mayPoint.test(edit.text.slice(0, edit.caret[0]));
  }

  /** Inserts a reference at the caret, or replaces the reference that was last inserted by pointing. */
  point(range: CellRange, anchor: Cell, sheetName?: string): void {
    const edit = this.state.get();
    if (!edit) return;
    const from = edit.pointing?.from ?? edit.caret[0];
    const to = edit.pointing?.to ?? edit.caret[1];
    const name = `${sheetName === undefined ? '' : quoted(sheetName)}${rangeName(range)}`;
    const text = edit.text.slice(0, from) + name + edit.text.slice(to);
    const end = from + name.length;
    this.state.set({ ...edit, text, caret: [end, end], pointing: { from, to: end, range, anchor } });
  }
}

function quoted(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name) && !/^[A-Za-z]{1,3}\d+$/.test(name)
    ? `${name}!`
    : `'${name.replaceAll("'", "''")}'!`;
}

interface NamedRange {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  /** Sheet name in the reference; undefined if the reference contains no sheet name. */
  readonly sheet: string | undefined;
}

const textInQuotes = /"(?:[^"]|"")*"/.source;
const sheetName = /'(?:[^']|'')+'|[\p{L}_][\p{L}\p{N}_.]*/u.source;
const column = /\$?[A-Za-z]{1,3}/.source;
const cell = `${column}${/\$?\d{1,7}/.source}`;
const token = new RegExp(
  `${textInQuotes}|(?:(${sheetName})!)?(${cell}(?::${cell})?|${column}:${column})${/(?![\p{L}\p{N}_(.])/u.source}`,
  'gu',
);

/** Returns the cell references in a formula, ignoring string literals. */
export function referencesIn(formula: string): NamedRange[] {
  if (!formula.startsWith('=')) return [];
  const found: NamedRange[] = [];
  for (const match of formula.matchAll(token)) {
    const name = match[2];
    const before = formula[match.index - 1] ?? '';
    if (name === undefined || /[\p{L}\p{N}_.$]/u.test(before)) continue;
    found.push({
      from: match.index,
      to: match.index + match[0].length,
      name: name.replaceAll('$', ''),
      sheet: match[1]?.replace(/^'|'$/g, '').replaceAll("''", "'"),
    });
  }
  return found;
}

/**
 * Changes the reference at the caret to the next of A1, $A$1, A$1 and $A1 (F4). Returns undefined if there is no
 * reference at the caret.
 */
export function cycleAbsolute(text: string, caret: number): { text: string; caret: number } | undefined {
  const at = referencesIn(text).find((one) => caret >= one.from && caret <= one.to);
  if (!at) return undefined;
  const next = replaceCells(text.slice(at.from, at.to), ({ fixedCol, col, fixedRow, row }) => {
    const state = (fixedCol ? 2 : 0) + (fixedRow ? 1 : 0);
    const after = ({ 0: ['$', '$'], 3: ['', '$'], 1: ['$', ''], 2: ['', ''] } as Record<number, [string, string]>)[
      state
    ]!;
    return `${after[0]}${col}${after[1]}${row}`;
  });
  return { text: text.slice(0, at.from) + next + text.slice(at.to), caret: at.from + next.length };
}

/** The parts of a cell address such as `$A1`. `fixedCol` and `fixedRow` are `$` or empty. */
interface AddressParts {
  readonly fixedCol: string;
  readonly col: string;
  readonly fixedRow: string;
  readonly row: string;
}

/** Replaces the cell addresses in a reference such as `Sheet1!A1:B2`. The name of the sheet stays as it is. */
function replaceCells(reference: string, replace: (address: AddressParts) => string): string {
  const start = reference.lastIndexOf('!') + 1;
  const cells = reference
    .slice(start)
    .replace(/(\$?)([A-Za-z]{1,3})(\$?)(\d{1,7})/g, (_, fixedCol: string, col: string, fixedRow: string, row: string) =>
      replace({ fixedCol, col, fixedRow, row }),
    );
  return reference.slice(0, start) + cells;
}

/** Shifts the relative references in a formula by a number of rows and columns. */
export function shiftReferences(formula: string, down: number, right: number): string {
  let done = 0;
  let result = '';
  for (const { from, to } of referencesIn(formula)) {
    const moved = replaceCells(formula.slice(from, to), ({ fixedCol, col, fixedRow, row }) => {
      const toCol = fixedCol ? col : columnName(Math.max(0, parseColumn(col) + right));
      const toRow = fixedRow ? row : String(Math.max(1, Number(row) + down));
      return `${fixedCol}${toCol}${fixedRow}${toRow}`;
    });
    result += formula.slice(done, from) + moved;
    done = to;
  }
  return result + formula.slice(done);
}
