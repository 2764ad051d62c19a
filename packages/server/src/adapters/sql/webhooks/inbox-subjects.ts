import type { Sql } from '../database.ts';
import { queryInChunks, sql } from '../statement.ts';

/**
 * Maps the id of each written object to what a webhook can watch and report for it. `subject` is the watched id: the
 * object itself, the knowledge base or notebook that contains it, or a user whose inbox the write may have changed.
 * `target` is the id that the webhook reports as changed.
 */
export type SubjectsOfTarget = Map<string, { subject: string; target: string }[]>;

/**
 * Adds to `places`, as subjects, the users whose inboxes (lists of notifications) the writes may have changed:
 * followers, receivers of comments, and users with whom an object was shared. Considers only users who have a webhook
 * for their inbox.
 */
export async function addInboxes(tx: Sql, places: SubjectsOfTarget, rows: readonly { at: number }[]): Promise<void> {
  const active = await tx.all<{ user_id: string }>(
    "SELECT DISTINCT user_id FROM webhook WHERE kind = 'inbox' AND state = 'active'",
  );
  if (active.length === 0 || rows.length === 0) return;
  const users = active.map((row) => row.user_id);
  // Whoever follows a knowledge base is also informed about its items, and whoever follows a notebook about its notes.
  // So map each base, notebook or other subject to the written objects in it.
  const targetsOf = new Map<string, string[]>();
  for (const [target, found] of places)
    for (const { subject } of found) targetsOf.set(subject, [...(targetsOf.get(subject) ?? []), target]);
  const since = Math.min(...rows.map((row) => row.at));
  await queryInChunks([...targetsOf.keys()], async (list) => {
    for (const user of users) {
      const concerned = await tx.all<{ id: string }>(sql`SELECT subject_id AS id FROM follow WHERE user_id = ${user}
        AND is_following = 1 AND subject_id IN (${list})
        UNION SELECT subject_id AS id FROM comment_notice WHERE user_id = ${user} AND at >= ${since}
        AND subject_id IN (${list})
        UNION SELECT subject_id AS id FROM share_grant WHERE created_at >= ${since} AND subject_id IN (${list})
        AND (grantee IN (${user}, '*') OR grantee IN (SELECT group_id FROM group_member WHERE user_id = ${user}))
        UNION SELECT document_id AS id FROM document_member WHERE user_id = ${user} AND added_at >= ${since}
        AND document_id IN (${list})
        UNION SELECT base_id AS id FROM wiki_member WHERE user_id = ${user} AND added_at >= ${since}
        AND base_id IN (${list})`);
      for (const { id } of concerned)
        for (const target of targetsOf.get(id) ?? []) places.get(target)!.push({ subject: user, target });
    }
  });
}
