import { z } from 'zod';
import { invalid } from '../errors.ts';
import { double, integer, list, aliasField, text } from '../../../kernel/field-schemas.ts';
import { formatAddress, isWholeRowsOrColumns, type SheetRange } from '../calls/address.ts';
import { requireOneArea, resolveAreas } from '../calls/areas.ts';
import { writeTool, type WriteValues } from '../calls/tool.ts';
import { maxFormulaLength } from '../cells/cell-input.ts';
import { isPackedRows, unpackRows, packRows, type PackedRows } from '../cells/packed-rows.ts';
import { createYieldingRowsValidator } from '../cells/validate-large-rows.ts';
import { GridWriter } from '../cells/grid-writer.ts';
import { getLocale, defaultLocale } from '../cells/locale.ts';
import type { GridValue } from '../cells/grid-value.ts';
import { contains, regionOf, sameRect, type SheetDocument, type SubSheet } from '@sheaf/engine/internal/document';
import { isValidPattern, maxCols, maxRows, rectName, type Rect } from '@sheaf/engine';
import { merge, type Mutation, setSize, unmerge } from '@sheaf/engine/internal/mutations';
import { findTablesAbove, findTablesLeftOf, extendTables } from '../objects/tables.ts';
import { describeRangesEndingAbove } from '../reading/ranges-ending-above.ts';
import { planStyleWords } from '../styles/style-words.ts';
import { runQueryText } from '../query/run-query-text.ts';
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
      // The schema accepts two forms of rows. The tool list shows no schema for them, only this description, because a
      // union schema would cost an agent more tokens.
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
  styles: z
    .record(z.string(), text('Style.', { max: 300 }))
    .meta({ description: 'Cells, and their style in words: bold, fill FFEEDD, center, borders thin 000000.' })
    .optional(),
  sizes: z
    .record(z.string(), double('Size.'))
    .meta({ description: 'Columns (B:C) and widths in pixels, rows (1:2) and heights in points.', 'x-unlisted': true })
    .optional(),
  merges: list('Ranges to merge.', text('Range.', { max: 300 }), { max: maxEntries }).optional(),
  ...localeField,
  next: aliasField(text('Ignored; read returns it.', { max: 300 })).optional(),
  frozen: aliasField(text('Ignored; read returns it.', { max: 300 })).optional(),
  other_sheets: aliasField(list('Ignored; read returns it.', text('A name.'), { max: 100 })).optional(),
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
  parse: createYieldingRowsValidator({
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
    const areasOf = (address: string, field: string): SheetRange[] => {
      const home = places[0]?.sub.id ?? given.sheet_id;
      const found = resolveAreas(document, address, { field, sheet: home, isWrite: true });
      const other = found.find(({ sub }) => places[0] && sub !== places[0].sub);
      if (other)
        throw invalid(
          `${field}: one call writes one sub-sheet, ${places[0]!.sub.name} here; use batch for several (got ${other.sub.name})`,
        );
      places.push(...found);
      return found;
    };
    const targets = given.range === undefined ? [] : areasOf(given.range, 'range');
    const [target] = targets;
    if ((given.rows !== undefined || given.query !== undefined) && !target)
      throw invalid('range: is required with rows, e.g. "Sheet1!A1"');
    const formulas = Object.entries(given.formulas ?? {}).flatMap(([address, formula]) =>
      areasOf(address, `formulas.${address}`).map((place) => ({ place, formula })),
    );
    const formats = Object.entries(given.formats ?? {}).flatMap(([address, pattern]) => {
      if (pattern !== '' && !isValidPattern(pattern))
        throw invalid(`formats.${address}: is not a number format (got ${JSON.stringify(pattern)})`);
      const written = pattern === '' ? 'General' : pattern;
      return areasOf(address, `formats.${address}`).map((place) => ({ place, pattern: written }));
    });
    const looks = Object.entries(given.styles ?? {}).flatMap(([address, words]) => {
      if (address === omittedMark) return [];
      const field = `styles.${address}`;
      return areasOf(address, field).flatMap((one) => {
        const { sub, rect } = withinGrid(document, one);
        return planStyleWords(sub.id, regionOf(rect), words, field);
      });
    });
    const sizes = Object.entries(given.sizes ?? {}).flatMap(([address, size]) =>
      areasOf(address, `sizes.${address}`).map((place) => planSize(place, size, `sizes.${address}`)),
    );
    const merges = (given.merges ?? []).flatMap((address, index) => areasOf(address, `merges[${index}]`));
    const [first] = places;
    if (!first) throw invalid('rows: nothing to write; send rows, formulas, formats, styles or merges');
    const { sub } = first;
    const writer = new GridWriter(document, sub, given.locale === undefined ? defaultLocale : getLocale(given.locale));
    if (given.rows !== undefined) for (const place of fillable(targets, given.rows)) putRows(writer, place, given.rows);
    if (given.query !== undefined && target) putQueryResult(document, writer, target, given.query);
    for (const { place, formula } of formulas) writer.fill(requireBounded(place, 'formulas'), formula);
    const { filled } = writer;
    for (const { place, pattern } of formats) writer.format(withinGrid(document, place, filled).rect, pattern);
    const grown = filled && sub.tables.length > 0 ? extendTables(sub, filled) : [];
    const beside = filled && sub.tables.length > 0 ? findTablesLeftOf(sub, filled) : [];
    const below = filled && sub.tables.length > 0 ? findTablesAbove(sub, filled, grown) : [];
    const constants = writer.filledConstants;
    const notes = [
      ...writer.notes(),
      ...grown.map(({ table, range }) => `table ${table.name} now covers ${range}`),
      ...beside.map(
        ({ name }) => `${rectName(filled!)} is beside table ${name}, not in it; set_table changes its range`,
      ),
      ...below.map(({ name }) => `${rectName(filled!)} is below table ${name}, not in it; set_table changes its range`),
      ...(constants ? describeRangesEndingAbove(document, sub, constants) : []),
    ];
    return {
      mutations: [
        ...grown.map(({ mutation }) => mutation),
        ...writer.mutations(),
        ...looks,
        ...sizes,
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

/**
 * Returns the areas to write. Throws if there are several areas, unless `rows` is one cell, which fills all of them.
 */
function fillable(targets: readonly SheetRange[], rows: readonly Line[] | Rows): readonly SheetRange[] {
  const isOneCell = Array.isArray(rows) && rows.length === 1 && (rows as readonly Line[])[0]!.length === 1;
  if (!isOneCell) requireOneArea(targets, 'range', 'unless rows is one cell, which fills them');
  return targets;
}

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

/**
 * Runs a query, and writes the column names and the rows of its result from the first cell of the range. The values get
 * the number formats of the columns that they come from.
 */
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

/** Returns the range to fill. Throws if it is whole columns or rows, because filling needs a last row and column. */
function requireBounded({ sub, rect }: SheetRange, field: string): Rect {
  if (!isWholeRowsOrColumns(rect)) return rect;
  throw invalid(`${field}: ${formatAddress(sub, rect)} has no end; name the last row or column to fill`);
}

/**
 * Key that the operation `read` adds to the styles in its answer if it leaves some out; its value says how many.
 * `write` ignores the key, so that callers can send these styles back.
 */
const omittedMark = '…';
const maxSizes = { row: 409, col: 2000 };

/**
 * Returns the mutation that sets the size of whole rows or columns. Throws if the range is not whole rows or columns,
 * or the size is out of range.
 */
function planSize({ sub, rect }: SheetRange, size: number, field: string): Mutation {
  if (!isWholeRowsOrColumns(rect)) throw invalid(`${field}: must name whole columns (B:C) or rows (1:2)`);
  const axis = rect.left === 0 && rect.right === maxCols - 1 ? 'row' : 'col';
  if (!(size > 0 && size <= maxSizes[axis]))
    throw invalid(`${field}: must be more than 0 and at most ${maxSizes[axis]} (got ${size})`);
  const [first, last] = axis === 'row' ? [rect.top, rect.bottom] : [rect.left, rect.right];
  return setSize.of({ sheet: sub.id, axis, runs: [[first, last, size]] });
}

/**
 * Clips a range of whole rows or columns to the size of its sub-sheet, enlarged to hold the cells `filled` that the call
 * writes. Returns other ranges unchanged.
 */
function withinGrid(document: SheetDocument, place: SheetRange, filled?: Rect): SheetRange {
  const { rows, cols } = document.size(place.sub);
  const lastRow = Math.max(rows - 1, filled?.bottom ?? 0);
  const lastCol = Math.max(cols - 1, filled?.right ?? 0);
  const bottom = Math.max(place.rect.top, Math.min(place.rect.bottom, lastRow));
  const right = Math.max(place.rect.left, Math.min(place.rect.right, lastCol));
  return isWholeRowsOrColumns(place.rect) ? { ...place, rect: { ...place.rect, bottom, right } } : place;
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
