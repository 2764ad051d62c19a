import type { Migration } from './migration.ts';

/**
 * Titles are looked up two thousand at a time. The title's hash is more selective than the folder, so it comes first in
 * the index. SQLite also reads the title from the index; PostgreSQL's index cannot hold texts as long as a title may
 * be.
 */
export const titleIndex: Migration = {
  number: 8,
  name: 'titles by their number',
  statements: (d) => [
    'DROP INDEX wiki_item_title',
    `CREATE INDEX wiki_item_title ON wiki_item(title_hash, folder_id${d.name === 'sqlite' ? ', title' : ''}) WHERE deleted_at IS NULL AND is_file = 1`,
  ],
};
