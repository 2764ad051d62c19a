import { WikiRefused } from '../../../ports/wiki-store.ts';
import type { Sql } from '../database.ts';
import { sql } from '../statement.ts';
import { deleteGrant } from '../permissions/shared-notes.ts';

/**
 * Makes a user a member of a knowledge base, or changes the member's role. Also deletes a role that was granted by
 * sharing. Throws WikiRefused if the base would lose its last owner.
 */
export async function setBaseMember(tx: Sql, baseId: string, userId: string, role: string, at: number): Promise<void> {
  await deleteGrant(tx, 'base', baseId, userId);
  const before = await readRole(tx, baseId, userId);
  if (before === 'owner' && role !== 'owner') await refuseLastOwner(tx, baseId, userId);
  if (before === undefined) return addBaseMember(tx, baseId, userId, role, at);
  await tx.execute(sql`UPDATE wiki_member SET role = ${role} WHERE base_id = ${baseId} AND user_id = ${userId}`);
}

/**
 * Removes a user's membership in a knowledge base and a role granted to the user by sharing. Returns whether the user
 * had either. Throws WikiRefused if the base would lose its last owner.
 */
export async function removeBaseMember(tx: Sql, baseId: string, userId: string): Promise<boolean> {
  const granted = await deleteGrant(tx, 'base', baseId, userId);
  const before = await readRole(tx, baseId, userId);
  if (before === undefined) return granted;
  if (before === 'owner') await refuseLastOwner(tx, baseId, userId);
  await tx.execute(sql`DELETE FROM wiki_member WHERE base_id = ${baseId} AND user_id = ${userId}`);
  await tx.execute(sql`UPDATE wiki_base SET member_count = member_count - 1 WHERE id = ${baseId}`);
  return true;
}

export async function addBaseMember(tx: Sql, baseId: string, userId: string, role: string, at: number): Promise<void> {
  await tx.execute(sql`INSERT INTO wiki_member (base_id, user_id, role, added_at)
    VALUES (${baseId}, ${userId}, ${role}, ${at})`);
  await tx.execute(sql`UPDATE wiki_base SET member_count = member_count + 1 WHERE id = ${baseId}`);
}

/**
 * Ends the memberships of a deleted user. A base of which the user is the only owner keeps the membership, because a
 * base must have an owner.
 */
export async function deleteBaseMembershipsOf(tx: Sql, userId: string): Promise<void> {
  const gone = await tx.all<{ base_id: string }>(sql`DELETE FROM wiki_member WHERE user_id = ${userId}
    AND (role <> 'owner' OR EXISTS (SELECT 1 FROM wiki_member o WHERE o.base_id = wiki_member.base_id
      AND o.role = 'owner' AND o.user_id <> ${userId})) RETURNING base_id`);
  for (const { base_id: id } of gone)
    await tx.execute(sql`UPDATE wiki_base SET member_count = member_count - 1 WHERE id = ${id}`);
}

async function readRole(tx: Sql, baseId: string, userId: string): Promise<string | undefined> {
  const row = await tx.get<{ role: string }>(sql`SELECT role FROM wiki_member WHERE base_id = ${baseId}
    AND user_id = ${userId}`);
  return row?.role;
}

async function refuseLastOwner(tx: Sql, baseId: string, userId: string): Promise<void> {
  const other = await tx.get(sql`SELECT 1 AS found FROM wiki_member WHERE base_id = ${baseId} AND role = 'owner'
    AND user_id <> ${userId}`);
  if (!other) throw new WikiRefused({ reason: 'last_owner' });
}
