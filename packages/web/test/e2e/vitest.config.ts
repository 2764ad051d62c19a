import { defineConfig } from 'vitest/config';
import { fileURLToPath } from 'node:url';
import { DurationsReporter } from '../../../../tools/testing/durations-reporter.ts';

export default defineConfig({
  root: fileURLToPath(new URL('../../../..', import.meta.url)),
  test: {
    include: ['packages/web/test/e2e/**/*.test.ts'],
    reporters: ['default', new DurationsReporter()],
    pool: 'forks',
    // Each worker has its own browser and each file its own server; they are mostly idle, waiting for each other.
    maxWorkers: 2,
    // Files share a process, because loading the tools takes a few seconds.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A real browser on a busy machine can be slow; retried tests are reported.
    retry: process.env['CI'] ? 1 : 0,
    expect: { poll: { timeout: 10_000 } },
  },
});
