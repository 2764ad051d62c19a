import type { Migration } from './migration.ts';

/**
 * Adds the column `filed_version` to the items of knowledge bases. An item can be a copy of a spreadsheet, whose id is
 * in `content_id`. The column then contains the version of the spreadsheet that was copied; for all other items it is
 * 0. The copy is replaced when the spreadsheet has a newer version.
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
