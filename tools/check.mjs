// npm run check: checks types, lint rules and formatting. Stops at the first failure.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './root-folder.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);

export const checks = [
  ['types', bin('tsc'), ['--noEmit', '-p', 'tsconfig.json']],
  ['types of the page', bin('tsc'), ['--noEmit', '-p', join('packages', 'web', 'tsconfig.json')]],
  ['lint', bin('oxlint'), ['packages', 'tools', 'examples']],
  ['format', bin('oxfmt'), ['--check', '.']],
];

/** Runs the steps in order and exits at the first failure. */
export function runSteps(steps) {
  for (const [name, command, args] of steps) {
    process.stdout.write(`\n== ${name}\n`);
    const env = { ...process.env, NODE_ENV: 'test' };
    const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
    if (result.status !== 0) {
      process.stdout.write(`\n${name} failed\n`);
      process.exit(result.status ?? 1);
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) runSteps(checks);
