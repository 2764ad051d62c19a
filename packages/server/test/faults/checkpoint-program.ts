/** Writes to a database while this process has no file descriptors left, then with some again; prints what happened. */
import { closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqlite } from '../../src/adapters/sql/sqlite/database.ts';

const path = join(process.argv[2]!, 'sheaf.db');
const failures: string[] = [];
const database = await openSqlite(path, { onSyncFailure: (error) => failures.push(String(error)) });
await database.script(['CREATE TABLE item (id BIGINT PRIMARY KEY, body TEXT NOT NULL)'], 'SELECT 1');
let next = 0;
const write = async (count: number): Promise<number> => {
  const ids = Array.from({ length: count }, () => next++);
  const outcomes = await Promise.allSettled(
    ids.map((id) => database.write(null, (tx) => tx.run('INSERT INTO item VALUES (?, ?)', id, 'x'.repeat(500)))),
  );
  return outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
};

const held: number[] = [];
let code = '';
while (code === '') {
  try {
    held.push(openSync('/dev/null', 'r'));
  } catch (error) {
    code = (error as NodeJS.ErrnoException).code ?? '';
  }
}
// Enough for a checkpoint thread to be started, which cannot.
const without = await write(700);
await sleep(1000);
const failedWithout = failures.length;
for (const file of held) closeSync(file);

const before = statSync(path).size;
let after = before;
let withSome = 0;
for (const end = Date.now() + 60_000; after === before && Date.now() < end; after = statSync(path).size) {
  withSome += await write(10);
  await sleep(200);
}
const { n } = (await database.get<{ n: number }>('SELECT COUNT(*) AS n FROM item'))!;
await database.close();
process.stdout.write(
  `${JSON.stringify({ code, without, failedWithout, failures, isCheckpointed: after > before, allThere: n === without + withSome })}\n`,
);
