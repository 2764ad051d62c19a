import { defineConfig } from 'vitest/config';

/** Tests that change what their process has (environment, globals, clocks), or look at all of it: each file has a process. */
const alone = ['test/{cli,deploy,drills,faults,package,web}/**/*.test.ts', 'test/**/crash.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['test/support/build.ts'],
    pool: 'forks',
    // One more than the two processors this has to do with: tests wait for servers a third of their time.
    maxWorkers: 3,
    testTimeout: 30_000,
    // Real servers, databases and processes on a shared machine: one slow moment must not fail the run. A retried test is reported.
    retry: process.env['CI'] ? 1 : 0,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          // Loading what a file imports takes as long as its tests do: files share a process that has loaded it.
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', '**/node_modules/**', ...alone],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
});
