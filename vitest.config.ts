import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', '**/node_modules/**'],
    globalSetup: ['test/support/build.ts'],
    pool: 'forks',
    // One more than the two processors this has to do with: tests wait for servers a third of their time.
    maxWorkers: 3,
    testTimeout: 30_000,
    // Real servers, databases and processes on a shared machine: one slow moment must not fail the run. A retried test is reported.
    retry: process.env['CI'] ? 1 : 0,
    hookTimeout: 120_000,
  },
});
