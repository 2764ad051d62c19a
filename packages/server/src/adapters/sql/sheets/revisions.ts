import type { Revision, RevisionSummary } from '../../../ports/sheet-store.ts';
import type { Database, Sql } from '../database.ts';
import type { Row } from '../row.ts';
import { sql } from '../statement.ts';
import { BulkInsert } from '../bulk-insert.ts';
import { revisionChecksum } from '../checksums.ts';

type RevisionRow = Row<Revision>;

const newRevisions = new BulkInsert(
  'INSERT INTO revision (document_id, version, user_id, at, tool, seed, mutations, inverse, checksum) VALUES',
  9,
);

export async function addRevisions(tx: Sql, id: string, revisions: readonly Revision[]): Promise<void> {
  const rows = revisions.map((r) => [
    id,
    r.version,
    r.userId,
    r.at,
    r.tool,
    r.seed,
    r.mutations,
    r.inverse,
    revisionChecksum(r),
  ]);
  await tx.add(newRevisions, rows);
}

export async function listRevisions(
  db: Pick<Database, 'all'>,
  id: string,
  after: number,
  limit: number,
): Promise<Revision[]> {
  const rows = await db.all<RevisionRow>(sql`SELECT version, user_id, at, tool, seed, mutations, inverse FROM revision
    WHERE document_id = ${id} AND version > ${after} ORDER BY version LIMIT ${limit}`);
  return rows.map(({ user_id: userId, ...rest }) => ({ ...rest, userId }));
}

export async function listHistory(
  db: Pick<Database, 'all'>,
  id: string,
  before: number,
  limit: number,
): Promise<RevisionSummary[]> {
  const rows = await db.all<Pick<RevisionRow, 'version' | 'user_id' | 'at' | 'tool'>>(sql`SELECT version, user_id, at,
    tool FROM revision WHERE document_id = ${id} AND version < ${before} ORDER BY version DESC LIMIT ${limit}`);
  return rows.map(({ user_id: userId, ...rest }) => ({ ...rest, userId }));
}

export function listShortRevisions(
  db: Pick<Database, 'all'>,
  id: string,
  from: number,
  to: number,
  maxLength: number,
): Promise<Pick<RevisionRow, 'version' | 'mutations' | 'inverse'>[]> {
  return db.all(sql`SELECT version, mutations, inverse FROM revision WHERE document_id = ${id} AND version >= ${from}
    AND version <= ${to} AND length(mutations) + length(inverse) <= ${maxLength} ORDER BY version`);
}
