import type { Migration } from './migration.ts';

/**
 * Charges more kinds of stored data to the users' storage quotas, including existing data. `kept_object` lists blobs
 * (stored files) that are charged to a user through no other row. `stored_bytes` is the size of a spreadsheet's log and
 * snapshots. `counted_bytes` is this size rounded up to whole blocks of 16 KiB, as charged in `storage_use`.
 */
export const storageAccounting: Migration = {
  number: 9,
  name: 'storage counted on every path',
  statements: (d) => {
    const bytes = (column: string): string =>
      d.name === 'sqlite' ? `LENGTH(CAST(${column} AS BLOB))` : `OCTET_LENGTH(${column})`;
    return [
      `CREATE TABLE kept_object (key ${d.text} PRIMARY KEY, user_id ${d.text} NOT NULL, bytes BIGINT NOT NULL)`,
      'ALTER TABLE document ADD COLUMN stored_bytes BIGINT NOT NULL DEFAULT 0',
      'ALTER TABLE document ADD COLUMN counted_bytes BIGINT NOT NULL DEFAULT 0',
      'CREATE INDEX document_deleted ON document(deleted_at) WHERE deleted_at IS NOT NULL',
      `UPDATE document SET stored_bytes = CAST(
         COALESCE((SELECT SUM(${bytes('r.mutations')} + ${bytes('r.inverse')}) FROM revision r WHERE r.document_id = document.id), 0)
         + COALESCE((SELECT SUM(s.size) FROM document_snapshot s WHERE s.document_id = document.id), 0) AS BIGINT)`,
      'UPDATE document SET counted_bytes = ((stored_bytes + 16383) / 16384) * 16384',
      `INSERT INTO storage_use (user_id, bytes)
         SELECT kept.user_id, CAST(SUM(kept.bytes) AS BIGINT) FROM (
           SELECT owner_id AS user_id, counted_bytes AS bytes FROM document UNION ALL SELECT owner_id, size FROM sheet_image) AS kept
         WHERE kept.bytes > 0 GROUP BY kept.user_id
         ON CONFLICT (user_id) DO UPDATE SET bytes = storage_use.bytes + excluded.bytes`,
    ];
  },
};
