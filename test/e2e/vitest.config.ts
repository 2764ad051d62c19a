import { defineConfig } from 'vitest/config';
import { fileURLToPath } from 'node:url';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/e2e/**/*.test.ts'],
    pool: 'forks',
    // One browser and one server at a time: they share two cores with everything else.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A real browser on a busy machine has slow moments too; what was tried twice is reported.
    retry: process.env['CI'] ? 1 : 0,
  },
});
