import { z } from 'zod';
import { integer, list, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';

const pageSize = 100;

export const list_audit = operation({
  name: 'list_audit',
  summary: "Lists who wrote what, newest first. Members see their own writes, the owner everybody's.",
  effect: 'read',
  input: z.object({
    user_id: text("Only this user's writes (owner only).", { max: 64 }).optional(),
    operation: text('Only this operation, e.g. note.import_doc.', { max: 64 }).optional(),
    cursor: text('"" first, then the previous answer\'s next_cursor.', { max: 20 })
      .regex(/^\d*$/, 'must come from next_cursor')
      .optional(),
    limit: integer('How many at most.', { min: 1, max: pageSize }).optional(),
  }),
  output: z.object({
    rows: list(
      'Newest first.',
      z.object({
        at: integer('Unix milliseconds.'),
        user_id: text('Who.'),
        key_id: text('By which key or session; empty for the command line.'),
        operation: text('What.'),
        target: text('To what: an id.'),
        request_id: text('The x-request-id of the call.'),
      }),
    ),
    next_cursor: text('For the next page.'),
    is_end: z.boolean().meta({ description: 'Whether this was the last page.' }),
  }),
  async run(input, { accounts, caller }) {
    const limit = input.limit ?? pageSize;
    const userId = caller.role === 'owner' ? input.user_id : caller.userId;
    const found = await accounts.listAudit({
      userId,
      operation: input.operation,
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
      })),
      next_cursor: rows.length > 0 ? String(rows.at(-1)!.id) : '',
      is_end: found.length <= limit,
    };
  },
});
