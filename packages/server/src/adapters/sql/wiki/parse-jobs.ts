import { isLargeFile } from '../../../ports/file-parser.ts';
import { largeParseJob, parseJob } from '../../../ports/wiki-store.ts';
import type { Sql } from '../database.ts';
import { sql, type Statement } from '../statement.ts';
import { addJob } from '../job-queue.ts';

interface ParsedItem {
  id: string;
  version: number;
  owner: string;
  /** Size of the file in bytes. It is 0 if the file has not been fetched yet. */
  fileSize: number;
}

/** Adds the job that parses an item. Must run in the same transaction that stores the item. */
export async function addParseJob(tx: Sql, at: number, { id, version, owner, fileSize }: ParsedItem): Promise<void> {
  const kind = isLargeFile(fileSize) ? largeParseJob : parseJob;
  await addJob(tx, at, { kind, subject: id, payload: { version }, owner });
}

/** Deletes the unfinished parse jobs of some items. `items` is a list of their ids or a query that selects the ids. */
export async function cancelParseJobs(tx: Sql, items: Statement): Promise<void> {
  await tx.execute(sql`DELETE FROM job WHERE kind IN (${parseJob}, ${largeParseJob}) AND subject IN (${items})
    AND state <> 'done'`);
}
