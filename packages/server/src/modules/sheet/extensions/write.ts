import { z } from 'zod';
import { invalid } from '../errors.ts';
import { integer, list, aliasField, text } from '../../../kernel/field-schemas.ts';
import { formatAddress, isWholeRowsOrColumns, resolveAddress, type SheetRange } from '../calls/address.ts';
import { writeTool, type WriteValues } from '../calls/tool.ts';
import { maxFormulaLength } from '../cells/cell-input.ts';
import { isPackedRows, unpackRows, packRows, type PackedRows } from '../cells/packed-rows.ts';
import { createRowParser } from '../cells/row-parser.ts';
import { GridWriter } from '../cells/grid-writer.ts';
import { getLocale, defaultLocale } from '../cells/locale.ts';
import type { GridValue } from '../cells/grid-value.ts';
import { contains, sameRect, type SheetDocument, type SubSheet } from '@sheaf/engine/internal/document';
import { isValidPattern, maxRows, rectName, type Rect } from '@sheaf/engine';
import { merge, type Mutation, unmerge } from '@sheaf/engine/internal/mutations';
import { findTablesLeftOf, extendTables } from '../objects/tables.ts';
import { runQueryText } from '../query/query-failures.ts';
import { addressField, localeField, defaultSheetField, changedCellsTokens, changedCellsOutput } from '../schema.ts';

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const line = list('Cells from left to right.', cell);
const maxEntries = 5000;
const maxQueryRows = 200_000;

const input = {
  range: addressField('Where rows go.').optional(),
  ...defaultSheetField,
  rows: z
    .union([list('A list.', line, { max: maxRows }), z.record(z.string(), line)])
    .meta({
      // The description names both accepted forms, because a union schema in tool lists would cost more tokens.
      'x-listed': '',
      description:
        'Rows of cells, a list or by row number as read gives them. Text is read as typed (dates, 12%, =A1*2; 007 stays ' +
        'text); "" clears, null skips. One cell fills the range.',
    })
    .optional(),
  query: text('A SELECT; its result goes to range.', { min: 1, max: 10_000 }).optional(),
  formulas: z
    .record(z.string(), text('Formula.', { min: 1, max: maxFormulaLength }))
    .meta({ description: 'Cells, and the formula for the first of them.' })
    .optional(),
  formats: z
    .record(z.string(), text('Number format.', { max: 255 }))
    .meta({ description: 'Cells, and their number format.' })
    .optional(),
  merges: list('Ranges to merge.', text('Range.', { max: 300 }), { max: maxEntries }).optional(),
  ...localeField,
  next: aliasField(text('Ignored; read returns it.', { max: 300 })).optional(),
};

type Line = readonly (GridValue | null)[];
type Rows = Readonly<Record<string, Line>>;
type Packed = Omit<WriteValues<typeof input>, 'rows'> & { rows?: PackedRows<Line> | Rows };

export const write = writeTool({
  name: 'write',
  maxValues: 600_000,
  summary:
    'Writes cells and returns what changed and which errors that caused. Accepts what read returns; what ' +
    'is so already is left alone.\nExample: {"range":"Sales!A2","rows":[["pear","2026-05-01",3]],' +
    '"formulas":{"D2:D9":"=C2*2"}}',
  idempotent: true,
  input,
  parse: createRowParser({
    maxRows,
    isPlain: (one) => one === null || typeof one === 'string' || typeof one === 'boolean' || Number.isFinite(one),
  }),
  output: {
    written: integer('Number of cells written.'),
    unchanged: integer('Number of cells that were so already.'),
    notes: list(
      'Remarks: text that may have been meant as dates, formulas left alone, tables that grew.',
      text('A note.'),
    ).optional(),
    ...changedCellsOutput,
  },
  pack: ({ rows, ...rest }): Packed | Promise<Packed> =>
    Array.isArray(rows) ? packRows({ ...rest, rows: rows as readonly Line[] }) : { ...rest, rows },
  plan(document, { rows, ...rest }) {
    const given = {
      ...rest,
      rows: rows && isPackedRows(rows) ? unpackRows<Line>(rows) : (rows as readonly Line[] | Rows | undefined),
    };
    const places: SheetRange[] = [];
    const placeOf = (address: string, field: string): SheetRange => {
      const home = places[0]?.sub.id ?? given.sheet_id;
      const found = resolveAddress(document, address, { field, sheet: home, isWrite: true });
      if (places[0] && found.sub !== places[0].sub)
        throw invalid(
          `${field}: one call writes one sub-sheet, ${places[0].sub.name} here; use batch for several (got ${found.sub.name})`,
        );
      places.push(found);
      return found;
    };
    const target = given.range === undefined ? undefined : placeOf(given.range, 'range');
    if ((given.rows !== undefined || given.query !== undefined) && !target)
      throw invalid('range: is required with rows, e.g. "Sheet1!A1"');
    const formulas = Object.entries(given.formulas ?? {}).map(([address, formula]) => ({
      place: placeOf(address, `formulas.${address}`),
      formula,
    }));
    const formats = Object.entries(given.formats ?? {}).map(([address, pattern]) => {
      if (pattern !== '' && !isValidPattern(pattern))
        throw invalid(`formats.${address}: is not a number format (got ${JSON.stringify(pattern)})`);
      return { place: placeOf(address, `formats.${address}`), pattern: pattern === '' ? 'General' : pattern };
    });
    const merges = (given.merges ?? []).map((address, index) => placeOf(address, `merges[${index}]`));
    const [first] = places;
    if (!first) throw invalid('rows: nothing to write; send rows, formulas, formats or merges');
    const { sub } = first;
    const writer = new GridWriter(document, sub, given.locale === undefined ? defaultLocale : getLocale(given.locale));
    if (given.rows !== undefined && target) putRows(writer, target, given.rows);
    if (given.query !== undefined && target) putQueryResult(document, writer, target, given.query);
    for (const { place, formula } of formulas) writer.fill(requireBounded(place, 'formulas'), formula);
    for (const { place, pattern } of formats) writer.format(place.rect, pattern);
    const { filled } = writer;
    const grown = filled && sub.tables.length > 0 ? extendTables(sub, filled) : [];
    const beside = filled && sub.tables.length > 0 ? findTablesLeftOf(sub, filled) : [];
    const notes = [
      ...writer.notes(),
      ...grown.map(({ table, range }) => `table ${table.name} now covers ${range}`),
      ...beside.map(
        ({ name }) => `${rectName(filled!)} is beside table ${name}, not in it; set_table changes its range`,
      ),
    ];
    return {
      mutations: [
        ...grown.map(({ mutation }) => mutation),
        ...writer.mutations(),
        ...planMerges(
          document,
          sub,
          merges.map(({ rect }) => rect),
        ),
      ],
      data: {
        written: writer.written,
        unchanged: writer.unchanged,
        ...(notes.length > 0 ? { notes } : {}),
      },
      report: { tokens: changedCellsTokens, sheet: sub.id },
    };
  },
});

function putRows(
  writer: GridWriter,
  { sub, rect }: SheetRange,
  rows: readonly Line[] | Readonly<Record<string, Line>>,
): void {
  const isCell = rect.top === rect.bottom && rect.left === rect.right;
  const width = rect.right - rect.left + 1;
  const height = rect.bottom - rect.top + 1;
  const lines: (readonly [number, Line])[] = Array.isArray(rows)
    ? (rows as readonly Line[]).map((one, index) => [rect.top + index, one] as const)
    : Object.entries(rows as Readonly<Record<string, Line>>).map(([key, one]) => [rowOf(key), one] as const);
  const only = lines.length === 1 && lines[0]![1].length === 1 ? lines[0]![1][0] : undefined;
  if (only !== undefined && Array.isArray(rows) && !isCell) {
    const whole = requireBounded({ sub, rect }, 'range');
    if (typeof only === 'string' && only.startsWith('=')) writer.fill(whole, only);
    else
      for (let row = whole.top; row <= whole.bottom; row++)
        for (let col = whole.left; col <= whole.right; col++) writer.put(row, col, only);
    return;
  }
  for (const [row, cells] of lines) {
    if (!isCell && (row < rect.top || row > rect.bottom || cells.length > width))
      throw invalid(
        `rows: row ${row + 1} with ${cells.length} cells does not fit ${rectName(rect)}, ${height} rows by ${width} columns`,
      );
    cells.forEach((value, index) => writer.put(row, rect.left + index, value));
  }
}

/** Writes a query result's headings and rows, with the number formats of the source columns. */
function putQueryResult(document: SheetDocument, writer: GridWriter, { sub, rect }: SheetRange, query: string): void {
  const { columns, rows } = runQueryText(document, query, { sheet: sub.id, most: maxQueryRows });
  columns.forEach(({ name }, index) => writer.putValue(rect.top, rect.left + index, name, 'General'));
  rows.forEach((row, at) =>
    row.forEach((value, index) =>
      writer.putValue(rect.top + 1 + at, rect.left + index, value, columns[index]!.pattern),
    ),
  );
}

function rowOf(key: string): number {
  const row = Number(key) - 1;
  if (!/^\d{1,7}$/.test(key) || row < 0 || row >= maxRows)
    throw invalid(`rows.${key.slice(0, 40)}: must be a row number from 1 to ${maxRows}`);
  return row;
}

/** Throws for whole columns or rows, because a fill needs an end. */
function requireBounded({ sub, rect }: SheetRange, field: string): Rect {
  if (!isWholeRowsOrColumns(rect)) return rect;
  throw invalid(`${field}: ${formatAddress(sub, rect)} has no end; name the last row or column to fill`);
}

function planMerges(document: SheetDocument, sub: SubSheet, rects: readonly Rect[]): Mutation[] {
  const fresh = rects.filter(
    (rect) => rectName(rect).includes(':') && !sub.merges.meeting(rect).some((one) => sameRect(one, rect)),
  );
  if (fresh.length === 0) return [];
  const regionOf = ({ top, left, bottom, right }: Rect) => [top, left, bottom, right] as const;
  const inside = fresh.flatMap((rect) => sub.merges.meeting(rect).filter((one) => contains(rect, one)));
  return [
    ...(inside.length > 0 ? [unmerge.of({ sheet: sub.id, regions: inside.map(regionOf) })] : []),
    merge.of({ sheet: sub.id, regions: fresh.map(regionOf) }),
  ];
}
