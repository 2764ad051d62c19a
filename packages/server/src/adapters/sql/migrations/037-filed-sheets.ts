import type { Migration } from './migration.ts';

/**
 * Adds the version of the spreadsheet that an item is a copy of. The copy is replaced when the spreadsheet has a newer
 * version; the spreadsheet's id is in `content_id`. 0 for all other items.
 */
export const filedSheets: Migration = {
  number: 37,
  name: 'filed spreadsheets',
  worksWith: 23,
  statements: () => [
    'ALTER TABLE wiki_item ADD COLUMN filed_version BIGINT NOT NULL DEFAULT 0',
    'CREATE INDEX wiki_item_filed ON wiki_item(content_id) WHERE filed_version > 0',
  ],
};
