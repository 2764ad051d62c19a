// npm test: sets up, then runs the checks, the test suites and the browser tests. Stops at the first failure.
// npm run test:quick (--quick): runs the checks and the most relevant tests, on one database, in under two minutes.
// npm run test:slow (--slow): runs the tests that the two vitest.config.ts files mark as slow: random programs, hostile
// input, faults, drills, third-party suites, packaging, and long browser tests.
import { join } from 'node:path';
import { requireBrowser, runBrowserTests } from './browser-tests.mjs';
import { checks, runSteps } from './check.mjs';
import { ensureBuilt, ensureInstalled, outside } from './setup.mjs';
import { root } from './root-folder.mjs';

const quickSuites = [
  'tools/lint/architecture.test.ts',
  'tools/lint/dialect.test.ts',
  'packages/server/test/registry.test.ts',
  'packages/server/test/lib/',
  'packages/server/test/kernel/',
  'packages/server/test/http/toy-operation.test.ts',
  'packages/engine/test/core/',
  'packages/engine/test/functions/',
  'packages/engine/test/document/',
  ...['account', 'note', 'wiki', 'sheet'].map((name) => `packages/server/test/adapters/${name}-store.test.ts`),
];

const mode = process.argv.find((arg) => arg === '--quick' || arg === '--slow');
const args = process.argv.slice(2).filter((arg) => arg !== mode);

ensureInstalled(root, { withTests: true });
if (mode !== '--quick') {
  ensureInstalled(outside);
  // Some suites also need the browser (OAuth sign-in), so require it before they run.
  requireBrowser();
}
await ensureBuilt();
// Prevents the suites from building again.
process.env.SHEAF_BUILT = '1';

const vitest = join(root, 'node_modules', '.bin', 'vitest');
const suites = (...more) => ['suites', vitest, ['run', ...more, ...args]];
const oneDatabase = ['--testNamePattern', '^(?!.* on postgres)'];

if (mode === '--quick') {
  runSteps([...checks, suites(...quickSuites, ...oneDatabase)]);
} else {
  const isSlow = mode === '--slow';
  if (isSlow) runSteps([suites('--project', 'slow')]);
  else runSteps([...checks, suites('--project', 'together', '--project', 'alone')]);
  process.stdout.write('\n== browser\n');
  const code = runBrowserTests(['--project', isSlow ? 'browser-slow' : 'browser', ...args]);
  if (code !== 0) process.stdout.write('\nbrowser failed\n');
  process.exit(code);
}
