import { maxCols } from '@sheaf/engine/grid-size';

interface Expectation {
  /** As they were typed. */
  readonly cells: ReadonlyMap<number, string>;
  /** The state of the model from which on the server's own cells are shown. */
  until: number;
}

/** Typed and not confirmed: shown in place of what the server says, the newest on top. */
export class ExpectedCells {
  readonly #byEdit = new Map<string, Expectation>();
  readonly #shown = new Map<number, Expectation>();

  get isEmpty(): boolean {
    return this.#shown.size === 0;
  }

  /** What was typed into a cell. */
  at(row: number, col: number): string | undefined {
    const key = row * maxCols + col;
    return this.#shown.get(key)?.cells.get(key);
  }

  /** Typed, and not confirmed by the server. */
  isWaiting(row: number, col: number): boolean {
    return this.#shown.get(row * maxCols + col)?.until === Infinity;
  }

  add(edit: string, cells: readonly { readonly row: number; readonly col: number; readonly input: string }[]): void {
    if (this.#byEdit.has(edit) || cells.length === 0) return;
    const mine = new Map(cells.map(({ row, col, input }) => [row * maxCols + col, input]));
    const made = { cells: mine, until: Infinity };
    this.#byEdit.set(edit, made);
    for (const key of mine.keys()) this.#shown.set(key, made);
  }

  /** The server has it: it is shown until the cells were read in that state of the model. */
  confirm(edit: string, generation: number): void {
    const found = this.#byEdit.get(edit);
    if (found) found.until = generation;
  }

  /** It will never come about; what was typed before it shows again. */
  drop(edit: string): void {
    if (this.#byEdit.delete(edit)) this.#rebuild();
  }

  /** Cells were read in a state of the model. */
  read(generation: number): void {
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

/** A guess at how a typed text will show until the server says. What a formula comes to is worth a wait, but no long one. */
export function shownAs(input: string, isAway: boolean): string {
  if (input.startsWith('=') && !isAway) return '…';
  return input.startsWith("'") ? input.slice(1) : input;
}
