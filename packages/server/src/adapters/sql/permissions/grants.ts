import { accessRoles, type AccessRole, type Resource, type ResourceKind } from '../../../ports/permission-store.ts';
import type { BaseRole } from '../../../ports/wiki-store.ts';
import type { DocumentRole } from '../../../ports/sheet-store.ts';
import { raw, sql, type Statement } from '../statement.ts';

/** Value of the column `grantee` for a grant to everyone who is signed in. */
export const everyone = '*';

/** Value of each role in the column `level`; a higher role has a higher number. */
export const levels: Readonly<Record<AccessRole, number>> = { read: 1, comment: 2, write: 3, own: 4 };

export function roleOfLevel(level: number | null | undefined): AccessRole | undefined {
  return level ? accessRoles[level - 1] : undefined;
}

const memberLevel = raw("CASE role WHEN 'owner' THEN 4 WHEN 'editor' THEN 3 ELSE 1 END");

/** Names that the operations of knowledge bases and spreadsheets use for the roles. */
export const memberRoles = { read: 'viewer', comment: 'commenter', write: 'editor', own: 'owner' } as const;

/**
 * Returns the name of a user's role in a knowledge base. Knowledge bases have no role for commenting, so a user with
 * the level to comment counts as a viewer.
 */
export function baseRoleOf(level: number): BaseRole {
  return level >= levels.own ? 'owner' : level >= levels.write ? 'editor' : 'viewer';
}

export function documentRoleOf(level: number | null): DocumentRole | undefined {
  const role = roleOfLevel(level);
  return role && memberRoles[role];
}

/** First parts of the names of the database locks that writes to objects take, by kind of object. */
const lockNames: Record<ResourceKind, string> = { note: 'note', notebook: 'notebook', base: 'wiki', sheet: 'document' };

export function resourceLock({ kind, id }: Resource): string {
  return `${lockNames[kind]}:${id}`;
}

const memberTables = {
  base: { table: raw('wiki_member'), column: raw('base_id') },
  sheet: { table: raw('document_member'), column: raw('document_id') },
} as const;

/**
 * Returns a query for the `id` and `level` of all grants that apply to the user on objects of a kind: grants to the
 * user, to one of the user's groups, or to everyone. For knowledge bases and spreadsheets, members are included. With
 * `subject`, an SQL expression, only grants on that object are selected. An object may occur several times; its highest
 * level counts.
 */
export function grantsReaching(kind: ResourceKind, userId: string, subject?: Statement): Statement {
  const only = subject ? sql` AND s.subject_id = ${subject}` : raw('');
  const shared = sql`SELECT s.subject_id AS id, s.level FROM share_grant s WHERE s.kind = ${raw(`'${kind}'`)}
    AND s.grantee IN (${userId}, ${raw(`'${everyone}'`)})${only}
    UNION ALL SELECT s.subject_id AS id, s.level FROM group_member g JOIN share_grant s ON s.grantee = g.group_id
    WHERE g.user_id = ${userId} AND s.kind = ${raw(`'${kind}'`)}${only}`;
  if (kind !== 'base' && kind !== 'sheet') return shared;
  const { table, column } = memberTables[kind];
  const onlyMember = subject ? sql` AND ${column} = ${subject}` : raw('');
  return sql`${shared} UNION ALL SELECT ${column} AS id, ${memberLevel} AS level FROM ${table}
    WHERE user_id = ${userId}${onlyMember}`;
}

/**
 * Returns a scalar subquery for the highest level that is granted to the user on one object. Its value is NULL if there
 * is no grant.
 */
export function grantedLevel(kind: ResourceKind, userId: string, subject: Statement): Statement {
  return sql`(SELECT MAX(granted.level) FROM (${grantsReaching(kind, userId, subject)}) AS granted)`;
}

/**
 * Returns a sub-select of the objects of a kind that are shared with the user: their `id`, and as `level` the user's
 * highest level of access.
 */
export function grantedObjects(kind: ResourceKind, userId: string): Statement {
  return sql`(SELECT granted.id, MAX(granted.level) AS level FROM (${grantsReaching(kind, userId)}) AS granted
    GROUP BY granted.id)`;
}
