import { z } from 'zod';
import { list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { formatAddress, usedRangeOrA1, clipToUsedRange, resolveAddress, type SheetRange } from '../calls/address.ts';
import { resolveAreas } from '../calls/areas.ts';
import { readTool } from '../calls/tool.ts';
import { getLocale, defaultLocale, type Locale } from '../cells/locale.ts';
import { readGrid } from '../reading/read-grid.ts';
import { cutRecord, readSizes, readStyles } from '../reading/read-styles.ts';
import type { SheetDocument } from '@sheaf/engine/internal/document';
import {
  addressField,
  charactersPerToken,
  localeField,
  rowsOutput,
  defaultSheetField,
  tokensField,
  defaultMaxTokens,
} from '../schema.ts';

const shown = ['formulas', 'formats', 'merges', 'styles', 'exact'] as const;
type Shown = (typeof shown)[number];

/** Maximum number of other sub-sheets that the answer lists by name. Further sub-sheets are only counted. */
const maxOtherSheets = 20;
/** Share of the answer's maximum tokens that styles and sizes may use. */
const stylesShare = 0.5;

const textRecords = (description: string) => z.record(z.string(), z.string()).meta({ description }).optional();

const areaOutput = {
  range: text('What was read, as Sheet1!A1:D9.'),
  rows: rowsOutput,
  formulas: textRecords('Cells, and the formula of the first of them.'),
  formats: textRecords('Cells, and their number format.'),
  merges: list('Merged ranges.', text('As A1:C1.')).optional(),
  styles: textRecords('Cells, and their style in words; plain cells are left out.'),
  sizes: z
    .record(z.string(), z.number())
    .meta({ description: 'Columns and their width in pixels, rows and their height in points.' })
    .optional(),
  frozen: text('Frozen rows and columns.').optional(),
  next: text('What remains to be read.').optional(),
};

export const read = readTool({
  name: 'read',
  view: 'grid',
  summary:
    'Reads cells as a compact grid by row number: what they show; formulas once for the cells they fill. write ' +
    'accepts the answer. next tells what to read next.\nExample: {"range":"Sales!A1:D20","show":["formulas"]}',
  input: {
    range: addressField(
      'As A1:D9, Sheet2!A:C, several with commas, a sub-sheet, name or heading. Default: the first sub-sheet.',
    ).optional(),
    ...defaultSheetField,
    show: list(
      'What else to return; formats are number formats, styles has sizes too, exact gives all digits.',
      oneOf('What.', shown),
      { max: shown.length },
    ).optional(),
    ...localeField,
    ...tokensField(defaultMaxTokens),
  },
  output: {
    ...areaOutput,
    more: list('The other areas, if the range names several.', z.object(areaOutput)).optional(),
    other_sheets: list('Where the range names no sub-sheet: the other sub-sheets.', text('Name.')).optional(),
  },
  read(document, input) {
    const places = placesOf(document, input);
    const tokens = (input.max_tokens ?? defaultMaxTokens) / places.length;
    const options = {
      tokens,
      show: new Set<Shown>(input.show),
      locale: input.locale === undefined ? defaultLocale : getLocale(input.locale),
    };
    const [first, ...more] = places.map((place) => readArea(document, place, options));
    return {
      ...first!,
      ...(more.length > 0 ? { more } : {}),
      ...otherSheets(document, input, places[0]!),
    };
  },
});

type Given = { range?: string | undefined; sheet_id?: string | undefined };

function placesOf(document: SheetDocument, { range, sheet_id: sheet }: Given): SheetRange[] {
  if (range !== undefined) return resolveAreas(document, range, { sheet });
  const { sub } = resolveAddress(document, 'A1', { sheet });
  return [{ sub, rect: usedRangeOrA1(document, sub) }];
}

/** Lists the names of the worksheets that were not read, unless the caller named the sub-sheet to read. */
function otherSheets(document: SheetDocument, given: Given, { sub }: SheetRange): { other_sheets?: string[] } {
  const { range, sheet_id: sheet } = given;
  const others = document.subSheets.filter((one) => one !== sub && one.type === 'worksheet');
  const isNamed = sheet !== undefined || (range !== undefined && namesSheet(document, range));
  if (isNamed || others.length === 0) return {};
  const names = others.slice(0, maxOtherSheets).map(({ name }) => name);
  return {
    other_sheets: others.length > maxOtherSheets ? [...names, `and ${others.length - maxOtherSheets} more`] : names,
  };
}

/**
 * Returns whether the range in a call determines its sub-sheet: it has a prefix such as `Sheet1!`, or it is the name or
 * id of a sub-sheet, a defined name or the name of a table.
 */
function namesSheet(document: SheetDocument, range: string): boolean {
  const text = range.trim();
  if (text.includes('!') || text.startsWith("'") || document.byName(text) || document.find(text)) return true;
  const upper = text.toUpperCase();
  const table = text.replace(/\[.*$/s, '');
  return (
    document.names().some(({ name }) => name.toUpperCase() === upper) ||
    (table !== '' && document.workbook.tables.tableNamed(table) !== undefined)
  );
}

interface AreaOptions {
  readonly tokens: number;
  readonly show: ReadonlySet<Shown>;
  readonly locale: Locale;
}

function readArea(document: SheetDocument, place: SheetRange, { tokens, show, locale }: AreaOptions) {
  const { sub } = place;
  const looks = show.has('styles') ? stylesOf(document, place, tokens * charactersPerToken * stylesShare) : {};
  const rect = clipToUsedRange(document, place);
  if (!rect) return { range: formatAddress(sub, place.rect), rows: {}, ...looks };
  const { bottom, ...grid } = readGrid(document, sub, rect, {
    tokens: tokens - (show.has('styles') ? JSON.stringify(looks).length / charactersPerToken : 0),
    formulas: show.has('formulas'),
    formats: show.has('formats'),
    merges: show.has('merges'),
    exact: show.has('exact'),
    locale,
  });
  return {
    range: formatAddress(sub, { ...rect, bottom }),
    ...grid,
    ...looks,
    ...(bottom < rect.bottom ? { next: formatAddress(sub, { ...rect, top: bottom + 1 }) } : {}),
  };
}

/** Returns styles, sizes, and frozen rows and columns of a range, shortened to a number of characters. */
function stylesOf(document: SheetDocument, { sub, rect }: SheetRange, characters: number) {
  const grid = { ...rect, bottom: Math.min(rect.bottom, sub.rows - 1), right: Math.min(rect.right, sub.cols - 1) };
  const styles = cutRecord(readStyles(document, sub, grid), characters / 2);
  const sizes = cutRecord(readSizes(sub, grid), characters / 2);
  const { freeze } = sub;
  return {
    styles: { ...styles.record, ...(styles.left > 0 ? { '…': `${styles.left} more` } : {}) },
    ...(Object.keys(sizes.record).length > 0 ? { sizes: sizes.record } : {}),
    ...(freeze.rows + freeze.cols > 0 ? { frozen: `${freeze.rows} rows, ${freeze.cols} columns` } : {}),
  };
}
