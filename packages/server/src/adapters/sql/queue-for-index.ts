import type { Database, Param, Sql } from './database.ts';
import { queryInChunks, sql } from './statement.ts';
import { BulkInsert } from './bulk-insert.ts';

const changes = BulkInsert.into('search_outbox', { space: 'TEXT', id: 'TEXT', user_id: 'TEXT', is_text: 'BIGINT' });
const laterChanges = BulkInsert.into('search_outbox', {
  space: 'TEXT',
  id: 'TEXT',
  user_id: 'TEXT',
  claim: 'TEXT',
  lease_until: 'BIGINT',
});

/**
 * Value of the column `claim` in `search_outbox`, the queue of changes to be indexed. It marks a change whose indexing
 * is delayed, so that later changes of the same entry are indexed together with it. A search by the user who made the
 * change does not wait for the delay.
 */
export const indexedLater = 'later';

/**
 * Queues an entry (such as a note) for embedding, which search by meaning needs. Its embedding vectors are then
 * updated, or deleted if the entry is deleted.
 */
export async function queueEmbedding(tx: Pick<Sql, 'execute'>, space: string, id: string): Promise<void> {
  await tx.execute(sql`INSERT INTO search_vector_outbox (space, id) VALUES (${space}, ${id})`);
}

/** Queues a changed entry for the search index. Stores call this in the same transaction that changes the entry. */
export async function queueForIndex(
  tx: Pick<Sql, 'add' | 'userId'>,
  space: string,
  id: string,
  userId = tx.userId,
): Promise<void> {
  await tx.add(changes, [[space, id, userId, 0]]);
}

/**
 * Queues a knowledge base item whose text is new for the search index. The item's state becomes "ready" once this
 * change is indexed.
 */
export async function queueTextForIndex(tx: Pick<Sql, 'add' | 'userId'>, id: string): Promise<void> {
  await tx.add(changes, [['wiki', id, tx.userId, 1]]);
}

/**
 * Queues all knowledge base items or folders that match the SQL condition `where` and are not deleted for the search
 * index, in one statement.
 */
export async function queueMatchingForIndex(
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

/**
 * Queues an entry that changes often, such as a spreadsheet, for the search index. It is indexed at the time `at`, or
 * earlier if one of the users searches.
 */
export async function queueForIndexLater(
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

/** Makes the delayed changes of the given entries in the search outbox due now. */
export async function makeDelayedDue(db: Database, space: string, ids: readonly string[]): Promise<void> {
  await queryInChunks(ids, async (list) => {
    const update = sql`UPDATE search_outbox SET claim = '', lease_until = 0
      WHERE space = ${space} AND claim = ${indexedLater} AND id IN (${list}) RETURNING seq`;
    // On PostgreSQL, run the update outside a serializable transaction, so that it does not conflict with the
    // transactions of the stores.
    if (db.dialect.name === 'postgres') await db.all(update);
    else await db.write(null, (tx) => tx.all(update));
  });
}
