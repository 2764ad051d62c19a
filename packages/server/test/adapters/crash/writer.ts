import { openSync, writeSync } from 'node:fs';
import { openSqlite } from '../../../src/adapters/sql/sqlite/database.ts';

// Writes rows for ever, 16 at a time, and notes the id of each row in a file only once its write was acknowledged.
const [path, round, notes] = process.argv.slice(2);
const acknowledged = openSync(notes!, 'a');
const database = await openSqlite(path!);
await database.script(['CREATE TABLE IF NOT EXISTS row (id TEXT PRIMARY KEY, body TEXT NOT NULL)'], 'SELECT 1');
let next = 0;

async function writer(): Promise<void> {
  for (;;) {
    const id = `${round}-${next++}`;
    await database.write(null, (tx) => tx.run('INSERT INTO row (id, body) VALUES (?, ?)', id, `${id} `.repeat(40)));
    writeSync(acknowledged, `${id}\n`);
  }
}

await Promise.all(Array.from({ length: 16 }, writer));
