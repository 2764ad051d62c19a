// npm test: sets up, then runs the checks and all suites. Stops at the first part that fails.
// npm run test:quick (--quick): the checks and what most changes break, on one database, in under two minutes.
import { join } from 'node:path';
import { ensureBrowser, runBrowserTests } from './browser.mjs';
import { checks, runSteps } from './check.mjs';
import { ensureBuilt, ensureInstalled, outside } from './setup.mjs';
import { root } from './paths.mjs';

const quickSuites = [
  'test/architecture.test.ts',
  'test/dialect.test.ts',
  'test/registry.test.ts',
  'test/lib/',
  'test/operation/',
  'test/http/toy-operation.test.ts',
  'test/sheet/engine/core/',
  'test/sheet/engine/functions/',
  'test/sheet/engine/document/',
  ...['account', 'note', 'wiki', 'sheet'].map((name) => `test/adapters/${name}-store.test.ts`),
];

const args = process.argv.slice(2).filter((arg) => arg !== '--quick');
const isQuick = args.length < process.argv.length - 2;

ensureInstalled();
if (!isQuick) {
  ensureInstalled(outside);
  // Signing agents in is tested among the suites, before the journeys.
  ensureBrowser();
}
await ensureBuilt();
// The suites would build again.
process.env.SHEAF_BUILT = '1';
// A taste of the random programs, not all of them.
if (isQuick) process.env.SHEAF_PROGRAMS ??= '20';

const vitest = join(root, 'node_modules', '.bin', 'vitest');
const oneDatabase = ['--testNamePattern', '^(?!.* on postgres)'];
runSteps([...checks, ['suites', vitest, ['run', ...(isQuick ? [...quickSuites, ...oneDatabase] : []), ...args]]]);

if (!isQuick) {
  process.stdout.write('\n== browser\n');
  const code = runBrowserTests(args);
  if (code !== 0) process.stdout.write('\nbrowser failed\n');
  process.exit(code);
}
