// npm test: set up, then types, lint and all suites. Stops at the first part that fails.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { runBrowserTests } from './browser.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';
import { root } from './paths.mjs';

ensureInstalled();
await ensureBuilt();

const bin = (name) => join(root, 'node_modules', '.bin', name);
const steps = [
  ['types', bin('tsc'), ['--noEmit', '-p', 'tsconfig.json']],
  ['types of the page', bin('tsc'), ['--noEmit', '-p', join('web', 'tsconfig.json')]],
  ['lint', bin('oxlint'), ['--quiet', 'src', 'web', 'test', 'scripts', 'bench']],
  ['suites', bin('vitest'), ['run', ...process.argv.slice(2)]],
];
for (const [name, command, args] of steps) {
  process.stdout.write(`\n== ${name}\n`);
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'test' } });
  if (result.status !== 0) {
    process.stdout.write(`\n${name} failed\n`);
    process.exit(result.status ?? 1);
  }
}

process.stdout.write('\n== browser\n');
const code = runBrowserTests(process.argv.slice(2));
if (code !== 0) process.stdout.write('\nbrowser failed\n');
process.exit(code);
