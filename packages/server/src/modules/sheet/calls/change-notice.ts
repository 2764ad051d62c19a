import {
  rectOf,
  type ChangedSpan,
  type Region,
  type SheetDocument,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { rectName, type Rect } from '@sheaf/engine';
import {
  addSheet,
  clearContents,
  permuteRows,
  setRangeBlock,
  setValues,
  type Mutation,
} from '@sheaf/engine/internal/mutations';
import { unionRect } from '../cells/rects.ts';
import { findTablesAbove, findTablesLeftOf } from '../objects/tables.ts';
import { ErrorList } from '../reading/explain-error.ts';
import { formatSheetPrefix } from './address.ts';
import { describeShifts } from './change-tracker.ts';

const maxMutations = 100;
const maxParts = 5;
const maxErrors = 3;
/** Maximum number of recalculated cells that are searched for errors. */
const maxSearchedCells = 2000;

/**
 * Describes inserted, deleted, moved or sorted rows, cleared cells, new sub-sheets and cells written next to a table,
 * and errors in the cells that were recalculated. Used for tools whose answers have no field for changes. Returns
 * undefined if there is nothing of this kind.
 */
export function describeChange(
  document: SheetDocument,
  mutations: readonly Mutation[],
  changed: readonly ChangedSpan[],
  version: number,
): string | undefined {
  if (document.subSheets.every(hasNoTable) && mutations.every(isSetValues)) return undefined;
  const parts = [
    ...(describeShifts(document, mutations).shifted ?? []),
    ...mutations.slice(0, maxMutations).flatMap((one) => describeMutation(document, one) ?? noteTables(document, one)),
  ];
  if (parts.length === 0) return undefined;
  const more = parts.length > maxParts ? [`and ${parts.length - maxParts} more`] : [];
  return [...parts.slice(0, maxParts), ...more, ...describeErrors(document, changed), `version ${version}`].join('; ');
}

function hasNoTable({ tables }: SubSheet): boolean {
  return tables.length === 0;
}

/**
 * Returns whether a mutation is of the type `setValues`, which only writes cells, as in nearly every edit. If the
 * document has no tables, an edit of only such mutations needs no description in the answer.
 */
function isSetValues({ type }: Mutation): boolean {
  return type === setValues.type;
}

function describeMutation(document: SheetDocument, { type, data }: Mutation): string | undefined {
  const { sheet, region, order, name } = data as { sheet: string; region: Region; order: number[]; name: string };
  const sub = document.find(sheet);
  if (!sub) return undefined;
  if (type === addSheet.type) return `new sub-sheet ${name} with sheet_id ${sheet}`;
  const range = (): string => `${formatSheetPrefix(sub)}${rectName(rectOf(region))}`;
  if (type === permuteRows.type)
    return `sorted ${range()}, ${order.filter((from, to) => from !== to).length} rows moved`;
  return type === clearContents.type ? `cleared ${range()}` : undefined;
}

interface WrittenCells {
  readonly sheet: string;
  readonly row: number;
  readonly col: number;
  readonly rows: readonly (readonly unknown[])[];
  readonly values?: readonly (readonly [row: number, col: number, list: readonly unknown[]])[];
  readonly formulas?: readonly (readonly [row: number, col: number, count: number])[];
}

/**
 * Returns remarks about tables that end directly above the written cells or directly to the left of them. Users may
 * expect the write to extend such a table, but it does not.
 */
function noteTables(document: SheetDocument, { type, data }: Mutation): string[] {
  const cells = data as WrittenCells;
  const isWrite = type === setValues.type || type === setRangeBlock.type;
  const sub = isWrite ? document.find(cells.sheet) : undefined;
  if (!sub || sub.tables.length === 0) return [];
  const written = type === setRangeBlock.type ? blockRect(cells) : runsRect(cells);
  if (!written) return [];
  const told = (where: string) => (name: string) => `${rectName(written)} is ${where} table ${name}, not in it`;
  return [
    ...findTablesLeftOf(sub, written).map(({ name }) => told('beside')(name)),
    ...findTablesAbove(sub, written, []).map(({ name }) => told('below')(name)),
  ];
}

function blockRect({ row, col, rows }: WrittenCells): Rect {
  const width = rows.reduce((most, line) => Math.max(most, line.length), 1);
  return { top: row, left: col, bottom: row + rows.length - 1, right: col + width - 1 };
}

function runsRect({ values = [], formulas = [] }: WrittenCells): Rect | undefined {
  let rect: Rect | undefined;
  for (const [row, col, list] of values)
    rect = unionRect(rect, { top: row, left: col, bottom: row + list.length - 1, right: col });
  for (const [row, col, count] of formulas)
    rect = unionRect(rect, { top: row, left: col, bottom: row + count - 1, right: col });
  return rect;
}

function describeErrors(document: SheetDocument, changed: readonly ChangedSpan[]): string[] {
  const list = new ErrorList(document, maxErrors);
  let left = maxSearchedCells;
  for (const { sheet, col, top, bottom } of changed) {
    const sub = document.find(sheet);
    if (!sub) continue;
    for (let row = top; row <= bottom && left > 0; row++, left--) list.add(sub, row, col, formatSheetPrefix(sub));
  }
  if (list.count === 0) return [];
  const named = Object.entries(list.errors).map(([address, error]) => `${address} ${error}`);
  return [`${list.count} recalculated cells show errors: ${named.join(', ')}`];
}
