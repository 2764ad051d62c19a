import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from './figures.ts';

export interface Checkout {
  name: string;
  folder: string;
}

export function execute(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${cwd}: ${stderr.trim().slice(-2000)}`);
  return stdout.trim();
}

/**
 * Checks out a commit into a temporary folder and builds it. If the lock files match, the installed npm packages of
 * this checkout are used; otherwise the packages of the commit are installed. The folder is removed when this process
 * exits. If `ref` is the path of a built checkout, that checkout is used directly.
 */
export function checkOut(ref: string): Checkout {
  if (existsSync(join(ref, 'dist'))) return { name: ref, folder: resolve(ref) };
  const commit = execute('git', ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], root);
  const place = mkdtempSync(join(tmpdir(), 'sheaf-compare-'));
  const folder = join(place, 'tree');
  process.once('exit', () => {
    spawnSync('git', ['worktree', 'remove', '--force', folder], { cwd: root });
    rmSync(place, { recursive: true, force: true });
  });
  execute('git', ['worktree', 'add', '--detach', folder, commit], root);
  if (packagesOf(root) === packagesOf(folder)) linkPackages(folder);
  else execute('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], folder);
  // Run the build script directly: npm would check the linked npm packages and replace them.
  execute(process.execPath, [join(oneOf(folder, 'tools', 'scripts'), 'build.mjs')], folder);
  return { name: commit.slice(0, 7), folder };
}

/** Returns the path of a file or folder whose name differs between commits: the first of `names` that exists. */
export function oneOf(tree: string, ...names: string[]): string {
  return join(
    tree,
    names.find((name) => existsSync(join(tree, name)))!,
  );
}

/**
 * Returns the content of the lock file without the project's own version and commands (`bin`), to compare which
 * packages two commits install.
 */
function packagesOf(folder: string): string {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; bin?: unknown }>;
  };
  const { version: _version, bin: _bin, ...own } = lock.packages['']!;
  return JSON.stringify({ ...lock.packages, '': own });
}

/**
 * Links each installed npm package into the checkout, except the project's own packages: these links point to the
 * checkout's own folders.
 */
function linkPackages(folder: string): void {
  const own = '@sheaf';
  mkdirSync(join(folder, 'node_modules', own), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== own && !name.startsWith('.'))
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'dir');
  const packages = join(folder, 'packages');
  for (const name of existsSync(packages) ? readdirSync(packages) : [])
    symlinkSync(join(packages, name), join(folder, 'node_modules', own, name), 'dir');
  symlinkSync(join(folder, 'tools'), join(folder, 'node_modules', own, 'tools'), 'dir');
}
