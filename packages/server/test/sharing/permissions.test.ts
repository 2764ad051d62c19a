import { test } from 'vitest';
import { eachServer } from '@sheaf/tools/testing/test-server.ts';
import { manyVisitors as config } from './program.ts';
import { runProgram } from './run-program.ts';

const steps = Number(process.env['SHEAF_PERMISSION_STEPS'] ?? 120);

eachServer(
  'permissions against a model',
  (server) => {
    test(
      `[T90] [T91] random programs of ${steps} steps show nobody what the model forbids`,
      { timeout: 300_000 },
      async () => {
        await runProgram([server()], server().owner, Number(process.env['SHEAF_SEED'] ?? 1), steps);
      },
    );
  },
  { config },
);
