import type { Sql } from './database.ts';
import { ManyRows } from './many-rows.ts';

const changes = new ManyRows('INSERT INTO search_outbox (space, id) VALUES', 2);

/** Lists a thing whose vectors are to be made anew, or forgotten where it is gone. */
export async function noteEmbedding(tx: Pick<Sql, 'execute'>, space: string, id: string): Promise<void> {
  await tx.execute('INSERT INTO search_vector_outbox (space, id) VALUES (?, ?)', space, id);
}

/** Called by a store inside its own transaction for each thing it added, changed or deleted; the indexer does the rest. */
export async function noteChange(tx: Pick<Sql, 'add'>, space: string, id: string): Promise<void> {
  await tx.add(changes, [[space, id]]);
}
