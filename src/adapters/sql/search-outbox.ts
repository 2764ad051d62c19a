import type { Sql } from './database.ts';

/** Called by a store inside its own transaction for each thing it added, changed or deleted; the indexer does the rest. */
export async function noteChange(tx: Pick<Sql, 'execute'>, space: string, id: string): Promise<void> {
  await tx.execute('INSERT INTO search_outbox (space, id) VALUES (?, ?)', space, id);
}
