import { defineConfig } from 'vitest/config';
import { DurationsReporter } from './tools/testing/durations-reporter.ts';

/**
 * Run by `npm run test:slow`: long random programs, fuzzing and hostile input, faults and drills, embedding models, outside suites,
 * packaging and deployment. No rule of the specifications is only here.
 */
const slow = [
  'packages/*/test/{faults,old-data}/**/*.test.ts',
  'tools/{drills,test/deploy,test/package}/**/*.test.ts',
  'packages/*/test/**/{crash,fuzz,hostile-notes,libreoffice,main-thread,programs,room-memory,soak,torture,two-nodes,wild}.test.ts',
  'packages/server/test/**/{fairness,file-fairness,hostile-documents,hostile-markdown,long-json,no-stack,parser-pool}.test.ts',
  'packages/files/test/xlsx/{file-words.property,run-builder}.test.ts',
  'packages/server/test/search/{local-model,meaning}.test.ts',
  'packages/server/test/mcp/{conformance,outside-clients}.test.ts',
];

/** Tests that change what their process has (environment, globals, clocks), or look at all of it: each file has a process. */
const alone = ['packages/server/test/{cli,web}/**/*.test.ts', 'packages/web/test/*.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['tools/testing/global-setup.ts'],
    reporters: ['default', new DurationsReporter()],
    pool: 'forks',
    // One more than the two processors this has to do with: tests wait for servers a third of their time.
    maxWorkers: 3,
    testTimeout: 30_000,
    // Real servers, databases and processes on a shared machine: one slow moment must not fail the run. A retried test is reported.
    retry: process.env['CI'] ? 1 : 0,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          // Loading what a file imports takes as long as its tests do: files share a process that has loaded it.
          name: 'together',
          include: ['packages/*/test/**/*.test.ts', 'tools/{lint,test}/**/*.test.ts'],
          exclude: ['packages/web/test/e2e/**', '**/node_modules/**', ...alone, ...slow],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
      { extends: true, test: { name: 'slow', include: slow } },
    ],
  },
});
