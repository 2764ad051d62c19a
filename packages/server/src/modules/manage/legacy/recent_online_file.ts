import { z } from 'zod';
import { integer, integerEnum, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { legacyAnswer, legacyFields } from '../legacy-schema.ts';
import { fileUrl } from '../schema.ts';

const usualCount = 100;
const maxPage = 100;

export const recent_online_file = operation({
  name: 'recent_online_file',
  summary: 'Lists spreadsheets page by page, in the older format.',
  deprecated: 'use list_files.',
  effect: 'read',
  input: z.object({
    num: integer('Page, starting at 1.', { min: 1, max: maxPage }),
    count: integer(`Spreadsheets per page. Default: ${usualCount}.`, { min: 1, max: usualCount }).optional(),
    order_by: integerEnum(
      'Order of the page: 0 and 1 last changed first, 2 by title. Default: 0.',
      [0, 1, 2],
    ).optional(),
  }),
  output: z.object({
    files: list(
      'Spreadsheets.',
      z.object({
        file_id: text("The document's id."),
        file_name: text('Its title.'),
        file_url: text('Address of the spreadsheet in the browser.'),
      }),
    ),
    ...legacyFields,
  }),
  async run({ num, count = usualCount, order_by: order = 0 }, context) {
    const found = await context.sheets.list({ userId: context.caller.userId, limit: num * count });
    const page = found.slice((num - 1) * count).map(({ document }) => ({
      file_id: document.id,
      file_name: document.title,
      file_url: fileUrl(context.publicUrl.url, document.id),
    }));
    if (order === 2) page.sort((one, other) => (one.file_name < other.file_name ? -1 : 1));
    return { files: page, ...legacyAnswer(context) };
  },
});
