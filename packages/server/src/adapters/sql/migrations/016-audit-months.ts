import type { Migration } from './migration.ts';

/**
 * Partitions the audit log by month on PostgreSQL, so that old months are dropped instead of deleted row by row. The
 * existing table becomes the first partition, up to the end of this month. Later partitions are created in advance
 * (packages/server/src/adapters/sql/audit-partitions.ts). Rows that fit no partition because of a wrong clock go to
 * `audit_rest`.
 *
 * Ids come from a sequence, because identity columns of partitioned tables need PostgreSQL 17. SQLite deletes rows by
 * time and gets an index for it.
 */
export const auditMonths: Migration = {
  number: 16,
  name: 'the audit by months',
  statements: (d) =>
    d.name === 'sqlite'
      ? ['CREATE INDEX audit_at ON audit(at)']
      : [
          'ALTER TABLE audit RENAME TO audit_first',
          'ALTER INDEX audit_user RENAME TO audit_first_user',
          'CREATE SEQUENCE audit_number AS BIGINT',
          // Continue the old identity sequence. The highest id in the table is not enough, because the newest rows may
          // be deleted and an id must never be reused.
          "SELECT setval('audit_number', last_value, is_called) FROM audit_id_seq",
          'ALTER TABLE audit_first ALTER COLUMN id DROP IDENTITY',
          'ALTER TABLE audit_first DROP CONSTRAINT audit_pkey',
          `CREATE TABLE audit (
             id BIGINT NOT NULL DEFAULT nextval('audit_number'), at BIGINT NOT NULL, user_id ${d.text} NOT NULL, key_id ${d.text} NOT NULL,
             operation ${d.text} NOT NULL, target ${d.text} NOT NULL, request_id ${d.text} NOT NULL, PRIMARY KEY (id, at)) PARTITION BY RANGE (at)`,
          'ALTER SEQUENCE audit_number OWNED BY audit.id',
          'CREATE INDEX audit_user ON audit(user_id, id)',
          `DO $$ BEGIN
             EXECUTE format('ALTER TABLE audit ATTACH PARTITION audit_first FOR VALUES FROM (MINVALUE) TO (%s)', (extract(epoch FROM
               date_trunc('month', to_timestamp(GREATEST(extract(epoch FROM now()), (SELECT COALESCE(MAX(at), 0) FROM audit_first) / 1000.0))
                 AT TIME ZONE 'UTC') + interval '1 month') * 1000)::bigint);
           END $$`,
          'CREATE TABLE audit_rest PARTITION OF audit DEFAULT',
        ],
};
