import { describe, test } from 'vitest';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { runProgram } from './run-program.ts';
import { manyVisitors as config } from './program.ts';

const steps = Number(process.env['SHEAF_PERMISSION_STEPS'] ?? 1000);
/** Added to the seeds, for further programs: each takes one seed, and the next begins as many seeds later as it has steps. */
const firstSeed = Number(process.env['SHEAF_PERMISSION_SEED'] ?? 0);
const perProgram = 500;
const timeout = 3 * 60 * 60_000;

// A program begins with a server of its own, because what an earlier one shared with everyone reaches its users too.
async function runPrograms(seed: number, run: (seed: number, steps: number) => Promise<number>): Promise<void> {
  for (let done = 0; done < steps; done += perProgram) await run(seed + done, Math.min(perProgram, steps - done));
}

describe('permissions against a model, long programs', () => {
  test(`[T90] [T91] ${steps} steps on SQLite`, { timeout }, () =>
    runPrograms(1000 + firstSeed, async (seed, count) => {
      const server = await startServer({ database: 'sqlite', config });
      try {
        return await runProgram([server], server.owner, seed, count);
      } finally {
        await server.close();
      }
    }),
  );

  test(`[T90] [T91] ${steps} steps on three nodes and PostgreSQL`, { timeout }, () =>
    runPrograms(5000 + firstSeed, async (seed, count) => {
      const shared = {
        database: 'postgres',
        databaseUrl: await freshPostgres(),
        folder: await temporaryFolder(),
        config,
      } as const;
      const first = await startServer(shared);
      const nodes = [first, ...(await Promise.all([1, 2].map(() => startServer(shared))))];
      try {
        return await runProgram(nodes, first.owner, seed, count);
      } finally {
        for (const node of nodes) await node.close();
      }
    }),
  );
});
