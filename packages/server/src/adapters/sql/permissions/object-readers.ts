import type { Resource } from '../../../ports/permission-store.ts';
import type { Database } from '../database.ts';
import { everyone } from './grants.ts';
import { raw, sql, type Statement } from '../statement.ts';

type Reads = Pick<Database, 'all' | 'get'>;

const owners: Record<Resource['kind'], (id: string) => Statement> = {
  note: (id) => sql`SELECT user_id FROM note WHERE id = ${id}`,
  notebook: (id) => sql`SELECT user_id FROM notebook WHERE id = ${id}`,
  base: (id) => sql`SELECT user_id FROM wiki_member WHERE base_id = ${id}`,
  sheet: (id) => sql`SELECT owner_id AS user_id FROM document WHERE id = ${id}
    UNION ALL SELECT user_id FROM document_member WHERE document_id = ${id}`,
};

/** Lists the active users who have access to an object and whose names contain a text, in order of their names. */
export async function listReaders(
  db: Reads,
  resource: Resource,
  name: string,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  const subjects = [resource, ...(await notebooksAround(db, resource))];
  const granted: Statement[] = subjects.map(
    ({ kind, id }) => sql`SELECT grantee FROM share_grant WHERE kind = ${kind} AND subject_id = ${id}`,
  );
  const grantees = (await Promise.all(granted.map((query) => db.all<{ grantee: string }>(query)))).flat();
  // A name contains the text if removing the text with REPLACE changes the name. LIKE is not used, because it would
  // treat some characters of the text as wildcards.
  const matches = name === '' ? raw('') : sql`AND REPLACE(LOWER(u.name), ${lowerCaseAscii(name)}, '') <> LOWER(u.name)`;
  const rest = sql`${matches} ORDER BY u.name, u.id LIMIT ${limit}`;
  if (grantees.some(({ grantee }) => grantee === everyone))
    return db.all(sql`SELECT u.id, u.name FROM user_account u WHERE u.state = 'active' ${rest}`);
  const reached = [
    owners[resource.kind](resource.id),
    ...subjects.flatMap(({ kind, id }) => [
      sql`SELECT grantee AS user_id FROM share_grant WHERE kind = ${kind} AND subject_id = ${id}`,
      sql`SELECT m.user_id FROM share_grant s JOIN group_member m ON m.group_id = s.grantee
        WHERE s.kind = ${kind} AND s.subject_id = ${id}`,
    ]),
  ].reduce((all, one) => sql`${all} UNION ALL ${one}`);
  return db.all(sql`SELECT u.id, u.name FROM user_account u WHERE u.state = 'active' AND u.id IN (${reached}) ${rest}`);
}

/**
 * Converts ASCII letters to lower case and leaves other letters unchanged, so that the result can be compared with a
 * column converted by the SQL function LOWER. LOWER does the same in SQLite, and in PostgreSQL with the collation "C"
 * that all text columns have.
 */
function lowerCaseAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Returns the notebooks that contain a note or notebook, innermost first. Grants on them also apply to the note or
 * notebook.
 */
async function notebooksAround(db: Reads, { kind, id }: Resource): Promise<Resource[]> {
  if (kind !== 'note' && kind !== 'notebook') return [];
  const found: Resource[] = [];
  let around =
    kind === 'note'
      ? await db.get<{ parent_id: string }>(sql`SELECT notebook_id AS parent_id FROM note WHERE id = ${id}`)
      : await db.get<{ parent_id: string }>(sql`SELECT parent_id FROM notebook WHERE id = ${id}`);
  while (around && around.parent_id !== '') {
    const { parent_id: parentId } = around;
    found.push({ kind: 'notebook', id: parentId });
    around = await db.get<{ parent_id: string }>(sql`SELECT parent_id FROM notebook WHERE id = ${parentId}`);
  }
  return found;
}
