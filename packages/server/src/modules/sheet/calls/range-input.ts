import { z } from 'zod';
import { invalid } from '../errors.ts';
import { parseBySchema } from '../../../kernel/parse-input.ts';
import { regionOf, type SheetDocument } from '@sheaf/engine/internal/document';
import { maxCols, rectName, type Rect } from '@sheaf/engine';
import { addressField, maxReadCells, refuseLargeRead, toRegionInput } from '../schema.ts';
import { countRectCells } from '../cells/rects.ts';
import { clipToUsedRange, isWholeRowsOrColumns, type SheetRange } from './address.ts';
import { resolveAreas, requireOneArea } from './areas.ts';

/**
 * This file lets all tools of the API specification accept an address such as `A1:B2` instead of row and column
 * indexes, in the field `range` or in place of an object of indexes. Addresses are converted to indexes, and the
 * published schemas stay as specified.
 */

type Shape = Readonly<Record<string, z.ZodType>>;
type Input = Readonly<Record<string, unknown>>;

/**
 * Input fields of a tool with row and column indexes, such as `start_row`, that callers may replace by an address in
 * the field `range`. `read` computes the indexes from the address.
 */
interface Layout {
  readonly fields: readonly string[];
  /**
   * Boolean fields, such as `filter_by_range`, that must be true for the tool to use row and column indexes. They are
   * set to true when an address is converted to indexes.
   */
  readonly flags: readonly string[];
  /**
   * Whether an address may list several ranges, separated by commas. The tool then runs for each of them, or combines
   * them itself.
   */
  readonly takesAreas: boolean;
  read(place: SheetRange, input: Input): Record<string, unknown>;
}

/**
 * Input field, such as `data_range`, that holds an object of row and column indexes. Callers may send an address
 * instead of the object. `sheetField` is the input field with the sub-sheet of these cells, and `read` creates the
 * object from the address.
 */
interface Part {
  readonly field: string;
  readonly sheetField: string;
  read(rect: Rect): Record<string, unknown>;
}

export interface RangeInput {
  readonly layout: Layout | undefined;
  readonly parts: readonly Part[];
  /**
   * Schema for inputs that give an address, such as `Sheet1!A1:D9`. The index fields that the address replaces are
   * optional.
   */
  readonly schema: z.ZodType<Record<string, unknown>>;
}

const region = ['start_row', 'start_col', 'end_row', 'end_col'] as const;

const layouts: readonly Omit<Layout, 'flags' | 'takesAreas'>[] = [
  { fields: region, read: ({ rect }) => ({ ...toRegionInput(regionOf(rect)) }) },
  { fields: ['start_row', 'start_col'], read: ({ rect }) => ({ start_row: rect.top, start_col: rect.left }) },
  { fields: ['row_index', 'col_index'], read: ({ rect }) => ({ row_index: rect.top, col_index: rect.left }) },
  { fields: ['row', 'col'], read: readCell },
  { fields: ['dimension_type', 'index', 'count'], read: readLines },
];

const flags = ['is_update_range', 'filter_by_range'];

const parts: readonly Part[] = [
  { field: 'data_range', sheetField: 'sheet_id', read: (rect) => ({ ...toRegionInput(regionOf(rect)) }) },
  { field: 'source_range', sheetField: 'source_sheet_id', read: (rect) => ({ ...toRegionInput(regionOf(rect)) }) },
  {
    field: 'location',
    sheetField: 'sheet_id',
    read: ({ top, left }) => ({ row_index: top, col_index: left }),
  },
  {
    field: 'range',
    sheetField: 'sheet_id',
    read: ({ top, left, bottom, right }) => ({
      start_row: top,
      start_col: left,
      end_row: bottom + 1,
      end_col: right + 1,
    }),
  },
];

function readCell({ rect }: SheetRange): Record<string, unknown> {
  if (countRectCells(rect) > 1) throw invalid(`range: must be one cell (got ${rectName(rect)})`);
  return { row: rect.top, col: rect.left };
}

/**
 * Converts a range to the input fields of insert_dimension, delete_dimension and move_dimension, which insert, delete
 * or move whole rows or columns. Throws if `dimension_type` is missing and the range is not whole rows or columns.
 */
function readLines({ rect }: SheetRange, input: Input): Record<string, unknown> {
  const { top, left, bottom, right } = rect;
  const whole = isWholeRowsOrColumns(rect) ? (left === 0 && right === maxCols - 1 ? 'row' : 'col') : undefined;
  const axis = input['dimension_type'] ?? whole;
  if (axis === undefined) throw invalid('range: must be whole rows (3:5) or columns (B:C), or send dimension_type too');
  return axis === 'row'
    ? { dimension_type: axis, index: top, count: bottom - top + 1 }
    : { dimension_type: axis, index: left, count: right - left + 1 };
}

/**
 * Returns how a tool with the input fields `shape` accepts an address instead of row and column indexes; undefined if
 * it has no such indexes or already accepts addresses. `areas` sets whether an address may list several areas; by
 * default it may, unless the tool's region fields are optional.
 */
export function rangeInputOf(shape: Shape, areas?: boolean): RangeInput | undefined {
  const has = (field: string): boolean => Object.hasOwn(shape, field);
  const found = has('range') || has('cell') ? undefined : layouts.find(({ fields }) => fields.every(has));
  const isOptional = (field: string): boolean =>
    (shape[field] as unknown as z.core.$ZodTypes)._zod.def.type === 'optional';
  const takesAreas = areas ?? (found?.fields !== region || !region.some(isOptional));
  const layout = found && { ...found, flags: flags.filter(has), takesAreas };
  const own = parts.filter(({ field }) => has(field) && isObject(shape[field]!));
  if (!layout && own.length === 0) return undefined;
  const loose: Record<string, z.ZodType> = { ...shape };
  const replaced = [...(layout?.fields ?? []), ...own.map(({ sheetField }) => sheetField), 'sheet_id'];
  for (const field of replaced) if (has(field)) loose[field] = shape[field]!.optional();
  for (const { field } of own) loose[field] = z.union([addressField(''), shape[field]!]).optional();
  if (layout) loose['range'] = rangeField.range;
  return { layout, parts: own, schema: z.object(loose) };
}

function isObject(schema: z.ZodType): boolean {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
  return def.type === 'object' || (def.type === 'optional' && isObject(def.innerType as z.ZodType));
}

/**
 * Input field added to every tool whose index fields an address can replace. It is omitted from the lists of tools for
 * clients, because the summary of the spreadsheet module explains it.
 */
export const rangeField = {
  range: addressField("Instead of the numbers: B2:D9, 'Q1'!B2:D9, or several with commas.")
    .meta({ 'x-unlisted': true })
    .optional(),
};

const isAddress = (value: unknown): boolean => typeof value === 'string' || Array.isArray(value);

/** Returns whether a call names its cells by an address, such as `A1:B2`, instead of row and column indexes. */
export function usesAddress({ layout, parts: own }: RangeInput, raw: Input): boolean {
  return (layout !== undefined && isAddress(raw['range'])) || own.some(({ field }) => isAddress(raw[field]));
}

/**
 * Converts the address in `range`, such as `A1:B2,D4`, to row and column indexes. Returns one input for each of its
 * areas, here two. For tools that insert, delete or move rows or columns, the last area comes first, so that the
 * addresses of the other areas stay valid.
 */
export function expandRanges(
  document: SheetDocument,
  { layout, parts: own }: RangeInput,
  given: Input,
  isWrite: boolean,
): Input[] {
  let input: Input = given;
  for (const { field, sheetField, read } of own) {
    const address = input[field];
    if (typeof address !== 'string') continue;
    const sheet = input[sheetField] as string | undefined;
    const places = resolveAreas(document, address, { field, sheet, isWrite: true });
    const place = requireOneArea(places, field, 'so put columns that are apart next to each other first');
    if (sheet !== undefined && place.sub.id !== sheet)
      throw invalid(`${field}: must be on the sub-sheet of ${sheetField} (got ${address})`);
    const rect = withinGrid(document, place, isWrite);
    input = { ...input, [field]: read(rect), [sheetField]: place.sub.id };
  }
  const address = layout && input['range'];
  if (!layout || typeof address !== 'string') return [input];
  const { range: _, ...rest } = input;
  const sheet = (rest['sheet_id'] ?? rest['sheet_name']) as string | undefined;
  const places = resolveAreas(document, address, { sheet, isWrite: true });
  if (!layout.takesAreas) requireOneArea(places, 'range', 'because the tool takes one');
  if (places.length > 1 && !isWrite)
    refuseLargeRead(
      'range',
      places.reduce((sum, { rect }) => sum + Math.min(countRectCells(rect), maxReadCells + 1), 0),
    );
  const inputs = places.map((one) => {
    const place = isLines(layout) ? one : { ...one, rect: withinGrid(document, one, isWrite) };
    const numbers = layout.read(place, rest);
    for (const [field, value] of Object.entries(numbers))
      if (rest[field] !== undefined && rest[field] !== value)
        throw invalid(`range: stands for ${field}, which would be ${String(value)}; send one of them (got both)`);
    const set = Object.fromEntries(layout.flags.map((field) => [field, true]));
    return {
      row: place.rect.top,
      col: place.rect.left,
      input: { ...rest, ...numbers, ...set, sheet_id: place.sub.id },
    };
  });
  if ('dimension_type' in inputs[0]!.input) inputs.sort((a, b) => b.row - a.row || b.col - a.col);
  return inputs.map((one) => one.input);
}

function isLines({ fields }: Layout): boolean {
  return fields.includes('dimension_type');
}

/**
 * Clips a range of whole rows or columns, such as `A:C`: to the grid for a write, and to the used cells for a read.
 * Returns other ranges unchanged.
 */
function withinGrid(document: SheetDocument, place: SheetRange, isWrite: boolean): Rect {
  const { sub, rect } = place;
  if (!isWholeRowsOrColumns(rect)) return rect;
  if (!isWrite) return clipToUsedRange(document, place) ?? { ...rect, bottom: rect.top, right: rect.left };
  return {
    ...rect,
    bottom: Math.max(rect.top, Math.min(rect.bottom, sub.rows - 1)),
    right: Math.max(rect.left, Math.min(rect.right, sub.cols - 1)),
  };
}

/** Parses an input that contains an address. Uses the tool's own parser if it has one. */
export function parseRangeInput<Values>(
  { schema }: RangeInput,
  raw: Record<string, unknown>,
  parse: ((raw: Record<string, unknown>, schema: never) => Values | Promise<Values>) | undefined,
): Values | Promise<Values> {
  return parse ? parse(raw, schema as never) : (parseBySchema(schema, raw) as Values);
}

/** Combines the answers that a tool gave for several ranges: concatenates lists and CSV texts, and adds up counts. */
export function joinAnswers(answers: readonly Record<string, unknown>[]): Record<string, unknown> {
  const joined: Record<string, unknown> = {};
  for (const answer of answers)
    for (const [name, value] of Object.entries(answer)) {
      const before = joined[name];
      if (Array.isArray(before) && Array.isArray(value))
        joined[name] = [...(before as unknown[]), ...(value as unknown[])];
      else if (typeof before === 'number' && typeof value === 'number') joined[name] = before + value;
      else if (typeof before === 'string' && typeof value === 'string') joined[name] = `${before}\n${value}`;
      else joined[name] = value;
    }
  return joined;
}
