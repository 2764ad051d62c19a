import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { invalid, overLimit } from '../errors.ts';
import { flag, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { resolveAddress } from '../calls/address.ts';
import { findSheetContaining } from '../calls/sheet-lookup.ts';
import { type ToolCall, writeTool, type WriteValues } from '../calls/tool.ts';
import {
  capture,
  type Contents,
  type FormulaRun,
  isBlank,
  meets,
  rectOf,
  regionOf,
  type SheetDocument,
  type SubSheet,
  type Table,
  type TableStyle,
  type ValueRun,
} from '@sheaf/engine/internal/document';
import { maxRows, parseCell, type Rect, rectName } from '@sheaf/engine';
import { clearContents, type Mutation, putMark, setValues } from '@sheaf/engine/internal/mutations';
import { requireRangeObject, dropUndefined, refuseTooManyObjects } from '../objects/range-objects.ts';
import {
  tableRangeWithoutTotals,
  findFreeTableName,
  refuseTakenName,
  tableStyleKeys,
  tableStyleOptions,
  assignTableNumber,
} from '../objects/tables.ts';
import { addressField, defaultSheetField } from '../schema.ts';

/** SUBTOTAL function numbers for totals rows. These variants (above 100) skip hidden rows. */
const totalFunctions = {
  sum: 109,
  average: 101,
  count: 103,
  count_numbers: 102,
  max: 104,
  min: 105,
  deviation: 107,
  variance: 110,
} as const;
type TotalFunction = keyof typeof totalFunctions;

const validName = /^[\p{L}_\\][\p{L}\p{N}_.\\]*$/u;
const usualStyle: TableStyle = { name: 'TableStyleMedium2', rowStripes: true };

const input = {
  ...defaultSheetField,
  table_id: text('Table to change; a new one if omitted.', { max: 64 }).optional(),
  name: text('Its name in formulas.', { min: 1, max: 255 }).optional(),
  range: addressField('Headings and data, e.g. Sales!A1:D9.').optional(),
  has_headings: flag('Default: true.').optional(),
  totals: z
    .record(
      z.string().max(1000),
      oneOf('A function.', Object.keys(totalFunctions) as [TotalFunction, ...TotalFunction[]]),
    )
    .meta({
      'x-listed': 'object',
      description: `Totals row, e.g. {"Price":"sum"}: ${Object.keys(totalFunctions).join(', ')}; {} removes it.`,
    })
    .optional(),
  style: text('E.g. TableStyleMedium2.', { max: 255 }).optional(),
  style_parts: list('What the style marks.', oneOf('A part.', tableStyleOptions), { max: 4 }).optional(),
};
type Given = Omit<WriteValues<typeof input>, 'range'> & { readonly rect: Rect | undefined };

export const set_table = writeTool({
  name: 'set_table',
  summary:
    'Makes a range a table, or changes one; formulas read it as Name[Heading], Name[@Heading].\n' +
    'Example: {"range":"A1:C9","name":"Sales","totals":{"Price":"sum"}}',
  input,
  output: { table_id: text('Its id.'), name: text('Its name.') },
  plan(document, { range, ...rest }, call) {
    const place =
      range === undefined ? undefined : resolveAddress(document, range, { sheet: rest.sheet_id, isWrite: true });
    const given = { ...rest, rect: place?.rect };
    const sub =
      place?.sub ??
      findSheetContaining(document, given.sheet_id, ({ tables }) => tables.some(({ id }) => id === given.table_id));
    const before = given.table_id ? requireRangeObject(sub, 'tables', given.table_id, 'table_id') : undefined;
    if (!before) refuseTooManyObjects(sub, 'tables');
    const edit = { document, sub, given, before, body: bodyFor(sub, given, before) };
    const { body } = edit;
    const named = tableFor(edit, call);
    const headings = headingsFor(edit, named);
    const totals = totalsFor(edit, named, headings);
    const table = dropUndefined({
      ...named,
      regions: [regionOf(totals.rect)],
      ...(totals.has ? { totals: true as const } : {}),
    });
    const values = headings.flatMap((name, i): ValueRun[] =>
      name === undefined ? [] : [[body.top, body.left + i, [name]]],
    );
    return {
      mutations: [
        ...totals.before,
        ...(values.length > 0 ? [setValues.of({ sheet: sub.id, values })] : []),
        putMark.of({ sheet: sub.id, list: 'tables', mark: table }),
        ...totals.after,
      ],
      data: { table_id: table.id, name: table.name },
    };
  },
});

type UntotaledTable = Omit<Table, 'totals'>;
type Headings = readonly (string | undefined)[];

/**
 * The table to create or change: `before` is the existing table (undefined to create one), and `given` is the caller's
 * input.
 */
interface TableEdit {
  readonly document: SheetDocument;
  readonly sub: SubSheet;
  readonly given: Given;
  readonly before: Table | undefined;
  /** Range of headings and data, without the totals row. */
  readonly body: Rect;
}

/** Returns the range of headings and data, without the totals row. Throws if a table cannot occupy that range. */
function bodyFor(sub: SubSheet, given: Given, before: Table | undefined): Rect {
  if (!given.rect && !before) throw invalid('range: is required without table_id');
  const rect = given.rect ?? tableRangeWithoutTotals(before!);
  const hasHeadings = given.has_headings ?? before?.headings !== false;
  if (hasHeadings && rect.top === rect.bottom)
    throw invalid(`range: must have a row below the headings (got ${rectName(rect)})`);
  const [merged] = sub.merges.meeting(rect);
  if (merged) throw fail('conflict', `range: contains merged cells in ${rectName(merged)}; unmerge them first`);
  if (before && !meets(rect, tableRangeWithoutTotals(before)))
    throw invalid(`range: must overlap ${rectName(tableRangeWithoutTotals(before))}, where the table is`);
  refuseOverlap(sub, rect, before, 'range');
  return rect;
}

function refuseOverlap(sub: SubSheet, rect: Rect, before: Table | undefined, field: string): void {
  const other = sub.tables.find((one) => one.id !== before?.id && meets(rectOf(one.regions[0]!), rect));
  if (other)
    throw fail(
      'conflict',
      `${field}: ${rectName(rect)} overlaps the table ${other.name} in ${rectName(rectOf(other.regions[0]!))}`,
    );
}

/** Returns the table that the call creates or changes, without its totals row, which is added afterwards. */
function tableFor({ document, given, before, body }: TableEdit, call: ToolCall): UntotaledTable {
  const { name } = given;
  if (name !== undefined) {
    if (!validName.test(name) || parseCell(name) || /^[rc]$/i.test(name))
      throw invalid(
        `name: must begin with a letter or _ and contain only letters, digits, . and _ (got ${JSON.stringify(name)})`,
      );
    refuseTakenName(document, name, before);
  }
  const id = before?.id ?? call.newId('table');
  const hasHeadings = given.has_headings ?? before?.headings !== false;
  const shape = before && document.workbook.tables.table(before.number);
  const known = shape ? document.workbook.tables.columnNames(shape) : [];
  const left = before ? before.regions[0]![1] : 0;
  let next = before?.next ?? 1;
  const columns = Array.from({ length: body.right - body.left + 1 }, (_, i) => {
    const place = body.left + i - left;
    const column = before?.columns[place] ?? { number: next++, name: '' };
    return hasHeadings || known[place] === undefined ? column : { ...column, name: known[place] };
  });
  const { totals: _, headings: __, style: ___, ...rest } = before ?? {};
  return {
    ...rest,
    id,
    number: before?.number ?? assignTableNumber(document, id),
    name: name ?? before?.name ?? findFreeTableName(document, 'Table'),
    regions: [regionOf(body)],
    ...(hasHeadings ? {} : { headings: false as const }),
    ...styleFor(given, before),
    columns,
    next,
  };
}

function styleFor(given: Given, before: Table | undefined): { style?: TableStyle } {
  const was = before ? (before.style ?? {}) : usualStyle;
  const name = given.style ?? was.name ?? '';
  const parts = (['first_column', 'last_column', 'row_stripes', 'column_stripes'] as const).filter(
    (part) => given.style_parts?.includes(part) ?? was[tableStyleKeys[part]] === true,
  );
  const style: TableStyle = {
    ...(name === '' ? {} : { name }),
    ...Object.fromEntries(parts.map((part) => [tableStyleKeys[part], true])),
  };
  return Object.keys(style).length > 0 ? { style } : {};
}

/**
 * Returns, for each column, the heading to write because its heading cell is empty or repeats an earlier heading.
 * Returns undefined for a column whose heading cell stays as it is, such as a cell with a formula or an existing
 * heading of the changed table.
 */
function headingsFor({ document, sub, body, before }: TableEdit, table: UntotaledTable): Headings {
  if (table.headings === false) return table.columns.map(() => undefined);
  const taken = new Set<string>();
  const said = table.columns.map((_, i) => {
    const value = document.value(sub, body.top, body.left + i);
    return value === null ? '' : document.text(sub, body.top, body.left + i).trim();
  });
  const present = new Set(said.map((name) => name.toLowerCase()));
  return said.map((name, i) => {
    const stem = name || table.columns[i]!.name || `Column${i + 1}`;
    let own = stem;
    for (let number = 2; taken.has(own.toLowerCase()) || (own !== name && present.has(own.toLowerCase())); number++)
      own = `${stem}${number}`;
    taken.add(own.toLowerCase());
    const isComputed = document.formula(sub, body.top, body.left + i) !== undefined;
    const isOld = before !== undefined && before.regions[0]![0] === body.top && name !== '';
    return own === name || isComputed || isOld ? undefined : own;
  });
}

interface Totals {
  readonly has: boolean;
  /** Range of the table, including the totals row if it has one. */
  readonly rect: Rect;
  readonly before: Mutation[];
  readonly after: Mutation[];
}

function totalsFor(edit: TableEdit, table: UntotaledTable, headings: Headings): Totals {
  const { document, sub, given, body, before } = edit;
  const had = before?.totals
    ? { ...tableRangeWithoutTotals(before), top: before.regions[0]![2], bottom: before.regions[0]![2] }
    : undefined;
  const has = given.totals === undefined ? had !== undefined : Object.keys(given.totals).length > 0;
  const clears = (rect: Rect): Mutation => clearContents.of({ sheet: sub.id, region: regionOf(rect) });
  if (!has) return { has, rect: body, before: had ? [clears(had)] : [], after: [] };
  const row = body.bottom + 1;
  if (row >= maxRows) throw overLimit(`totals: there is no row below row ${maxRows}`);
  const line: Rect = { ...body, top: row, bottom: row };
  const stays = had !== undefined && had.top === row;
  refuseOverlap(sub, line, before, 'totals');
  const inTheWay = { ...line, ...(stays ? { left: Math.max(line.left, had.right + 1) } : {}) };
  if (inTheWay.left <= inTheWay.right && !isBlank(sub, inTheWay))
    throw fail('conflict', `totals: the cells in ${rectName(inTheWay)} are not empty; insert a row there first`);
  const moved = had && !stays ? movedTotals(document, sub, had, line) : {};
  const wanted = Object.entries(given.totals ?? {}).map(([heading, name]): FormulaRun => {
    const place = findTotalsColumn(edit, table, headings, heading);
    const { number } = table.columns[place]!;
    return [row, body.left + place, 1, `=SUBTOTAL(${totalFunctions[name]},⟦${table.number}:0:${number}:${number}⟧)`];
  });
  const isFirst = !had && !wanted.some(([, col]) => col === body.left);
  const values: ValueRun[] = [...(isFirst ? [[row, body.left, ['Total']] as const] : []), ...(moved.values ?? [])];
  const replaced = new Set(wanted.map(([, col]) => col));
  const formulas = [...(moved.formulas ?? []).filter(([, col]) => !replaced.has(col)), ...wanted];
  const written = { ...(values.length > 0 ? { values } : {}), ...(formulas.length > 0 ? { formulas } : {}) };
  return {
    has,
    rect: { ...body, bottom: row },
    before: had && !stays ? [clears(had)] : [],
    after: Object.keys(written).length > 0 ? [setValues.of({ sheet: sub.id, ...written })] : [],
  };
}

/**
 * Returns the contents of the totals row in the range `from`, as they are written to the range `to` when the totals row
 * moves there. Leaves out columns that `to` does not contain.
 */
function movedTotals(document: SheetDocument, sub: SubSheet, from: Rect, to: Rect): Contents {
  const columns = { left: Math.max(from.left, to.left), right: Math.min(from.right, to.right) };
  if (columns.left > columns.right) return {};
  const { values = [], formulas = [] } = capture(document, sub, { ...from, ...columns });
  return {
    values: values.map(([, col, list]) => [to.top, col, list]),
    formulas: formulas.map(([, col, count, written, mode]): FormulaRun =>
      mode === undefined ? [to.top, col, count, written] : [to.top, col, count, written, mode],
    ),
  };
}

function findTotalsColumn(
  { document, sub, body }: TableEdit,
  table: UntotaledTable,
  headings: Headings,
  heading: string,
): number {
  const names = table.columns.map((column, i) =>
    table.headings === false
      ? column.name || `Column${i + 1}`
      : (headings[i] ?? document.text(sub, body.top, body.left + i)),
  );
  const place = names.findIndex((name) => name.trim().toLowerCase() === heading.trim().toLowerCase());
  if (place < 0)
    throw invalid(
      `totals: there is no column ${JSON.stringify(heading.slice(0, 60))}; there are ${names.slice(0, 20).join(', ')}`,
    );
  return place;
}
