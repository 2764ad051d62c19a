import { z } from 'zod';
import { invalid } from '../../sheet/errors.ts';
import { cursor, flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { fileInfo, toFileInfo } from '../schema.ts';

export const list_files = operation({
  name: 'list_files',
  summary: 'Lists the spreadsheets the caller owns or has access to, most recently changed first.',
  effect: 'read',
  input: z.object({
    cursor: cursor(),
    limit: integer('Maximum number of results.', { min: 1, max: 50 }),
    deleted: flag('Whether to list the trash.').optional(),
  }),
  output: z.object({
    files: list('Spreadsheets, most recently changed first.', fileInfo),
    next_cursor: text('Cursor of the next page.'),
    is_end: flag('Whether this is the last page.'),
  }),
  async run(input, context) {
    const found = await context.sheets.list({
      userId: context.caller.userId,
      deleted: input.deleted,
      after: readCursor(input.cursor),
      limit: input.limit + 1,
    });
    const page = found.slice(0, input.limit);
    const last = page.at(-1)?.document;
    return {
      files: page.map(({ document, role }) => toFileInfo(document, role, context.publicUrl.url)),
      next_cursor: last ? `${last.modifiedAt}.${last.id}` : '',
      is_end: found.length <= input.limit,
    };
  },
});

function readCursor(text: string): { modifiedAt: number; id: string } | undefined {
  if (text === '') return undefined;
  const match = /^(\d{1,16})\.([A-Za-z0-9_-]{1,128})$/.exec(text);
  if (!match)
    throw invalid(`cursor: must be a next_cursor from a previous page (got ${JSON.stringify(text.slice(0, 60))})`);
  return { modifiedAt: Number(match[1]), id: match[2]! };
}
