import { parseJob } from '../../../ports/wiki-store.ts';
import type { Sql } from '../database.ts';
import { sql } from '../statement.ts';
import { addJob } from '../job-queue.ts';

export const parseJobKind = parseJob;

/** Adds the job that parses an item, in the transaction that stores the item. */
export async function addParseJob(tx: Sql, at: number, itemId: string, version: number, owner: string): Promise<void> {
  await addJob(tx, at, { kind: parseJob, subject: itemId, payload: { version }, owner });
}

export async function cancelParseJobs(tx: Sql, itemId: string): Promise<void> {
  await tx.execute(sql`DELETE FROM job WHERE kind = ${parseJob} AND subject = ${itemId} AND state <> 'done'`);
}
