import { describe, onTestFinished, test } from 'vitest';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { runProgram } from './run-program.ts';

const steps = Number(process.env['SHEAF_PERMISSION_STEPS'] ?? 20_000);
const perProgram = 500;
const timeout = 3 * 60 * 60_000;

describe('permissions against a model, long programs', () => {
  test(`[T90] [T91] ${steps} steps on SQLite`, { timeout }, async () => {
    const server = await startServer({ database: 'sqlite' });
    onTestFinished(() => server.close());
    for (let done = 0; done < steps; done += perProgram)
      await runProgram([server], server.owner, 1000 + done, Math.min(perProgram, steps - done));
  });

  test(`[T90] [T91] ${steps} steps on three nodes and PostgreSQL`, { timeout }, async () => {
    const databaseUrl = await freshPostgres();
    const folder = await temporaryFolder();
    const first = await startServer({ database: 'postgres', databaseUrl, folder });
    onTestFinished(() => first.close());
    const others = await Promise.all([1, 2].map(() => startServer({ database: 'postgres', databaseUrl, folder })));
    for (const other of others) onTestFinished(() => other.close());
    for (let done = 0; done < steps; done += perProgram)
      await runProgram([first, ...others], first.owner, 5000 + done, Math.min(perProgram, steps - done));
  });
});
