import { groupConsecutive } from '../cells/rects.ts';
import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { invalid, overLimit } from '../errors.ts';
import { flag, integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { resolveAddress, type SheetRange } from '../calls/address.ts';
import { dryRunSteps } from '../calls/dry-run-steps.ts';
import { writeTool, type WritePlan, type ToolCall, type WriteValues } from '../calls/tool.ts';
import { GridWriter } from '../cells/grid-writer.ts';
import { defaultLocale } from '../cells/locale.ts';
import { regionOf, sortOrder, type SheetDocument } from '@sheaf/engine/internal/document';
import { cellName, columnName, maxCols, rectName, type Rect } from '@sheaf/engine';
import { deleteDimension, deleteRange, permuteRows, setStyle, type Mutation } from '@sheaf/engine/internal/mutations';
import { normalizeArgb } from '../styles/colors.ts';
import { updateFiltersAfterSort } from '../objects/filters.ts';
import { parseConditionText, withQueryFailures } from '../query/run-query-text.ts';
import { findColumn, filterRows } from '../query/filter-rows.ts';
import type { SheetTable } from '../query/row-sources.ts';
import { resolveTable } from '../query/name-resolution.ts';
import { readGrid } from '../reading/read-grid.ts';
import { findTotalsRow } from '../reading/totals-row.ts';
import {
  addressField,
  defaultSheetField,
  rowsOutput,
  toRegionInput,
  charactersPerToken,
  changedCellsTokens,
  changedCellsOutput,
} from '../schema.ts';
import { copy_range } from './copy_range.ts';

const shownTokens = 300;

const input = {
  range: addressField('The table: a range with its headings, or a sub-sheet.').optional(),
  ...defaultSheetField,
  where: text('Condition on headings or column letters. Default: all rows.', {
    min: 1,
    max: 5000,
  }).optional(),
  action: oneOf('What to do.', ['find', 'delete', 'move', 'mark', 'sort']),
  set: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .meta({ description: 'For mark: headings or letters, and values; a new heading adds a column.' })
    .optional(),
  color: text('For mark: RRGGBB.', { max: 9 }).optional(),
  to: addressField('For move: sub-sheet to append to, or first cell.').optional(),
  sort_by: list(
    'For sort, first key first.',
    z.object({
      column: text('Heading or letter.', { min: 1, max: 300 }),
      descending: flag('Whether the largest comes first.').optional(),
    }),
    { max: 64 },
  )
    .meta({ 'x-listed': 'array', description: 'For sort, first key first: {"column":"Price","descending":true}.' })
    .optional(),
};

type Input = WriteValues<typeof input>;

export const edit_rows = writeTool({
  name: 'edit_rows',
  summary:
    'Finds, deletes, moves, marks or sorts rows of a table by a condition.\n' +
    'Example: {"range":"Sales","where":"score <= 90 and state = \\"done\\"","action":"delete"}',
  effect: 'destroy',
  input,
  output: {
    matched: integer('Number of rows for which the condition holds.'),
    rows: rowsOutput.optional(),
    notes: list('Remarks: rows that were colored, totals left in place.', text('A note.')).optional(),
    ...changedCellsOutput,
  },
  plan(document, given, call) {
    const table = tableFor(document, given);
    const condition = given.where === undefined ? undefined : parseConditionText(given.where, 'where');
    const found = withQueryFailures(given.where ?? '', 'where', () => filterRows(document, table, condition));
    // Leave the totals row in place: sorting would move it among the rows that it sums up.
    const totals = given.action === 'sort' ? findTotalsRow(document, table.sub, table.rect) : undefined;
    const rows = totals === undefined ? found : found.filter((row) => row !== totals);
    const notes = rows.length < found.length ? [`row ${totals! + 1} holds totals and was left in place`] : [];
    const plan = planOf({ document, table, rows, given }, call);
    const shown = given.action === 'find' ? { rows: gridRows(document, table, rows) } : {};
    if (given.action === 'mark' && given.color !== undefined && rows.length > 0)
      notes.push(`colored ${rowNames(table, rows)}`);
    return {
      ...plan,
      data: { matched: rows.length, ...shown, ...(notes.length > 0 ? { notes } : {}) },
      report: { tokens: changedCellsTokens, sheet: table.sub.id },
    };
  },
});

function tableFor(document: SheetDocument, given: Input): SheetTable {
  const sheets = document.subSheets.filter((one) => one.type === 'worksheet');
  const address = given.range ?? given.sheet_id ?? (sheets.length === 1 ? sheets[0]!.name : undefined);
  if (address === undefined)
    throw invalid(`range: name the table or its sub-sheet; there are ${sheets.map(({ name }) => name).join(', ')}`);
  const named = document.find(address)?.name ?? address;
  return resolveTable(document, { address: named, alias: undefined }, { sheet: given.sheet_id, isWrite: true });
}

/**
 * The input of a call to edit_rows (`given`), with the table that it names and the indexes of the table rows that match
 * its condition.
 */
interface RowEdit {
  readonly document: SheetDocument;
  readonly table: SheetTable;
  readonly rows: readonly number[];
  readonly given: Input;
}

function planOf(edit: RowEdit, call: ToolCall): WritePlan<Record<string, unknown>> {
  const { given, rows } = edit;
  refuseIncomplete(given);
  if (given.action === 'find' || rows.length === 0) return { mutations: [] };
  if (given.action === 'move') return { mutations: planMove(edit, call), checked: true };
  return { mutations: { delete: planDelete, mark: planMark, sort: planSort }[given.action](edit) };
}

/** Throws if a field that the action requires is missing, even if no row matches. */
function refuseIncomplete({ action, set, color, sort_by, to }: Input): void {
  if (action === 'mark' && set === undefined && color === undefined) throw invalid('set: mark needs set or color');
  if (action === 'sort' && !sort_by?.length) throw invalid('sort_by: is required for sort');
  if (action === 'move' && to === undefined) throw invalid('to: is required for move');
}

/**
 * Returns the index of the column with this heading or letter; undefined if there is none. Throws an error that names
 * `field` if the heading is ambiguous.
 */
function columnFor(document: SheetDocument, table: SheetTable, name: string, field: string): number | undefined {
  return withQueryFailures(name, field, () => findColumn(document, table, name));
}

/**
 * Throws if a column is to be added to the table, but the column next to the table already has content. That content
 * does not belong to the table.
 */
function refuseFilled({ sub, rect }: SheetTable, col: number, name: string): void {
  let filled: number | undefined;
  sub.sheet.eachFilled(Math.max(0, rect.top - 1), col, rect.bottom, col, (_, r) => {
    filled = Math.max(0, rect.top - 1) + r;
    return false;
  });
  if (filled !== undefined)
    throw fail(
      'conflict',
      `set.${name}: the new column would be ${columnName(col)}, where ${cellName(filled, col)} is filled; ` +
        'name a column of the table, or a range that includes it',
    );
}

function gridRows(
  document: SheetDocument,
  { sub, rect }: SheetTable,
  rows: readonly number[],
): Record<string, (string | number | boolean)[]> {
  const options = { tokens: shownTokens, locale: defaultLocale };
  const shown: Record<string, (string | number | boolean)[]> = {};
  let left = shownTokens * charactersPerToken;
  for (const row of rows) {
    const one = readGrid(document, sub, { ...rect, top: row, bottom: row }, options).rows;
    left -= JSON.stringify(one).length;
    if (left < 0) break;
    Object.assign(shown, one);
  }
  return shown;
}

const maxNamedRanges = 10;

/**
 * Returns the cells of the rows as ranges, such as `A2:C3, A7:C7`. Lists the first ten ranges, followed by the number
 * of further ones.
 */
function rowNames({ rect }: SheetTable, rows: readonly number[]): string {
  const ranges = groupConsecutive(rows).map(([top, bottom]) => rectName({ ...rect, top, bottom }));
  const more = ranges.length > maxNamedRanges ? ` and ${ranges.length - maxNamedRanges} more ranges` : '';
  return ranges.slice(0, maxNamedRanges).join(', ') + more;
}

/**
 * Deletes whole rows if all used cells of the sub-sheet are in the table's columns; otherwise only the table's cells.
 * Deletes from the bottom up, so that the remaining row numbers stay valid.
 */
function planDelete({ document, table: { sub, rect }, rows }: RowEdit): Mutation[] {
  const used = document.usedRange(sub);
  const isAlone = !used || (used.left >= rect.left && used.right <= rect.right);
  return groupConsecutive(rows)
    .toReversed()
    .map(([top, bottom]) =>
      isAlone
        ? deleteDimension.of({ sheet: sub.id, axis: 'row', at: top, count: bottom - top + 1 })
        : deleteRange.of({ sheet: sub.id, region: regionOf({ ...rect, top, bottom }), axis: 'row' }),
    );
}

function planMark({ document, table, rows, given }: RowEdit): Mutation[] {
  const { sub, rect } = table;
  const writer = new GridWriter(document, sub, defaultLocale);
  let next = rect.right + 1;
  for (const [name, value] of Object.entries(given.set ?? {})) {
    const col = columnFor(document, table, name, `set.${name}`) ?? next++;
    if (col >= maxCols) throw overLimit(`set.${name}: there is no column past ${columnName(maxCols - 1)}`);
    if (col > rect.right) refuseFilled(table, col, name);
    if (col > rect.right && rect.top > 0) writer.put(rect.top - 1, col, name);
    for (const row of rows) writer.put(row, col, value);
  }
  const color = given.color === undefined ? undefined : normalizeArgb('color', given.color);
  const looks =
    color === undefined
      ? []
      : groupConsecutive(rows).map(([top, bottom]) =>
          setStyle.of({ sheet: sub.id, region: regionOf({ ...rect, top, bottom }), set: { bgColor: color } }),
        );
  return [...writer.mutations(), ...looks];
}

/**
 * Sorts the matching rows. They are placed at the positions that matching rows had before; other rows stay in place.
 */
function planSort({ document, table, rows, given }: RowEdit): Mutation[] {
  const { sub } = table;
  const bottom = Math.min(table.rect.bottom, sub.rows - 1);
  const rect: Rect = { ...table.rect, bottom };
  const keys = (given.sort_by ?? []).map(({ column, descending }, index) => {
    const field = `sort_by[${index}].column`;
    const col = columnFor(document, table, column, field);
    if (col === undefined) throw invalid(`${field}: there is no column ${JSON.stringify(column)}`);
    return { col, descending: descending === true };
  });
  const merged = sub.merges.meeting(rect)[0];
  if (merged)
    throw fail('conflict', `range: the table contains merged cells in row ${merged.top + 1}; unmerge them first`);
  const chosen = new Set(rows.map((row) => row - rect.top));
  const places = [...chosen].sort((a, b) => a - b);
  const order = Array.from({ length: bottom - rect.top + 1 }, (_, at) => at);
  sortOrder(sub, rect, keys)
    .filter((at) => chosen.has(at))
    .forEach((from, index) => (order[places[index]!] = from));
  if (order.every((from, to) => from === to)) return [];
  return [
    permuteRows.of({ sheet: sub.id, region: regionOf(rect), order }),
    ...updateFiltersAfterSort(document, sub, rect, order),
  ];
}

/** Copies the matching rows in order to the target on another sub-sheet, and deletes the originals. */
function planMove(edit: RowEdit, call: ToolCall): Mutation[] {
  const { document, table, rows, given } = edit;
  const target = resolveTarget(document, given.to!);
  const { sub, rect } = table;
  if (target.sub === sub) throw invalid('to: must be on another sub-sheet');
  const { work } = copy_range;
  if (work.kind !== 'write') throw new Error('copy_range writes');
  let at = target.rect.top;
  const steps: (() => readonly Mutation[])[] = groupConsecutive(rows).map(([top, bottom]) => () => {
    const height = bottom - top + 1;
    const region = (one: Rect) => toRegionInput(regionOf(one));
    const to = {
      top: at,
      left: target.rect.left,
      bottom: at + height - 1,
      right: target.rect.left + rect.right - rect.left,
    };
    at += height;
    const copying = {
      sheet_id: sub.id,
      source: region({ ...rect, top, bottom }),
      target: region(to),
      target_sheet_id: target.sub.id,
    };
    return work.plan(document, copying as never, call).mutations;
  });
  return dryRunSteps(document, call, [...steps, () => planDelete(edit)]);
}

/**
 * Returns the destination of moved rows: the first free row if `to` is a sub-sheet, otherwise the range that `to`
 * names.
 */
function resolveTarget(document: SheetDocument, to: string): SheetRange {
  const whole = document.byName(to) ?? document.find(to);
  if (!whole) return resolveAddress(document, to, { field: 'to', isWrite: true });
  const used = document.usedRange(whole);
  const top = used ? used.bottom + 1 : 0;
  const left = used ? used.left : 0;
  return { sub: whole, rect: { top, left, bottom: top, right: left } };
}
