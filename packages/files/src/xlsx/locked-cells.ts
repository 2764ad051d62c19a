import { type Protection, Runs } from '@sheaf/engine/internal/document';
import type { CellFormat } from './read-styles.ts';
import { overlayRuns, RunBuilder } from './run-builder.ts';
import { regionsOfSpans } from './sheet-ranges.ts';

const maxRanges = 1000;
const open = 1;
const locked = 2;

/**
 * Collects the locked cells of a protected sheet. In files every cell is locked unless its style unlocks it; documents
 * store the protected ranges.
 */
export class LockedCells {
  readonly #looks: readonly CellFormat[];
  /**
   * Columns whose default format leaves their cells unlocked, that is, editable in a protected sheet. `#rows` and
   * `#cells` hold whether rows and cells with a format of their own are locked.
   */
  readonly #openColumns = new Runs();
  readonly #rows = new RunBuilder();
  readonly #cells = new Map<number, RunBuilder>();
  #hasOpenCells = false;

  constructor(looks: readonly CellFormat[]) {
    this.#looks = looks;
  }

  column(first: number, last: number, look: number): void {
    if (this.#looks[look]?.locked === false) this.#openColumns.set(first, last, 1);
  }

  row(row: number, look: number): void {
    this.#rows.add(row, this.#lockOf(look));
  }

  cell(row: number, col: number, look: number): void {
    const lock = this.#lockOf(look);
    if (this.#openColumns.get(col) === 0) return;
    const cells = this.#cells.get(col) ?? new RunBuilder();
    this.#cells.set(col, cells);
    cells.add(row, lock);
  }

  #lockOf(look: number): number {
    if (this.#looks[look]?.locked !== false) return locked;
    this.#hasOpenCells = true;
    return open;
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
    const lockedRows = this.#rows.list();
    const spansOf = (col: number): readonly (readonly [first: number, last: number, lock: number])[] =>
      this.#openColumns.get(col) === 0
        ? [[0, rows - 1, locked]]
        : overlayRuns(lockedRows, this.#cells.get(col)?.list() ?? []);
    const regions = regionsOfSpans(cols, (col) => joinedSpans(spansOf(col)), maxRanges);
    if (!regions) {
      warnings.add(`a sheet protects more than ${maxRanges} ranges; all of it is protected now`);
      return whole();
    }
    return regions.map((region) => ({ id: newId('protect'), owner, region }));
  }
}

/** Returns the spans of rows that are locked, with adjacent spans joined. */
function joinedSpans(spans: readonly (readonly [first: number, last: number, lock: number])[]): [number, number][] {
  const joined: [number, number][] = [];
  for (const [first, last, lock] of spans) {
    if (lock !== locked) continue;
    const before = joined.at(-1);
    if (before && before[1] === first - 1) before[1] = last;
    else joined.push([first, last]);
  }
  return joined;
}
