import { maxCols } from '@sheaf/engine/grid-size';

interface OptimisticEdit {
  /** The entered texts by cell key (row * maxCols + column). */
  readonly cells: ReadonlyMap<number, string>;
  /**
   * Generation (change counter) of the grid model. Cells loaded for this generation include the edit, which is
   * displayed until then. Infinity until the server confirms the edit.
   */
  until: number;
}

/** Unconfirmed edits, displayed instead of the server's cells. If a cell has several edits, the newest is displayed. */
export class OptimisticCells {
  readonly #byEdit = new Map<string, OptimisticEdit>();
  readonly #shown = new Map<number, OptimisticEdit>();

  get isEmpty(): boolean {
    return this.#shown.size === 0;
  }

  /** Returns the unconfirmed text of a cell, or undefined if it has none. */
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
   * Removes the confirmed edits that the newly loaded cells include, which are those with an `until` of at most
   * `generation`. Both are values of the grid model's change counter.
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
 * it, and as its own text while the server is unreachable.
 */
export function provisionalText(input: string, isAway: boolean): string {
  if (input.startsWith('=') && !isAway) return '…';
  return input.startsWith("'") ? input.slice(1) : input;
}
