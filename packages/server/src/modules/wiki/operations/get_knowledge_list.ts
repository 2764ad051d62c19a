import { cursor, integer, list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor, pageOf, readCursor } from '../../../kernel/paging.ts';
import type { Folder, Item, ListPosition } from '../../../ports/wiki-store.ts';
import { withReportedStates } from '../item-states.ts';
import { requireBase, resolveFolder } from '../permissions.ts';
import {
  baseId,
  folderId,
  folderInfo,
  knowledgeEntry,
  rootInfo,
  toFolderEntry,
  toFolderInfo,
  toItemEntry,
} from '../schema.ts';

export const get_knowledge_list = operation({
  summary:
    'Lists a folder of a knowledge base: pinned folders, other folders, then items, newest first. To find ' +
    'items by words use search_knowledge.\nExample: {"cursor":"","limit":20,"knowledge_base_id":"kb_..."}',
  effect: 'read',
  input: {
    cursor: cursor(),
    limit: integer('Maximum number of results.', { min: 1, max: 50 }),
    knowledge_base_id: baseId(),
    folder_id: folderId().optional(),
  },
  output: {
    knowledge_list: list('Folders (media_type 99) and items.', knowledgeEntry),
    is_end: isEnd(),
    next_cursor: nextCursor(),
    current_path: list('Path from the root to this folder.', folderInfo),
  },
  async run(input, context) {
    const { tree, items } = context.wiki;
    const base = await requireBase(context, input.knowledge_base_id, 'view');
    const folder = await resolveFolder(context, base, input.folder_id);
    const scope = `get_knowledge_list ${folder}`;
    const after = readCursor(scope, input.cursor);
    const found = await tree.list(
      base.id,
      folder,
      after && ({ group: Number(after[0]), place: Number(after[1]) } as ListPosition),
      input.limit + 1,
    );
    const entries = [...found.folders, ...(await withReportedStates(context, found.items))];
    const { page, is_end, next_cursor } = pageOf(entries, input.limit, scope, (last) => [groupOf(last), last.place]);
    const tags = await items.tags(found.items.map((item) => item.id));
    return {
      knowledge_list: page.map((entry) =>
        'name' in entry ? toFolderEntry(entry) : toItemEntry(entry, tags.get(entry.id) ?? []),
      ),
      is_end,
      next_cursor,
      current_path: [rootInfo(base), ...(await tree.path(base.id, folder)).map(toFolderInfo)],
    };
  },
});

function groupOf(entry: Folder | Item): ListPosition['group'] {
  if (!('name' in entry)) return 2;
  return entry.isTop ? 0 : 1;
}
