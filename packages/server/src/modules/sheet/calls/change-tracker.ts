import { charactersPerToken } from '../schema.ts';
import type { ChangedSpan, SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { CellError, cellName, columnName, rectName, type Rect } from '@sheaf/engine';
import { lineShiftOf, touches, type Mutation } from '@sheaf/engine/internal/mutations';
import { joinDown, mergeColumnRuns, type ColumnRun } from '../reading/column-runs.ts';
import { ErrorList } from '../reading/explain-error.ts';
import { shorten } from '../reading/shorten.ts';
import { formatSheetPrefix } from './address.ts';

/**
 * Maximum number of old cell values that are saved per call to find out which cells it changes. Counts the cells that
 * the call writes together with those whose formulas are recalculated.
 */
const maxSavedCells = 200_000;
/**
 * Maximum number of mutations examined per call. Few calls reach it, because even a write of many scattered cells is
 * only one mutation.
 */
const maxMutations = 10_000;
const maxShownText = 60;
const maxErrors = 20;

interface ChangedCell {
  readonly sub: SubSheet;
  readonly row: number;
  readonly col: number;
}

/** Values of consecutive rows in one column before the edit, with the type of each value. The first row is `top`. */
interface Slice {
  readonly top: number;
  readonly tags: Uint8Array;
  readonly nums: Float64Array;
}

/** Saves old cell values before an edit, and finds afterwards which cells the edit changed. */
export class ChangeTracker {
  readonly #document: SheetDocument;
  readonly #slices = new Map<string, Map<number, Slice[]>>();
  readonly #written: { readonly sheet: string; readonly rect: Rect }[] = [];
  /**
   * True if the edit inserts, deletes or moves rows or columns. The old and the new value at an address may then belong
   * to different cells, so they cannot be compared.
   */
  readonly #isShifted: boolean;
  #savedCells = 0;
  #isPartial = false;

  constructor(document: SheetDocument, mutations: readonly Mutation[]) {
    this.#document = document;
    this.#isShifted = mutations.some((one) => lineShiftOf(one) !== undefined);
    if (mutations.length > maxMutations) this.#isPartial = true;
    for (const mutation of mutations.slice(0, maxMutations)) {
      if (lineShiftOf(mutation)) continue;
      for (const { sheet, rect } of touches(document, mutation))
        if (sheet !== undefined && rect) this.#addWritten(sheet, rect);
    }
    for (const { sheet, rect } of this.#written) {
      const sub = document.find(sheet);
      if (sub) this.#capture(sub, rect);
    }
    if (this.#isShifted) return;
    document.workbook.graph.flush();
    document.workbook.graph.eachGroup((group) => {
      const sub = document.numbered(group.sheet.id);
      if (sub) this.#capture(sub, { top: group.top, bottom: group.bottom, left: group.col, right: group.col });
    });
  }

  /**
   * Adds a range that the edit writes. Joins it to the previous range if that range ends directly above, because a
   * filled column arrives as one range per formula.
   */
  #addWritten(sheet: string, rect: Rect): void {
    const last = this.#written.at(-1);
    const isBelow =
      last?.sheet === sheet &&
      last.rect.left === rect.left &&
      last.rect.right === rect.right &&
      last.rect.bottom + 1 === rect.top;
    if (isBelow) this.#written[this.#written.length - 1] = { sheet, rect: { ...last.rect, bottom: rect.bottom } };
    else this.#written.push({ sheet, rect });
  }

  #capture(sub: SubSheet, rect: Rect): void {
    const { cells, lastRow, lastCol } = sub.sheet;
    const bottom = Math.min(rect.bottom, Math.max(lastRow, rect.top));
    const right = Math.min(rect.right, Math.max(lastCol, rect.left));
    for (let col = rect.left; col <= right; col++) {
      const count = bottom - rect.top + 1;
      if (this.#savedCells + count > maxSavedCells) {
        this.#isPartial = true;
        return;
      }
      this.#savedCells += count;
      const slice: Slice = { top: rect.top, tags: new Uint8Array(count), nums: new Float64Array(count) };
      cells.eachPiece(col, rect.top, bottom, (chunk, from, to, start) => {
        slice.tags.set(chunk.tags.subarray(from, to + 1), start + from - rect.top);
        slice.nums.set(chunk.nums.subarray(from, to + 1), start + from - rect.top);
      });
      const columns = this.#slices.get(sub.id) ?? new Map<number, Slice[]>();
      this.#slices.set(sub.id, columns);
      const list = columns.get(col);
      if (list) list.push(slice);
      else columns.set(col, [slice]);
    }
  }

  /**
   * Returns the cells whose value changed, sorted by sub-sheet, row and column. `computed` contains the recalculated
   * cells. `isPartial` is true if there were too many cells to examine all.
   */
  changedCells(computed: readonly ChangedSpan[]): { cells: ChangedCell[]; count: number; isPartial: boolean } {
    const found = new Map<string, ChangedCell>();
    const look = (sheet: string, rect: Rect): void => {
      const sub = this.#document.find(sheet);
      if (!sub) return;
      const bottom = Math.min(rect.bottom, rect.top + maxSavedCells);
      const right = Math.min(rect.right, Math.max(rect.left, sub.sheet.lastCol));
      for (let col = rect.left; col <= right; col++) {
        for (let row = rect.top; row <= bottom && found.size < maxSavedCells; row++) {
          if (!this.#isSame(sub, row, col)) found.set(`${sheet} ${row} ${col}`, { sub, row, col });
        }
      }
    };
    for (const { sheet, rect } of this.#written) {
      const last = this.#document.find(sheet)?.sheet.lastRow ?? -1;
      const kept =
        this.#slices
          .get(sheet)
          ?.get(rect.left)
          ?.reduce((most, one) => Math.max(most, one.top + one.tags.length - 1), -1) ?? -1;
      look(sheet, { ...rect, bottom: Math.min(rect.bottom, Math.max(last, kept)) });
    }
    for (const { sheet, col, top, bottom } of computed) look(sheet, { top, bottom, left: col, right: col });
    const order = new Map(this.#document.subSheets.map((one, index) => [one, index]));
    const cells = [...found.values()].sort(
      (a, b) => order.get(a.sub)! - order.get(b.sub)! || a.row - b.row || a.col - b.col,
    );
    return { cells, count: cells.length, isPartial: this.#isPartial || found.size >= maxSavedCells };
  }

  /** Returns whether the cell's saved old value equals its current value; false if no old value was saved. */
  #isSame(sub: SubSheet, row: number, col: number): boolean {
    if (this.#isShifted) return false;
    const slice = this.#slices
      .get(sub.id)
      ?.get(col)
      ?.find((one) => row >= one.top && row < one.top + one.tags.length);
    if (!slice) return false;
    const band = sub.sheet.cells.bandAt(row);
    const chunk = band?.chunks[col];
    const index = row - (band?.start ?? 0);
    const tag = chunk?.tags[index] ?? 0;
    const at = row - slice.top;
    return tag === slice.tags[at] && (tag === 0 || chunk!.nums[index] === slice.nums[at]);
  }
}

const maxShifts = 10;

/**
 * Describes the rows and columns that the mutations insert, delete or move. Does not list the cells that only shift
 * because of this.
 */
export function describeShifts(document: SheetDocument, mutations: readonly Mutation[]): { shifted?: string[] } {
  const shifts = mutations.flatMap((one) => lineShiftOf(one) ?? []);
  if (shifts.length === 0) return {};
  const told = shifts.slice(0, maxShifts).map(({ sheet, axis, at, count, to }) => {
    const size = Math.abs(count);
    const name = (index: number): string => (axis === 'row' ? String(index + 1) : columnName(index));
    const lines = `${axis === 'row' ? 'rows' : 'columns'} ${name(at)}:${name(at + size - 1)}`;
    const sub = document.find(sheet);
    const what = to === undefined ? (count > 0 ? 'inserted' : 'deleted') : `moved before ${name(to)}`;
    return `${sub ? formatSheetPrefix(sub) : ''}${lines} ${what}`;
  });
  return { shifted: shifts.length > maxShifts ? [...told, `and ${shifts.length - maxShifts} more`] : told };
}

/**
 * Formats the first `most` changed cells for answers that list the changes of a write, and the errors in changed cells.
 */
export function formatChangeList(
  document: SheetDocument,
  { cells, count }: ReturnType<ChangeTracker['changedCells']>,
  most: number,
): Record<string, unknown> {
  return {
    changes: cells.slice(0, most).map(({ sub, row, col }) => {
      const value = document.value(sub, row, col);
      return {
        sheet_id: sub.id,
        row,
        col,
        value: value instanceof CellError ? value.text : value,
        address: cellName(row, col),
        text: document.text(sub, row, col),
      };
    }),
    changed_count: count,
    ...errorsOf(document, cells, undefined),
  };
}

/**
 * Maximum number of changed cells that are formatted from the start of the list of changes. If the list is longer, only
 * these cells and the last `maxLastCells` cells are formatted, to bound the cost.
 */
const maxFirstCells = 10_000;
const maxLastCells = 200;
/**
 * Share of an answer's token limit that is used for the first changes if not all fit. The rest is used for the last
 * changes.
 */
const firstShare = 0.75;

/**
 * Formats changed cells as addresses with displayed values, in at most `tokens` tokens of a language model. Adjacent
 * cells with the same text become one range. If not all cells fit, only the first and last ones are listed. Addresses
 * of cells on the sub-sheet `home` omit its name.
 */
export function formatChangesWithinTokens(
  document: SheetDocument,
  { cells, count, isPartial }: ReturnType<ChangeTracker['changedCells']>,
  tokens: number,
  home: string | undefined,
): Record<string, unknown> {
  const isWhole = cells.length <= maxFirstCells + maxLastCells;
  const first = groupEqualCells(document, isWhole ? cells : cells.slice(0, maxFirstCells), home);
  const last = isWhole ? first : groupEqualCells(document, cells.slice(-maxLastCells), home);
  const most = tokens * charactersPerToken;
  const changed = isWhole ? takeWithin(first, most) : undefined;
  return {
    changed: Object.fromEntries(
      changed && changed.length === first.length
        ? changed
        : joinEnds(takeWithin(first, most * firstShare), takeWithin(last.toReversed(), most * (1 - firstShare))),
    ),
    changed_count: count,
    ...(isPartial ? { more_changed: true } : {}),
    ...errorsOf(document, cells, home),
  };
}

type Entry = readonly [address: string, text: string];

/**
 * Joins the first and the last changed cells, with an entry `…` between them for the omitted ones. `last` is in reverse
 * order. Cells that are in both lists are returned once.
 */
function joinEnds(first: readonly Entry[], last: readonly Entry[]): Entry[] {
  const known = new Set(first.map(([address]) => address));
  return [...first, ['…', 'not all listed'], ...last.toReversed().filter(([address]) => !known.has(address))];
}

/**
 * Returns the first entries whose addresses and texts together fit into the number of characters, but at least one
 * entry.
 */
function takeWithin(entries: readonly Entry[], characters: number): Entry[] {
  const taken: Entry[] = [];
  let left = characters;
  for (const entry of entries) {
    left -= entry[0].length + entry[1].length + 6;
    if (left < 0 && taken.length > 0) break;
    taken.push(entry);
  }
  return taken;
}

/**
 * Groups adjacent cells that show the same text into ranges, ordered by sub-sheet and first cell. Addresses of cells on
 * the sub-sheet `home` omit its name.
 */
function groupEqualCells(document: SheetDocument, cells: readonly ChangedCell[], home: string | undefined): Entry[] {
  const bySheet = new Map<SubSheet, ColumnRun<string>[]>();
  for (const { sub, row, col } of cells) {
    const runs = bySheet.get(sub) ?? [];
    bySheet.set(sub, runs);
    runs.push({ col, top: row, bottom: row, what: shorten(document.text(sub, row, col), maxShownText) });
  }
  return [...bySheet].flatMap(([sub, runs]) => {
    const prefix = sub.id === home ? '' : formatSheetPrefix(sub);
    return mergeColumnRuns(joinDown(runs)).map(({ rect, what }): Entry => [`${prefix}${rectName(rect)}`, what]);
  });
}

function errorsOf(
  document: SheetDocument,
  cells: readonly ChangedCell[],
  home: string | undefined,
): { errors?: Record<string, string>; error_count?: number } {
  const list = new ErrorList(document, maxErrors);
  for (const { sub, row, col } of cells) list.add(sub, row, col, sub.id === home ? '' : formatSheetPrefix(sub));
  return list.count === 0 ? {} : { errors: list.errors, error_count: list.count };
}
