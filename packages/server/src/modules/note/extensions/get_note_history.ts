import { z } from 'zod';
import { cursor, integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor, pageOf, readCursor } from '../../../kernel/paging.ts';
import { userNames } from '../../../kernel/user-names.ts';
import { requireNote } from '../note-access.ts';
import { noteIdFields, noteIds } from '../schema.ts';

export const get_note_history = operation({
  summary:
    "Lists the versions of a note's text, newest first, with the time, user, key and operation of each. " +
    'export_note reads a version; restore_note_version restores it.\nExample: {"note_id":"note_..."}',
  effect: 'read',
  input: {
    ...noteIdFields,
    cursor: cursor().optional(),
    limit: integer('Maximum number of results. Default: 20.', { min: 1, max: 100 }).optional(),
  },
  output: {
    ...noteIds,
    version: integer('Number of the latest version.'),
    open_suggestions: integer('Number of suggestions that await a decision; see list_suggestions.'),
    versions: list(
      'Entries, newest first.',
      z.object({
        version: integer('Version number, starting at 1.'),
        time: integer('Unix milliseconds.'),
        title: text('Title at that version.'),
        size: integer('Size of the Markdown in bytes.'),
        operation: text('Operation that created the version, e.g. note.append_doc.'),
        user_id: text('User who created the version.'),
        user_name: text("The user's name; empty if the account no longer exists."),
        key_id: text('API key or session that created the version.'),
        reason: text('Why, as the caller said; absent if it did not.').optional(),
      }),
    ),
    next_cursor: nextCursor(),
    is_end: isEnd(),
  },
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id, cursor: from, limit = 20 }, context) {
    const note = await requireNote(context, id, 'read');
    const scope = `get_note_history ${id}`;
    const [before] = readCursor(scope, from, 'a previous page') ?? [];
    const found = await context.notes.versions(id, {
      before: typeof before === 'number' ? before : undefined,
      limit: limit + 1,
    });
    const { page, is_end, next_cursor } = pageOf(found, limit, scope, ({ version }) => [version]);
    const userOf = ({ userId }: (typeof page)[number]): string => userId || note.userId;
    const names = await userNames(context.accounts, page.map(userOf));
    return {
      note_id: id,
      doc_id: id,
      version: note.version,
      open_suggestions: await context.suggestions.countOpen(id),
      versions: page.map((one) => ({
        version: one.version,
        time: one.at,
        title: one.title,
        size: one.size,
        operation: one.operation,
        user_id: userOf(one),
        user_name: names.get(userOf(one)) ?? '',
        key_id: one.keyId,
        ...(one.reason === '' ? {} : { reason: one.reason }),
      })),
      next_cursor,
      is_end,
    };
  },
});
