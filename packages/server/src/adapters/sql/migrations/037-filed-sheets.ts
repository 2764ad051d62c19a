import type { Migration } from './migration.ts';

/**
 * An item of a knowledge base can be a copy of a spreadsheet, whose id is then in `content_id`. Adds the column
 * `filed_version`: the version of the spreadsheet that was copied, or 0 for all other items. The copy is replaced when
 * the spreadsheet has a newer version.
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
