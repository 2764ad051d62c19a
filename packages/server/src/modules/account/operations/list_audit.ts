import { z } from 'zod';
import { integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';

const pageSize = 100;

export const list_audit = operation({
  summary: "Lists recorded writes, newest first. Members see their own, the owner everyone's.",
  effect: 'read',
  input: {
    user_id: text('Whose writes to list (owner only); me for those of the caller.', { max: 64 }).optional(),
    operation: text('E.g. note.import_doc.', { max: 64 }).optional(),
    module: text('Module of the operations, e.g. note.', { max: 32 }).optional(),
    by: oneOf('Only by people in the page, or only by keys and apps.', ['people', 'apps']).optional(),
    since: integer('Earliest time, in Unix milliseconds.', { min: 0, max: Number.MAX_SAFE_INTEGER }).optional(),
    cursor: text('Page cursor.', { max: 20 }).regex(/^\d*$/, 'must be a next_cursor from a previous page').optional(),
    limit: integer('Maximum number of results.', { min: 1, max: pageSize }).optional(),
  },
  output: {
    rows: list(
      'Entries, newest first.',
      z.object({
        at: integer('Unix milliseconds.'),
        user_id: text('Who.'),
        key_id: text('Key or session that made the write; empty for the command line.'),
        operation: text('What.'),
        target: text('Id of what was written.'),
        request_id: text('Request id of the call (x-request-id).'),
        reason: text('Why, as the caller said; absent if it did not.').optional(),
      }),
    ),
    next_cursor: text('Cursor of the next page.'),
    is_end: z.boolean().meta({ description: 'Whether this is the last page.' }),
  },
  async run(input, { accounts, caller }) {
    const limit = input.limit ?? pageSize;
    const userId = caller.role === 'owner' && input.user_id !== 'me' ? input.user_id : caller.userId;
    const found = await accounts.listAudit({
      userId,
      operation: input.operation,
      module: input.module,
      by: input.by,
      since: input.since,
      before: input.cursor ? Number(input.cursor) : undefined,
      limit: limit + 1,
    });
    const rows = found.slice(0, limit);
    return {
      rows: rows.map((row) => ({
        at: row.at,
        user_id: row.userId,
        key_id: row.keyId,
        operation: row.operation,
        target: row.target,
        request_id: row.requestId,
        ...(row.reason === '' ? {} : { reason: row.reason }),
      })),
      next_cursor: rows.length > 0 ? String(rows.at(-1)!.id) : '',
      is_end: found.length <= limit,
    };
  },
});
