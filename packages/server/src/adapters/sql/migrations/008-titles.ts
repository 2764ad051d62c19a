import type { Migration } from './migration.ts';

/**
 * Names are looked up two thousand at a time. The number of a title tells more than its folder, so it comes first; and SQLite
 * finds the title to compare in the index itself (PostgreSQL's takes no text as long as a title may be).
 */
export const titles: Migration = {
  number: 8,
  name: 'titles by their number',
  statements: (d) => [
    'DROP INDEX wiki_item_title',
    `CREATE INDEX wiki_item_title ON wiki_item(title_hash, folder_id${d.name === 'sqlite' ? ', title' : ''}) WHERE deleted_at IS NULL AND is_file = 1`,
  ],
};
