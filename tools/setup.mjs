// Prepares a fresh clone: installs dependencies and builds. It uses plain JavaScript, because no dependency is
// installed yet.
import { existsSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { newest, pageFiles } from './last-modified.mjs';
import { root } from './root-folder.mjs';

// Loaded on demand, because a warm start needs neither crypto nor child processes.
const require = createRequire(import.meta.url);

const say = (text) => process.stderr.write(`sheaf: ${text}\n`);

function lockHash(folder) {
  return require('node:crypto')
    .createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
}

/**
 * Third-party programs that tests run against the product. They are installed separately, because they need another
 * TypeScript or Node version.
 */
export const outside = join(root, 'tools', 'outside');

/**
 * Installs the npm packages if node_modules is missing, was installed from another lock file, or lacks the test
 * dependencies that `withTests` requests. Serving and building need less than half of the packages.
 */
export function ensureInstalled(folder = root, { withTests = false } = {}) {
  const lock = statSync(join(folder, 'package-lock.json'), { throwIfNoEntry: false });
  if (!lock) return;
  const stamp = join(folder, 'node_modules', '.sheaf-lock');
  const installed = join(folder, 'node_modules', '.package-lock.json');
  const stamped = statSync(stamp, { throwIfNoEntry: false });
  const hasTests = existsSync(join(folder, 'node_modules', 'vitest'));
  const isEnough = hasTests || !withTests;
  if (isEnough && stamped && stamped.mtimeMs > lock.mtimeMs) return;
  const wanted = lockHash(folder);
  if (isEnough && stamped && readFileSync(stamp, 'utf8') === wanted) {
    const now = new Date();
    utimesSync(stamp, now, now);
    return;
  }
  // npm was run by hand after the lock file changed, so nothing needs to be installed.
  if (isEnough && existsSync(installed) && statSync(installed).mtimeMs >= lock.mtimeMs) {
    writeFileSync(stamp, wanted);
    return;
  }
  say('installing dependencies (once, about a minute)');
  // Remove a leftover npm-shrinkwrap.json, because npm would prefer it to package-lock.json.
  rmSync(join(folder, 'npm-shrinkwrap.json'), { force: true });
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  const result = require('node:child_process').spawnSync(
    command,
    [...first, 'ci', withTests || hasTests ? '--include=dev' : '--omit=dev', '--no-audit', '--no-fund'],
    { cwd: folder, stdio: ['ignore', 2, 2] },
  );
  if (result.status !== 0) {
    say('npm ci failed; see above');
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

/** Builds the server and the page if a source file is newer than the last build. */
export async function ensureBuilt({ quiet = false } = {}) {
  const built = statSync(join(root, 'dist', '.built'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const scripts = [
    'build',
    'build-page',
    'build-manifest',
    'compile-ahead',
    'escape-non-ascii',
    'external-packages',
    'main-loader',
  ].map((name) => join('tools', `${name}.mjs`));
  const packages = readdirSync(join(root, 'packages')).map((name) => join('packages', name, 'src'));
  const copied = ['skills', 'views'].map((name) => join('packages', 'server', name));
  const sources = [...packages, ...copied, ...pageFiles, 'package.json', ...scripts].map((name) =>
    newest(join(root, name)),
  );
  if (built > Math.max(...sources)) return;
  if (!quiet) say('building');
  const { build } = await import('./build.mjs');
  await build();
}
