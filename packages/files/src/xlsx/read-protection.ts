import { type Protection, type Region, Runs } from '@sheaf/engine/internal/document';
import type { CellFormat } from './read-styles.ts';

const maxRanges = 1000;

/**
 * Collects the locked cells of a protected sheet. In files every cell is locked unless its style unlocks it; documents
 * store the protected ranges.
 */
export class LockedCells {
  readonly #looks: readonly CellFormat[];
  /** Columns whose style unlocks their cells. */
  readonly #openColumns = new Runs();
  readonly #locked = new Map<number, [first: number, last: number][]>();
  #hasOpenCells = false;

  constructor(looks: readonly CellFormat[]) {
    this.#looks = looks;
  }

  column(first: number, last: number, look: number): void {
    if (this.#looks[look]?.locked === false) this.#openColumns.set(first, last, 1);
  }

  cell(row: number, col: number, look: number): void {
    if (this.#looks[look]?.locked === false) {
      this.#hasOpenCells = true;
      return;
    }
    if (this.#openColumns.get(col) === 0) return;
    const spans = this.#locked.get(col) ?? [];
    if (spans.length === 0) this.#locked.set(col, spans);
    const last = spans.at(-1);
    if (last && last[1] === row - 1) last[1] = row;
    else spans.push([row, row]);
  }

  protections(
    rows: number,
    cols: number,
    owner: string,
    newId: (prefix: string) => string,
    warnings: Set<string>,
  ): Protection[] {
    const whole = (): Protection[] => [{ id: newId('protect'), owner, region: null }];
    if (this.#openColumns.isEmpty) {
      if (this.#hasOpenCells)
        warnings.add('a protected sheet has single cells that are open; all of it is protected now');
      return whole();
    }
    for (let col = 0; col < cols; col++) if (this.#openColumns.get(col) === 0) this.#locked.set(col, [[0, rows - 1]]);
    const regions: [number, number, number, number][] = [];
    let growing: [number, number, number, number][] = [];
    for (const col of [...this.#locked.keys()].sort((a, b) => a - b)) {
      const next: typeof growing = [];
      for (const [top, bottom] of this.#locked.get(col) ?? []) {
        // Extend the range that ends in the previous column if it covers the same rows.
        const before = growing.find((one) => one[0] === top && one[2] === bottom && one[3] === col - 1);
        const region = before ?? [top, col, bottom, col];
        region[3] = col;
        if (!before) regions.push(region);
        next.push(region);
      }
      growing = next;
      if (regions.length > maxRanges) {
        warnings.add(`a sheet protects more than ${maxRanges} ranges; all of it is protected now`);
        return whole();
      }
    }
    return regions.map((region) => ({ id: newId('protect'), owner, region: region as Region }));
  }
}
