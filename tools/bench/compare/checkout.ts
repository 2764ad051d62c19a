import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A built checkout to measure. */
export interface Checkout {
  name: string;
  folder: string;
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${cwd}: ${stderr.trim().slice(-2000)}`);
  return stdout.trim();
}

/** Checks out another commit in a temporary folder, which is removed when this process exits. */
export function checkOut(root: string, ref: string): Checkout {
  const commit = run('git', ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], root);
  const place = mkdtempSync(join(tmpdir(), 'sheaf-compare-'));
  const folder = join(place, 'tree');
  process.once('exit', () => {
    spawnSync('git', ['worktree', 'remove', '--force', folder], { cwd: root });
    rmSync(place, { recursive: true, force: true });
  });
  run('git', ['worktree', 'add', '--detach', folder, commit], root);
  install(root, folder);
  // Runs the build script directly, because npm would check the shared packages and replace them.
  const script = ['tools', 'scripts']
    .map((name) => join(name, 'build.mjs'))
    .find((path) => existsSync(join(folder, path)))!;
  run(process.execPath, [script], folder);
  return { name: commit.slice(0, 7), folder };
}

function install(root: string, folder: string): void {
  if (packagesOf(root) === packagesOf(folder))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  else run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], folder);
}

/** Returns the lock file without the project's own version and scripts, which do not affect what is installed. */
function packagesOf(folder: string): string {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; bin?: unknown }>;
  };
  const { version: _version, bin: _bin, ...own } = lock.packages['']!;
  return JSON.stringify({ ...lock.packages, '': own });
}
