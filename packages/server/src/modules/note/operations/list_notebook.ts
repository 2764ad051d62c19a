import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { decodeCursor, encodeCursor } from '../../../lib/cursor.ts';
import { fail } from '../../../kernel/errors.ts';
import { cursor, flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { formatValue } from '../../../kernel/parse-input.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor } from '../../../kernel/paging.ts';
import type { NoteTotals } from '../../../ports/note-store.ts';
import { uncategorizedFolderId, uncategorizedName, rootFolderId, allNotesName } from '../notebook-folders.ts';
import { noteFolderInfo, plainString, toNoteFolderInfo } from '../schema.ts';

type Info = z.input<typeof noteFolderInfo>;

export const list_notebook = operation({
  summary:
    'Lists the caller\'s notebooks: "all notes" and "uncategorized" first, then the user\'s own, oldest ' +
    'first.\nExample: {"cursor":"0","limit":20}',
  effect: 'read',
  input: {
    cursor: cursor(),
    limit: integer('Maximum number of results.', { min: 1, max: 20 }),
    version: plainString('next_version of an earlier answer; if nothing changed since, the list is empty.').optional(),
  },
  output: {
    note_folder_infos: list('The notebooks.', noteFolderInfo),
    next_cursor: nextCursor(),
    is_end: isEnd(),
    next_version: text('List version; send it as version in the next call.'),
    need_update: flag('Whether the list differs from the version sent; true if none was sent.'),
  },
  async run(input, context) {
    const { userId } = context.caller;
    const space = await context.notes.totals(userId);
    const next_version = String(space.version);
    const need_update = input.version !== next_version;
    if (!need_update && input.cursor === '')
      return { note_folder_infos: [], next_cursor: '', is_end: true, next_version, need_update };
    const scope = `list_notebook ${userId}`;
    const start = startOf(scope, input.cursor);
    const roots = rootsOf(userId, space).slice(start.roots, start.roots + input.limit);
    const room = input.limit - roots.length;
    // Fetch one notebook more than needed, to find out whether there is a next page.
    const found = await made(context, start.after, room + 1);
    const page = found.slice(0, room);
    const isLast = found.length <= room && start.roots + roots.length >= 2;
    const last = page.at(-1);
    const after = last ? [2, last.createdAt, last.id] : [start.roots + roots.length];
    return {
      note_folder_infos: [...roots, ...page.map(toNoteFolderInfo)],
      next_cursor: isLast ? '' : encodeCursor(scope, after),
      is_end: isLast,
      next_version,
      need_update,
    };
  },
});

function made(context: Context, after: { value: number; id: string } | undefined, limit: number) {
  return context.notes.notebooks(context.caller.userId, { after, limit });
}

function rootsOf(userId: string, space: NoteTotals): Info[] {
  const { createdAt: create_time, modifiedAt: modify_time } = space;
  const top = rootFolderId(userId);
  return [
    {
      folder_id: top,
      name: allNotesName,
      create_time,
      modify_time,
      note_number: space.noteCount,
      parent_folder_id: '',
      folder_type: 1,
    },
    {
      folder_id: uncategorizedFolderId(userId),
      name: uncategorizedName,
      create_time,
      modify_time,
      note_number: space.looseCount,
      parent_folder_id: top,
      folder_type: 2,
    },
  ];
}

/** Decodes the cursor: how many of the two built-in notebooks were already returned, and the last returned notebook. */
function startOf(scope: string, text: string): { roots: number; after?: { value: number; id: string } } {
  if (text === '') return { roots: 0 };
  const [roots, value, id] = decodeCursor(scope, text) ?? [];
  if (typeof roots !== 'number')
    throw fail(
      'invalid_parameter',
      `cursor: must be "0" or the next_cursor of a previous page (got ${formatValue(text)})`,
    );
  return { roots, ...(typeof value === 'number' && typeof id === 'string' ? { after: { value, id } } : {}) };
}
