import type { Migration } from './migration.ts';

/**
 * Adds indexes of the items and folders that were deleted directly (not with their folder), in the order of the trash
 * list.
 */
export const trashIndexes: Migration = {
  number: 6,
  name: 'trash of knowledge bases',
  statements: () => [
    'CREATE INDEX wiki_item_trash ON wiki_item(base_id, deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL AND trash_id = id',
    'CREATE INDEX wiki_folder_trash ON wiki_folder(base_id, deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL AND trash_id = id',
  ],
};
