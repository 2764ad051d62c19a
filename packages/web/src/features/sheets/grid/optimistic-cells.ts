import { maxCols } from '@sheaf/engine/grid-size';

interface OptimisticEdit {
  /** The entered texts by cell key (row * maxCols + column). */
  readonly cells: ReadonlyMap<number, string>;
  /**
   * Generation (change counter of the grid model) from which on loaded cells include the edit. The edit is displayed
   * until cells of this or a later generation are loaded. Infinity until the server confirms the edit.
   */
  until: number;
}

/**
 * Edits that are displayed instead of the server's cells, until the server confirms them and the changed cells are
 * loaded. If a cell has several edits, the newest is displayed.
 */
export class OptimisticCells {
  readonly #byEdit = new Map<string, OptimisticEdit>();
  readonly #shown = new Map<number, OptimisticEdit>();

  get isEmpty(): boolean {
    return this.#shown.size === 0;
  }

  /** Returns the edited text to display in a cell instead of the server's text, or undefined if there is none. */
  at(row: number, col: number): string | undefined {
    const key = row * maxCols + col;
    return this.#shown.get(key)?.cells.get(key);
  }

  /** Returns whether the cell has an edit that the server has not confirmed. */
  isUnconfirmed(row: number, col: number): boolean {
    return this.#shown.get(row * maxCols + col)?.until === Infinity;
  }

  add(edit: string, cells: readonly { readonly row: number; readonly col: number; readonly input: string }[]): void {
    if (this.#byEdit.has(edit) || cells.length === 0) return;
    const mine = new Map(cells.map(({ row, col, input }) => [row * maxCols + col, input]));
    const made = { cells: mine, until: Infinity };
    this.#byEdit.set(edit, made);
    for (const key of mine.keys()) this.#shown.set(key, made);
  }

  /**
   * Marks an edit as confirmed. It stays visible until cells of this generation (change counter of the grid model) are
   * loaded.
   */
  confirm(edit: string, generation: number): void {
    const found = this.#byEdit.get(edit);
    if (found) found.until = generation;
  }

  /** Discards an edit. Earlier edits of the same cells become visible again. */
  drop(edit: string): void {
    if (this.#byEdit.delete(edit)) this.#rebuild();
  }

  /**
   * Removes the confirmed edits that are included in newly loaded cells of this generation (change counter of the grid
   * model).
   */
  onLoaded(generation: number): void {
    let changed = false;
    for (const [edit, { until }] of this.#byEdit)
      if (until <= generation) changed = this.#byEdit.delete(edit) || changed;
    if (changed) this.#rebuild();
  }

  #rebuild(): void {
    this.#shown.clear();
    for (const one of this.#byEdit.values()) for (const key of one.cells.keys()) this.#shown.set(key, one);
  }
}

/**
 * Returns the text to display for an unconfirmed input. A formula is displayed as an ellipsis while the server computes
 * it, and as its own text while the server is unreachable. A leading apostrophe, which marks the input as text, is
 * omitted.
 */
export function provisionalText(input: string, isAway: boolean): string {
  if (input.startsWith('=') && !isAway) return '…';
  return input.startsWith("'") ? input.slice(1) : input;
}
