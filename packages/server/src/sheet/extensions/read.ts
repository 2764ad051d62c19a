import { z } from 'zod';
import { list, oneOf, text } from '../../operation/fields.ts';
import { addressOf, placeNamed, usedOf, usedPart } from '../calls/address.ts';
import { readTool } from '../calls/tool.ts';
import { localeOf, usual } from '../cells/locale.ts';
import { gridOf } from '../reading/grid.ts';
import {
  addressField,
  fileFields,
  localeField,
  rowsOutput,
  ownSheetField,
  tokensField,
  usualTokens,
} from '../schema.ts';

export const read = readTool({
  name: 'read',
  summary:
    'Reads cells as a compact grid by row number: what they show; formulas once for the cells they fill. write ' +
    'accepts the answer. next tells what to read next.\nExample: {"range":"Sales!A1:D20","show":["formulas"]}',
  input: z.object({
    ...fileFields,
    range: addressField('As A1:D9, Sheet2!A:C, a sub-sheet, name or heading. Default: all.').optional(),
    ...ownSheetField,
    show: list(
      'What else to return; formats are number formats, exact gives all digits.',
      oneOf('What.', ['formulas', 'formats', 'merges', 'exact']),
      { max: 4 },
    ).optional(),
    ...localeField,
    ...tokensField(usualTokens),
  }),
  output: z.object({
    range: text('What was read, as Sheet1!A1:D9.'),
    rows: rowsOutput,
    formulas: z
      .record(z.string(), z.string())
      .meta({ description: 'Cells, and the formula of the first of them.' })
      .optional(),
    formats: z.record(z.string(), z.string()).meta({ description: 'Cells, and their number format.' }).optional(),
    merges: list('Merged ranges.', text('As A1:C1.')).optional(),
    next: text('What remains to be read.').optional(),
  }),
  read(document, input) {
    const place =
      input.range === undefined ? wholeSheet() : placeNamed(document, input.range, { sheet: input.sheet_id });
    function wholeSheet(): ReturnType<typeof placeNamed> {
      const { sub } = placeNamed(document, 'A1', { sheet: input.sheet_id });
      return { sub, rect: usedOf(document, sub) };
    }
    const { sub } = place;
    const rect = usedPart(document, place);
    if (!rect) return { range: addressOf(sub, place.rect), rows: {} };
    const show = new Set(input.show);
    const { bottom, ...grid } = gridOf(document, sub, rect, {
      tokens: input.max_tokens ?? usualTokens,
      formulas: show.has('formulas'),
      formats: show.has('formats'),
      merges: show.has('merges'),
      exact: show.has('exact'),
      locale: input.locale === undefined ? usual : localeOf(input.locale),
    });
    return {
      range: addressOf(sub, { ...rect, bottom }),
      ...grid,
      ...(bottom < rect.bottom ? { next: addressOf(sub, { ...rect, top: bottom + 1 }) } : {}),
    };
  },
});
