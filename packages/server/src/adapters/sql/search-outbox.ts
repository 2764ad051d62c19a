import type { Param, Sql } from './database.ts';
import { ManyRows } from './many-rows.ts';

const changes = new ManyRows('INSERT INTO search_outbox (space, id, user_id, is_text) VALUES', 4);
const laterChanges = new ManyRows(`INSERT INTO search_outbox (space, id, user_id, claim, lease_until) VALUES`, 5);

/** Stands in `claim` of a change that is indexed after a while, with what else changes until then; a search need not wait so long. */
export const indexedLater = 'later';

/** Lists a thing whose vectors are to be made anew, or forgotten where it is gone. */
export async function noteEmbedding(tx: Pick<Sql, 'execute'>, space: string, id: string): Promise<void> {
  await tx.execute('INSERT INTO search_vector_outbox (space, id) VALUES (?, ?)', space, id);
}

/** Called by a store inside its own transaction for each thing it added, changed or deleted; the indexer does the rest. */
export async function noteChange(
  tx: Pick<Sql, 'add' | 'userId'>,
  space: string,
  id: string,
  userId = tx.userId,
): Promise<void> {
  await tx.add(changes, [[space, id, userId, 0]]);
}

/** The same for an item of a knowledge base that has a text it was not found by before: it is ready once it is indexed. */
export async function noteText(tx: Pick<Sql, 'add' | 'userId'>, id: string): Promise<void> {
  await tx.add(changes, [['wiki', id, tx.userId, 1]]);
}

/** The same for all items or folders that a query of their rows names, in one statement. */
export async function noteChangesOf(
  tx: Pick<Sql, 'execute' | 'userId'>,
  table: 'wiki_item' | 'wiki_folder',
  where: string,
  ...params: Param[]
): Promise<void> {
  await tx.execute(
    `INSERT INTO search_outbox (space, id, user_id) SELECT 'wiki', id, CAST(? AS TEXT) FROM ${table} WHERE ${where} AND deleted_at IS NULL`,
    tx.userId,
    ...params,
  );
}

/** A change of something that changes often: indexed at that time, or when somebody who changed it searches. */
export async function noteChangeLater(
  tx: Pick<Sql, 'add'>,
  space: string,
  id: string,
  userIds: readonly string[],
  at: number,
): Promise<void> {
  await tx.add(
    laterChanges,
    userIds.map((userId) => [space, id, userId, indexedLater, at]),
  );
}
