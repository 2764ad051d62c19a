import { migrate } from '../../../src/adapters/sql/migrate.ts';
import { openSqlite } from '../../../src/adapters/sql/sqlite/database.ts';

// A migration whose second statement never ends: it is always killed half-way.
const database = await openSqlite(process.argv[2]!);
await migrate(database, [
  { number: 1, name: 'first', statements: () => ['CREATE TABLE one (id BIGINT)'] },
  {
    number: 2,
    name: 'endless',
    statements: () => [
      'CREATE TABLE two (id BIGINT)',
      'INSERT INTO two WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count) SELECT n FROM count',
    ],
  },
]);
