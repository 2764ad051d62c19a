import { z } from 'zod';
import { list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { formatAddress, resolveAddress, usedRangeOrA1, clipToUsedRange } from '../calls/address.ts';
import { readTool } from '../calls/tool.ts';
import { getLocale, defaultLocale } from '../cells/locale.ts';
import { readGrid } from '../reading/read-grid.ts';
import { addressField, localeField, rowsOutput, defaultSheetField, tokensField, defaultMaxTokens } from '../schema.ts';

export const read = readTool({
  name: 'read',
  summary:
    'Reads cells as a compact grid by row number: what they show; formulas once for the cells they fill. write ' +
    'accepts the answer. next tells what to read next.\nExample: {"range":"Sales!A1:D20","show":["formulas"]}',
  input: {
    range: addressField('As A1:D9, Sheet2!A:C, a sub-sheet, name or heading. Default: all.').optional(),
    ...defaultSheetField,
    show: list(
      'What else to return; formats are number formats, exact gives all digits.',
      oneOf('What.', ['formulas', 'formats', 'merges', 'exact']),
      { max: 4 },
    ).optional(),
    ...localeField,
    ...tokensField(defaultMaxTokens),
  },
  output: {
    range: text('What was read, as Sheet1!A1:D9.'),
    rows: rowsOutput,
    formulas: z
      .record(z.string(), z.string())
      .meta({ description: 'Cells, and the formula of the first of them.' })
      .optional(),
    formats: z.record(z.string(), z.string()).meta({ description: 'Cells, and their number format.' }).optional(),
    merges: list('Merged ranges.', text('As A1:C1.')).optional(),
    next: text('What remains to be read.').optional(),
  },
  read(document, input) {
    const place =
      input.range === undefined ? wholeSheet() : resolveAddress(document, input.range, { sheet: input.sheet_id });
    function wholeSheet(): ReturnType<typeof resolveAddress> {
      const { sub } = resolveAddress(document, 'A1', { sheet: input.sheet_id });
      return { sub, rect: usedRangeOrA1(document, sub) };
    }
    const { sub } = place;
    const rect = clipToUsedRange(document, place);
    if (!rect) return { range: formatAddress(sub, place.rect), rows: {} };
    const show = new Set(input.show);
    const { bottom, ...grid } = readGrid(document, sub, rect, {
      tokens: input.max_tokens ?? defaultMaxTokens,
      formulas: show.has('formulas'),
      formats: show.has('formats'),
      merges: show.has('merges'),
      exact: show.has('exact'),
      locale: input.locale === undefined ? defaultLocale : getLocale(input.locale),
    });
    return {
      range: formatAddress(sub, { ...rect, bottom }),
      ...grid,
      ...(bottom < rect.bottom ? { next: formatAddress(sub, { ...rect, top: bottom + 1 }) } : {}),
    };
  },
});
