import type { Database } from '../database.ts';
import { queryInChunks, raw, sql } from '../statement.ts';
import { grantsReaching } from './grants.ts';

type Reads = Pick<Database, 'all'>;

export interface GrantedNotebook {
  level: number;
  userId: string;
}

/**
 * Returns, by id, the notebooks that the user may access through a grant on them or on a notebook around them. Each
 * query reads one level of nesting. One recursive query would be slower, because PostgreSQL reads all notebooks as long
 * as it has no planner statistics on the table of grants.
 */
export async function grantedNotebooks(db: Reads, userId: string): Promise<Map<string, GrantedNotebook>> {
  return withInner(db, await db.all<Granted>(grantsReaching('notebook', userId)));
}

/** Returns, by id, the notebooks of all users that are shared through a grant on them or on a notebook around them. */
export async function sharedNotebooks(db: Reads): Promise<Map<string, GrantedNotebook>> {
  return withInner(
    db,
    await db.all<Granted>(sql`SELECT DISTINCT subject_id AS id, 1 AS level FROM share_grant
    WHERE kind = ${raw("'notebook'")}`),
  );
}

/** Returns the given notebooks and all notebooks inside them. */
export function notebooksInside(db: Reads, ids: readonly string[]): Promise<Map<string, GrantedNotebook>> {
  return withInner(
    db,
    ids.map((id) => ({ id, level: 1 })),
  );
}

export function notebooksByOwner(notebooks: ReadonlyMap<string, GrantedNotebook>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [id, { userId }] of notebooks) {
    const own = found.get(userId);
    if (own) own.push(id);
    else found.set(userId, [id]);
  }
  return found;
}

interface Granted {
  id: string;
  level: number;
}

interface NotebookRow {
  id: string;
  user_id: string;
  parent_id: string;
}

async function withInner(db: Reads, granted: readonly Granted[]): Promise<Map<string, GrantedNotebook>> {
  const found = new Map<string, GrantedNotebook>();
  if (granted.length === 0) return found;
  const levels = new Map<string, number>();
  for (const { id, level } of granted) levels.set(id, Math.max(level, levels.get(id) ?? 0));
  const roots = await queryInChunks<NotebookRow>([...levels.keys()], (list) =>
    db.all(sql`SELECT id, user_id, parent_id FROM notebook WHERE id IN (${list})`),
  );
  let reached = roots.map(({ id, user_id: userId }) => ({ id, userId, level: levels.get(id)! }));
  while (reached.length > 0) {
    const fresh = reached.filter(({ id, level }) => level > (found.get(id)?.level ?? 0));
    for (const { id, userId, level } of fresh) found.set(id, { level, userId });
    const inner = await queryInChunks<NotebookRow>([...new Set(fresh.map(({ id }) => id))], (list) =>
      db.all(sql`SELECT id, user_id, parent_id FROM notebook WHERE parent_id IN (${list}) AND parent_id <> ''`),
    );
    reached = inner.map((row) => ({ id: row.id, userId: row.user_id, level: found.get(row.parent_id)!.level }));
  }
  return found;
}
