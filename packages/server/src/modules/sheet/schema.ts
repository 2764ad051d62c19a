import { z } from 'zod';
import { invalid, overLimit } from './errors.ts';
import {
  flag,
  integer,
  list,
  withListedLimits,
  oneOf,
  aliasField,
  documentedAsRequired,
  text,
  type Field,
} from '../../kernel/field-schemas.ts';
import { maxAssertionLength, maxAssertions } from './calls/assertions.ts';
import { maxCols, maxRows, type Rect } from '@sheaf/engine';
import { rectOf, type Region } from '@sheaf/engine/internal/document';
import { countRectCells } from './cells/rects.ts';
import type { WriteOptions } from './host/protocol.ts';

export const maxReadCells = 20_000;
/**
 * Approximate number of JSON characters per token of a language model. Converts the token limit of an answer to
 * characters.
 */
export const charactersPerToken = 4;

/** Input fields that name the document. A call must have one of them. */
export const fileFields = {
  file_id: documentedAsRequired(text('Or file_url.', { max: 128 }).optional()),
  file_url: text('Instead of file_id.', { max: 2048 }).optional(),
};

/**
 * The fields of `fileFields`, for operations whose API specification lists file_url. Unlike in `fileFields`, tool lists
 * then show the maximum length of file_url.
 */
export const fileOrUrlFields = { ...fileFields, file_url: withListedLimits(fileFields.file_url) };

/**
 * Names that agents may mistakenly use for the input field sheet_id. The error about such an unknown field suggests
 * sheet_id.
 */
const sheetSynonyms = ['sheet', 'sheet_name', 'tab', 'tab_id', 'tab_name', 'worksheet', 'worksheet_name', 'sub_sheet'];

function withSheetSynonyms<Schema extends z.ZodType>(field: Schema): Schema {
  return field.meta({ ...field.meta(), 'x-synonyms': sheetSynonyms });
}

export const sheetField = { sheet_id: withSheetSynonyms(text('Sub-sheet.', { min: 1, max: 64 })) };

export const rowField = (what = '0-based.') => integer(what, { min: 0, max: maxRows - 1 });
export const colField = (what = '0-based.') => integer(what, { min: 0, max: maxCols - 1 });

/**
 * Returns whether the fields that all write calls share are valid and contain only ids and the flags return_changes and
 * enforce_validation. These fields then need not be parsed by the schema, which is slower. In all other cases, the
 * schema parses the call and reports its errors.
 */
export function hasValidCommonFields({
  file_id,
  file_url,
  sheet_id,
  return_changes,
  enforce_validation,
  dry_run,
  assert,
}: Record<string, unknown>): boolean {
  return (
    dry_run === undefined &&
    assert === undefined &&
    isShort(file_id, 1, 128) &&
    file_url === undefined &&
    isShort(sheet_id, 1, 64) &&
    (return_changes === undefined || typeof return_changes === 'boolean') &&
    (enforce_validation === undefined || typeof enforce_validation === 'boolean')
  );
}

function isShort(value: unknown, min: number, max: number): boolean {
  return typeof value === 'string' && value.length >= min && value.length <= max;
}

/** Creates the schema of an object whose keys (usually cell addresses) are arbitrary and whose values are texts. */
const textRecord = (description: string) => z.record(z.string(), z.string()).meta({ description });

const maxAddress = 2000;

/**
 * Creates the schema of an address: cells, a sub-sheet, a defined name, a table or a column heading. Several areas are
 * separated by commas or sent as a list.
 */
export function addressField(description: string): Field<string> {
  const limits = { min: 1, max: maxAddress };
  return z
    .preprocess((value) => (isTextList(value) ? value.join(',') : value), text(description, limits))
    .meta({ type: 'string', minLength: 1, maxLength: maxAddress, description }) as unknown as Field<string>;
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

/**
 * Input field with the id or name of a sub-sheet, for addresses that do not name their sub-sheet. Tool lists omit this
 * field, because an address can contain the name of its sub-sheet.
 */
export const defaultSheetField = {
  sheet_id: withSheetSynonyms(
    aliasField(text('Id or name of the sub-sheet of addresses that name none.', { max: 64 })),
  ).optional(),
};

export const localeField = {
  locale: text('How texts write dates and numbers, e.g. en-GB.', { max: 64 }).optional(),
};

export const defaultMaxTokens = 1500;
const maxTokens = 50_000;

export const tokensField = (usual: number) => ({
  max_tokens: integer(`Default: ${usual}.`, { min: 50, max: maxTokens }).optional(),
});

const gridCell = z.union([z.string(), z.number(), z.boolean()]);

/** Schema of the cells that the operations `read` and `query` return, keyed by row number. */
export const rowsOutput = z
  .record(z.string(), z.array(gridCell))
  .meta({ description: 'Cells from the first column on, by row number; empty rows and ends of rows are left out.' });

export const regionFields = {
  start_row: rowField('0-based.'),
  start_col: colField('0-based.'),
  end_row: rowField('0-based, inclusive.'),
  end_col: colField('0-based, inclusive.'),
};

/** Optional input fields for a region. Tool lists omit these fields, because the tools also accept an address. */
export const optionalRegionFields = {
  start_row: aliasField(regionFields.start_row).optional(),
  start_col: aliasField(regionFields.start_col).optional(),
  end_row: aliasField(regionFields.end_row).optional(),
  end_col: aliasField(regionFields.end_col).optional(),
};

export const dimensionField = { dimension_type: oneOf('Rows or columns.', ['row', 'col']) };

export function axisLimit(axis: 'row' | 'col'): number {
  return axis === 'row' ? maxRows : maxCols;
}

export interface RegionInput {
  start_row: number;
  start_col: number;
  end_row: number;
  end_col: number;
}

const assertion = text('A formula or rule.', { min: 1, max: maxAssertionLength });

/** Options that every write accepts besides the fields of the API specification. */
export const writeOptionFields = {
  return_changes: flag('Whether to return up to 200 cells whose value changed, and the errors among them.').optional(),
  dry_run: flag('Whether to return what would change, and change nothing.').optional(),
  assert: z
    .union([assertion, list('Several.', assertion, { max: maxAssertions })])
    // Show only the form with a single text in tool lists, because language models write it most easily. Lists are
    // accepted too.
    .meta({
      'x-listed': 'string',
      description: 'What must hold afterwards, as in check, or a list of it; otherwise nothing is changed.',
    })
    .optional(),
};

export const validationField = {
  enforce_validation: flag('Whether to refuse values that data validation does not allow.').optional(),
};
export function readWriteOptions(input: Record<string, unknown>): WriteOptions {
  const sheet = input['sheet_id'];
  return {
    changes: input['return_changes'] === true,
    dryRun: input['dry_run'] === true,
    assert: [(input['assert'] as string | string[] | undefined) ?? []].flat(),
    sheet: typeof sheet === 'string' ? sheet : undefined,
    validation: input['enforce_validation'] === true,
  };
}

export const changesOutput = {
  changes: z
    .array(
      z.object({
        sheet_id: text('Sub-sheet.'),
        row: integer('0-based.'),
        col: integer('0-based.'),
        value: z.union([z.string(), z.number(), z.boolean(), z.null()]).meta({ description: 'The new value.' }),
        address: text('The cell, as B3.'),
        text: text('What it shows.'),
      }),
    )
    .meta({ description: 'With return_changes: cells whose value changed, up to 200.' })
    .optional(),
  changed_count: integer('With return_changes: the number of such cells.').optional(),
  errors: textRecord('Errors among the cells that changed: address, then the error and its cause.').optional(),
  error_count: integer('The number of such errors.').optional(),
  shifted: list('Rows and columns inserted, deleted or moved.', text('E.g. rows 3:5 deleted.')).optional(),
  dry_run: flag('True: nothing was changed.').optional(),
  version: integer("The document's new version, in our own tools; undo_revision takes the change back.").optional(),
};

/** Output fields that report changed cells, for write operations that the API specification does not define. */
export const changedCellsOutput = {
  changed: textRecord('Cells whose value changed: address and displayed text; the first and the last ones.').optional(),
  more_changed: flag('Whether so many changed that not all were counted.').optional(),
  ...changesOutput,
};

/** Maximum tokens for the list of changed cells in a write's answer. */
export const changedCellsTokens = 120;

/**
 * Converts a region to the list of four indexes (first row, first column, last row, last column) that mutations
 * contain. Throws an error that names the field if the region's end is before its start.
 */
export function toRegionTuple(region: RegionInput, path = ''): Region {
  checkRegion(region, path);
  return [region.start_row, region.start_col, region.end_row, region.end_col];
}

export function checkRegion(region: RegionInput, path = ''): RegionInput {
  for (const axis of ['row', 'col'] as const) {
    const [start, end] = [region[`start_${axis}`], region[`end_${axis}`]];
    if (end < start) throw invalid(`${path}end_${axis}: must be at least start_${axis}, ${start} (got ${end})`);
  }
  return region;
}

/** Converts a region to a rectangle. Throws if it has more cells than one call may read. */
export function toReadableRect(region: RegionInput): Rect {
  const rect = rectOf(toRegionTuple(region));
  refuseLargeRead('end_row', countRectCells(rect));
  return rect;
}

export function refuseLargeRead(field: string, cells: number): void {
  if (cells > maxReadCells)
    throw overLimit(`${field}: a region of at most ${maxReadCells} cells can be read at once (got ${cells})`);
}

export function toRegionInput([start_row, start_col, end_row, end_col]: Region): RegionInput {
  return { start_row, start_col, end_row, end_col };
}

const fileUrl = /\/sheet\/([A-Za-z0-9_-]{1,128})(?:[/?#]|$)/;

/** Returns the document's id, from file_id or from the text of file_url. The URL is never fetched. */
export function parseFileId(input: { file_id?: string; file_url?: string }): string {
  const { file_id, file_url } = input;
  if (!file_url) {
    if (file_id) return file_id;
    throw invalid('file_id: is required (or file_url)');
  }
  const found = fileUrl.exec(file_url)?.[1];
  if (!found) throw invalid(`file_url: must contain /sheet/<file_id> (got ${JSON.stringify(file_url.slice(0, 100))})`);
  if (file_id && file_id !== found)
    throw invalid(
      `file_url: must be the address of file_id, ${JSON.stringify(file_id)} (got ${JSON.stringify(found)})`,
    );
  return found;
}
