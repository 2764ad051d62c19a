import { cellName } from '@sheaf/engine';
import { clearContents, restoreBlock, setRangeBlock, setValues } from '@sheaf/engine/internal/mutations';

/**
 * A change of one cell in a revision (a saved edit of the document), read from the revision log. Values and formulas
 * are as written, not as displayed.
 */
export interface CellChange {
  readonly sheet_id: string;
  readonly address: string;
  /** Old value or formula as text; '' for a blank cell. */
  readonly before: string;
  readonly after: string;
}

interface LoggedMutation {
  readonly type: number;
  readonly data: {
    readonly sheet: string;
    readonly values?: readonly (readonly [row: number, col: number, list: readonly unknown[]])[];
    readonly formulas?: readonly (readonly [row: number, col: number, count: number, text: string])[];
    readonly region?: readonly [top: number, left: number, bottom: number, right: number];
    readonly row: number;
    readonly col: number;
    readonly rows: readonly (readonly unknown[])[];
  };
}

type CellKey = readonly [sheet: string, row: number, col: number];

/** Cells that a list of logged mutations writes, with their new contents, and ranges that it clears. */
class WrittenCells {
  readonly cells = new Map<string, { readonly place: CellKey; readonly text: string }>();
  readonly #emptied: { sheet: string; region: readonly [number, number, number, number] }[] = [];

  constructor(json: string) {
    for (const { type, data } of JSON.parse(json) as LoggedMutation[]) {
      if (type === setRangeBlock.type) this.#putBlock(data);
      else if (type === setValues.type || type === restoreBlock.type) this.#putRuns(data);
      if ((type === clearContents.type || type === restoreBlock.type) && data.region)
        this.#emptied.push({ sheet: data.sheet, region: data.region });
    }
  }

  #putBlock({ sheet, row, col, rows }: LoggedMutation['data']): void {
    for (const [down, line] of rows.entries())
      for (const [right, value] of line.entries()) this.#put([sheet, row + down, col + right], textOf(value));
  }

  /**
   * Adds the cells of value runs and formula runs; a run is a list of vertically adjacent cells. Adds only the first
   * cell of a filled-down formula, because the other cells have the same formula, shifted.
   */
  #putRuns({ sheet, values = [], formulas = [] }: LoggedMutation['data']): void {
    for (const [row, col, list] of values)
      for (const [down, value] of list.entries()) this.#put([sheet, row + down, col], textOf(value));
    for (const [row, col, , text] of formulas) this.#put([sheet, row, col], formulaText(text));
  }

  #put(place: CellKey, text: string): void {
    this.cells.set(place.join(' '), { place, text });
  }

  writes([sheet, row, col]: CellKey): boolean {
    return this.#emptied.some(
      ({ sheet: on, region: [top, left, bottom, right] }) =>
        on === sheet && row >= top && row <= bottom && col >= left && col <= right,
    );
  }
}

const cellWrites: ReadonlySet<number> = new Set([
  setRangeBlock.type,
  setValues.type,
  restoreBlock.type,
  clearContents.type,
]);

/** Returns whether a mutation only writes or clears cells, so that `listRevisionCells` lists all that it changes. */
export function writesCellsOnly({ type }: { readonly type: number }): boolean {
  return cellWrites.has(type);
}

/**
 * Returns the first `max` cells that a revision changed, with their old and new contents. `mutations` are the
 * revision's logged changes, and `inverse` the changes that undo them; both are JSON.
 */
export function listRevisionCells(mutations: string, inverse: string, max: number): CellChange[] {
  const after = new WrittenCells(mutations);
  const before = new WrittenCells(inverse);
  const found: CellChange[] = [];
  const add = (place: CellKey, old: string, now: string): void => {
    const [sheet, row, col] = place;
    if (old !== now) found.push({ sheet_id: sheet, address: cellName(row, col), before: old, after: now });
  };
  for (const [key, { place, text }] of after.cells) {
    if (found.length === max) return found;
    add(place, before.cells.get(key)?.text ?? '', text);
  }
  for (const [key, { place, text }] of before.cells) {
    if (found.length === max) return found;
    if (!after.cells.has(key) && after.writes(place)) add(place, text, '');
  }
  return found;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value !== 'object') return String(value);
  const { error, formula } = value as { error?: string; formula?: string };
  return formula === undefined ? (error ?? '') : formulaText(formula);
}

function formulaText(text: string): string {
  return text.startsWith('=') ? text : `=${text}`;
}
