/** Begins a write under a lock and freezes in the middle of it. Woken, it goes on and says how the write ended. */
import { openPostgres } from '../../src/adapters/sql/postgres/database.ts';

const database = await openPostgres(process.argv[2]!, { connections: 2 });
let hasFrozen = false;
try {
  await database.write(null, { lock: 'counter' }, async (tx) => {
    await tx.run('UPDATE counter SET n = n + 100');
    if (hasFrozen) return;
    hasFrozen = true;
    process.stdout.write('holding\n');
    await new Promise((resolve) => setTimeout(resolve, 200));
    process.kill(process.pid, 'SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 200));
    await tx.run('UPDATE counter SET n = n + 1000');
  });
  process.stdout.write('written\n');
} catch (error) {
  process.stdout.write(`${(error as Error).name}\n`);
}
await database.close();
