import { z } from 'zod';
import { invalid } from '../../sheet/errors.ts';
import { flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { formatValue } from '../../../kernel/parse-input.ts';
import { operation } from '../../../kernel/operation.ts';
import { legacyAnswer, legacyFields } from '../legacy-schema.ts';
import { fileUrl } from '../schema.ts';

const pageLength = 50;

export const folder_list = operation({
  name: 'folder_list',
  summary: 'Lists spreadsheets, as list_files does, in the older format. There is one folder, the root.',
  deprecated: 'use list_files.',
  effect: 'read',
  input: z.object({
    folder_id: text('The root: empty or "/".', { max: 128 }).optional(),
    start: integer('Number of entries to skip. Default: 0.', { min: 0, max: 10_000 }).optional(),
  }),
  output: z.object({
    list: list(
      'Spreadsheets, most recently changed first.',
      z.object({
        id: text("The document's id."),
        title: text('Its title.'),
        url: text('Address of the spreadsheet in the browser.'),
        is_folder: flag('Always false.'),
      }),
    ),
    finish: flag('Whether this is the last page.'),
    ...legacyFields,
  }),
  async run({ folder_id: folder = '', start = 0 }, context) {
    if (folder !== '' && folder !== '/')
      throw invalid(`folder_id: spreadsheets have no folders but the root, "/" (got ${formatValue(folder)})`);
    const found = await context.sheets.list({ userId: context.caller.userId, limit: start + pageLength + 1 });
    return {
      list: found.slice(start, start + pageLength).map(({ document }) => ({
        id: document.id,
        title: document.title,
        url: fileUrl(context.publicUrl.url, document.id),
        is_folder: false,
      })),
      finish: found.length <= start + pageLength,
      ...legacyAnswer(context),
    };
  },
});
