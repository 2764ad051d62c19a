import { invalid } from '../errors.ts';
import { meets, rectOf, type Region } from '@sheaf/engine/internal/document';
import { maxCols, maxRows, parseRect, rectName, type Rect } from '@sheaf/engine';
import { lineShiftOf, type LineShift, type Mutation } from '@sheaf/engine/internal/mutations';
import { nearestName } from '../../../kernel/unknown-fields.ts';
import { containsCell } from '../cells/rects.ts';
import { listRevisionCells, writesCellsOnly, type CellChange } from './revision-cells.ts';

/** Cells of one sub-sheet whose history is requested. */
export interface TracedRange {
  readonly sheet: string;
  readonly rect: Rect;
}

interface NamedSheet {
  readonly sheet_id: string;
  readonly sheet_name: string;
}

const address = /^(?:(?:'((?:[^']|'')+)'|([^'!]+))!)?([^!]+)$/s;

/** Parses an address such as `'Q1'!B2:D9`. Needs only the list of sub-sheets, so the document need not be loaded. */
export function parseTracedRange(text: string, sheets: readonly NamedSheet[]): TracedRange {
  const [, quoted, plain, cells = ''] = address.exec(text.trim()) ?? [];
  const rect = parseRect(cells);
  if (!rect)
    throw invalid(`range: must be an address such as B2 or Sheet1!B2:D9 (got ${JSON.stringify(text.slice(0, 60))})`);
  const wanted = quoted?.replaceAll("''", "'") ?? plain;
  if (wanted === undefined && sheets.length > 1)
    throw invalid(
      `range: name the sub-sheet too; there are ${sheets
        .map((one) => one.sheet_name)
        .slice(0, 10)
        .join(', ')}`,
    );
  const found =
    wanted === undefined
      ? sheets[0]
      : (sheets.find((one) => one.sheet_name.toLowerCase() === wanted.toLowerCase()) ??
        sheets.find((one) => one.sheet_id === wanted));
  if (found) return { sheet: found.sheet_id, rect };
  const near = nearestName(
    wanted ?? '',
    sheets.map((one) => one.sheet_name),
  );
  throw invalid(
    `range: there is no sub-sheet ${JSON.stringify((wanted ?? '').slice(0, 60))}${near === undefined ? '' : `; did you mean ${near}?`}`,
  );
}

/** What a revision (a saved edit of the document) did to the cells whose history is traced. */
export interface TracedRevision {
  /** Whether the revision changed the cells whose history is traced. */
  readonly isHit: boolean;
  readonly cells: CellChange[];
  /** Position of the cells before the revision; undefined if the revision inserted them. */
  readonly before: TracedRange | undefined;
}

/**
 * Returns what a revision changed in the traced cells, and the position of these cells before the revision. `mutations`
 * and `inverse` are the revision's logged changes and the changes that undo them, as JSON.
 */
export function traceRevision(
  traced: TracedRange,
  mutations: string,
  inverse: string,
  maxCells: number,
): TracedRevision {
  const list = JSON.parse(mutations) as Mutation[];
  const isIn = ({ sheet_id: sheet, address: cell }: CellChange): boolean => {
    const rect = parseRect(cell)!;
    return sheet === traced.sheet && containsCell(traced.rect, rect.top, rect.left);
  };
  let rect: Rect | undefined = traced.rect;
  let isMoved = false;
  for (const one of list.toReversed()) {
    const shift = lineShiftOf(one);
    if (shift?.sheet !== traced.sheet || !rect) continue;
    const before: Rect | undefined = beforeShift(rect, shift);
    isMoved ||= before === undefined || rectName(before) !== rectName(rect);
    rect = before;
  }
  const isOnSheet = list.some(({ data }) => (data as { sheet?: string }).sheet === traced.sheet);
  // Do not list single cells if the revision moves the traced rows or columns, because old and new addresses then name
  // different cells. A revision of other sub-sheets changes none of the traced cells.
  const cells = isMoved || !isOnSheet ? [] : listRevisionCells(mutations, inverse, Infinity).filter(isIn);
  const isOther = list.some((one) => !writesCellsOnly(one) && touchesRect(one, traced));
  return {
    isHit: isMoved || cells.length > 0 || isOther,
    cells: cells.slice(0, maxCells),
    before: rect && { ...traced, rect },
  };
}

/**
 * Returns whether the region of a mutation intersects the traced cells. Used for mutations that do not only write
 * cells, such as those that change formats.
 */
function touchesRect({ data }: Mutation, { sheet, rect }: TracedRange): boolean {
  const { sheet: own, region } = data as { sheet?: string; region?: Region };
  return own === sheet && Array.isArray(region) && meets(rectOf(region), rect);
}

/** Returns whether a range from the revision log, in the form `<sheet_id>$A1:B2`, intersects the traced cells. */
export function meetsLoggedRange({ sheet, rect }: TracedRange, range: string | undefined): boolean {
  const mark = range?.indexOf('$') ?? -1;
  if (range === undefined || range.slice(0, mark) !== sheet) return false;
  const logged = parseRect(range.slice(mark + 1));
  return logged !== undefined && meets(logged, rect);
}

/**
 * Returns the position that cells had before rows or columns were inserted, deleted or moved. Returns undefined if the
 * cells themselves were inserted.
 */
function beforeShift(rect: Rect, { axis, at, count, to }: LineShift): Rect | undefined {
  const [first, last] = axis === 'row' ? [rect.top, rect.bottom] : [rect.left, rect.right];
  const limit = axis === 'row' ? maxRows - 1 : maxCols - 1;
  let [start, end] = [first, last];
  if (to !== undefined) {
    const ends = [first, last].map((line) => beforeMove(line, at, count, to));
    [start, end] = [Math.min(...ends), Math.max(...ends)];
  } else if (count > 0) {
    start = first >= at + count ? first - count : Math.min(first, at);
    end = last >= at + count ? last - count : Math.min(last, at - 1);
  } else {
    start = first >= at ? first - count : first;
    end = last >= at ? last - count : last;
  }
  if (end < start) return undefined;
  end = Math.min(end, limit);
  return axis === 'row' ? { ...rect, top: start, bottom: end } : { ...rect, left: start, right: end };
}

function beforeMove(line: number, at: number, count: number, to: number): number {
  const start = to > at ? to - count : to;
  if (line >= start && line < start + count) return at + line - start;
  const rest = line < start ? line : line - count;
  return rest < at ? rest : rest + count;
}

const cursorForm = /^(\d{1,15})(?::([^:]{1,64}):([A-Z0-9:]{1,30}))?$/;

export interface HistoryCursor {
  readonly before: number;
  /**
   * Address, before the version `before`, of the range whose history is listed. Undefined if the cursor contains none,
   * as for the first page.
   */
  readonly traced: TracedRange | undefined;
}

/**
 * Parses the cursor of a page of a document's or range's history. It contains the last version that was searched and,
 * for a range, the range's address before that version. An empty cursor selects the first page.
 */
export function parseHistoryCursor(given: string): HistoryCursor {
  if (given === '') return { before: Number.MAX_SAFE_INTEGER, traced: undefined };
  const [, version, sheet, cells] = cursorForm.exec(given) ?? [];
  const rect = cells === undefined ? undefined : parseRect(cells);
  if (version === undefined || (cells !== undefined && !rect))
    throw invalid(`cursor: must be a next_cursor from a previous page (got ${JSON.stringify(given.slice(0, 60))})`);
  return { before: Number(version), traced: rect && { sheet: sheet!, rect } };
}

export function formatHistoryCursor(version: number, traced: TracedRange | undefined): string {
  return traced ? `${version}:${traced.sheet}:${rectName(traced.rect)}` : String(version);
}
