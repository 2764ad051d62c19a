import { defineConfig } from 'vitest/config';
import { fileURLToPath } from 'node:url';
import { DurationsReporter } from '../../../../tools/testing/durations.ts';

export default defineConfig({
  root: fileURLToPath(new URL('../../../..', import.meta.url)),
  test: {
    include: ['packages/web/test/e2e/**/*.test.ts'],
    reporters: ['default', new DurationsReporter()],
    pool: 'forks',
    // Each worker has a browser and each file a server of its own, which wait for each other most of the time.
    maxWorkers: 2,
    // Loading the tools takes a few seconds; files share a process that has.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A real browser on a busy machine has slow moments too; what was tried twice is reported.
    retry: process.env['CI'] ? 1 : 0,
    expect: { poll: { timeout: 10_000 } },
  },
});
