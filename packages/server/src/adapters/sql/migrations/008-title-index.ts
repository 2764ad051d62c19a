import type { Migration } from './migration.ts';

/**
 * Replaces the title index of items. The title's hash comes first, because it is more selective than the folder. On
 * SQLite the index also contains the title; PostgreSQL's index cannot hold texts as long as a title may be.
 */
export const titleIndex: Migration = {
  number: 8,
  name: 'titles by their number',
  statements: (d) => [
    'DROP INDEX wiki_item_title',
    `CREATE INDEX wiki_item_title ON wiki_item(title_hash, folder_id${d.name === 'sqlite' ? ', title' : ''}) WHERE deleted_at IS NULL AND is_file = 1`,
  ],
};
