// Runs the tests of packages/web/test/e2e in a real browser. Installs Debian's chromium if it is missing and permissions
// allow it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './root-folder.mjs';

const places = [
  process.env.SHEAF_CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const found = () => places.some((place) => place !== '' && existsSync(place));

const isLeftOut = process.env.SHEAF_NO_BROWSER === '1';

/** Installs a browser if there is none; exits with an error if that fails, unless SHEAF_NO_BROWSER is set. */
export function requireBrowser() {
  if (isLeftOut) return;
  if (!found()) install();
  if (found()) return;
  process.stderr.write(
    'The page is tested in a browser: apt-get install chromium, set SHEAF_CHROMIUM, or leave it out with SHEAF_NO_BROWSER=1\n',
  );
  process.exit(1);
}

function install() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stdout.write('installing chromium for the browser tests\n');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 'ignore', 'inherit'], env });
  spawnSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation', 'fonts-wqy-zenhei'],
    { stdio: ['ignore', 'ignore', 'inherit'], env },
  );
}

/** Returns the exit code. */
export function runBrowserTests(args = []) {
  if (isLeftOut) {
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
