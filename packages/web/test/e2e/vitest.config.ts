import { defineConfig } from 'vitest/config';
import { fileURLToPath } from 'node:url';
import { DurationsReporter } from '../../../../tools/testing/durations-reporter.ts';

/** Run by `npm run test:slow`: slow and cut lines, several people at once, large documents, long typing. */
const slow = [
  '**/{focus,late-parts,looks-everywhere,markdown-guard,offline,refusals,typing-loss,workbook-preview}.test.ts',
  '**/notes-{caret,cuts,many,math,slow-line,suggest,switch,together}.test.ts',
  '**/sheet-{away,frozen,keys,large,last-row,live,marks,print,saving,share,structure,together}.test.ts',
];

/** Run if its variable is set: ten minutes for all texts that no editor here wrote. */
const onRequest = ['**/notes-foreign.test.ts'];
if (process.env['SHEAF_FOREIGN_MARKDOWN']) slow.push(...onRequest);

export default defineConfig({
  root: fileURLToPath(new URL('../../../..', import.meta.url)),
  test: {
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
    projects: [
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['packages/web/test/e2e/**/*.test.ts'],
          exclude: [...slow, ...onRequest],
        },
      },
      { extends: true, test: { name: 'browser-slow', include: slow.map((name) => `packages/web/test/e2e/${name}`) } },
    ],
  },
});
