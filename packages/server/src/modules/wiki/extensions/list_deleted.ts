import type { z } from 'zod';
import { cursor, integer, list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor, pageOf, readCursor } from '../../../kernel/paging.ts';
import type { Folder, Item } from '../../../ports/wiki-store.ts';
import { trashMs } from '../wiki-writes.ts';
import { requireBase } from '../permissions.ts';
import { baseId, knowledgeEntry, toFolderEntry, toItemEntry } from '../schema.ts';

const deletedEntry = knowledgeEntry.extend({
  delete_time: integer('Unix milliseconds.'),
  expire_time: integer('Time of permanent deletion in Unix milliseconds.'),
});

export const list_deleted = operation({
  summary:
    'Lists the trash of a knowledge base, most recently deleted first; the contents of a deleted folder are ' +
    'not listed separately. restore_knowledge restores them.\nExample: ' +
    '{"knowledge_base_id":"kb_...","cursor":"","limit":20}',
  effect: 'read',
  input: {
    knowledge_base_id: baseId(),
    cursor: cursor(),
    limit: integer('Maximum number of results.', { min: 1, max: 50 }),
  },
  output: {
    knowledge_list: list('Folders (media_type 99) and items.', deletedEntry),
    is_end: isEnd(),
    next_cursor: nextCursor(),
  },
  async run(input, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'edit');
    const scope = `list_deleted ${base.id}`;
    const after = readCursor(scope, input.cursor);
    const found = await context.wiki.tree.listTrash(
      base.id,
      after && { deletedAt: Number(after[0]), id: String(after[1]) },
      input.limit + 1,
    );
    const { page, is_end, next_cursor } = pageOf(found, input.limit, scope, (last) => [last.deletedAt ?? 0, last.id]);
    const tags = await context.wiki.items.tags(page.map((entry) => entry.id));
    return {
      knowledge_list: page.map((entry) => toDeletedEntry(entry, tags.get(entry.id) ?? [])),
      is_end,
      next_cursor,
    };
  },
});

function toDeletedEntry(entry: Folder | Item, tags: readonly string[]): z.input<typeof deletedEntry> {
  const deletedAt = entry.deletedAt ?? 0;
  return {
    ...('name' in entry ? toFolderEntry(entry) : toItemEntry(entry, tags)),
    delete_time: deletedAt,
    expire_time: deletedAt + trashMs,
  };
}
