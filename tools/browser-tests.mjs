// Runs the tests of packages/web/test/e2e in a real browser. Installs Debian's chromium if it is missing and this user
// may install packages.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findChromium, isBrowserLeftOut, requireChromium } from './chromium.mjs';
import { root } from './root-folder.mjs';

/** Installs a browser if there is none; exits with an error if that fails, unless SHEAF_NO_BROWSER is set. */
export function requireBrowser() {
  if (isBrowserLeftOut) return;
  if (!findChromium()) install();
  try {
    requireChromium();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function install() {
  if (process.env.SHEAF_CHROMIUM || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stdout.write('installing chromium for the browser tests\n');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 'ignore', 'inherit'], env });
  spawnSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation', 'fonts-wqy-zenhei'],
    { stdio: ['ignore', 'ignore', 'inherit'], env },
  );
}

/** Runs the browser tests and returns the exit code. */
export function runBrowserTests(args = []) {
  if (isBrowserLeftOut) {
    process.stdout.write('left out: SHEAF_NO_BROWSER=1\n');
    return 0;
  }
  requireBrowser();
  const vitest = join(root, 'node_modules', '.bin', 'vitest');
  const result = spawnSync(
    vitest,
    ['run', '--config', join('packages', 'web', 'test', 'e2e', 'vitest.config.ts'), '--passWithNoTests', ...args],
    { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'test' } },
  );
  return result.status ?? 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exit(runBrowserTests(process.argv.slice(2)));
