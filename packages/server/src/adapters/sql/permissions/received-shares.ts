import type { ReceivedShare } from '../../../ports/inbox-store.ts';
import type { ResourceKind } from '../../../ports/permission-store.ts';
import type { Database } from '../database.ts';
import { sql } from '../statement.ts';
import { everyone } from './grants.ts';

const maxShares = 300;

interface ShareRow {
  kind: ResourceKind;
  id: string;
  by_id: string;
  at: number;
}

/** Returns the objects that other users have shared with the user since a time, newest first. */
export async function listReceivedShares(
  db: Pick<Database, 'all'>,
  userId: string,
  since: number,
): Promise<ReceivedShare[]> {
  const rows = await db.all<ShareRow>(sql`SELECT s.kind, s.subject_id AS id, s.granted_by AS by_id, s.created_at AS at
    FROM share_grant s WHERE s.grantee IN (${userId}, ${everyone}) AND s.granted_by <> ${userId}
    AND s.created_at > ${since}
    UNION ALL SELECT s.kind, s.subject_id AS id, s.granted_by AS by_id,
      CASE WHEN g.added_at > s.created_at THEN g.added_at ELSE s.created_at END AS at
    FROM group_member g JOIN share_grant s ON s.grantee = g.group_id
    WHERE g.user_id = ${userId} AND s.granted_by <> ${userId} AND (g.added_at > ${since} OR s.created_at > ${since})
    UNION ALL SELECT 'sheet' AS kind, m.document_id AS id, d.owner_id AS by_id, m.added_at AS at
    FROM document_member m JOIN document d ON d.id = m.document_id
    WHERE m.user_id = ${userId} AND m.added_at > ${since} AND d.owner_id <> ${userId}
    UNION ALL SELECT 'base' AS kind, m.base_id AS id, b.created_by AS by_id, m.added_at AS at
    FROM wiki_member m JOIN wiki_base b ON b.id = m.base_id
    WHERE m.user_id = ${userId} AND m.added_at > ${since} AND b.created_by <> ${userId}
    ORDER BY at DESC LIMIT ${maxShares}`);
  return rows.map(({ kind, id, by_id: by, at }) => ({ kind, id, by, at }));
}
