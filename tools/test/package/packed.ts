/** The package as users get it: packed by npm, and installed into an empty folder. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

export interface Packed {
  readonly tarball: string;
  /** File modes are given as `tar -tv` and `ls -l` show them. */
  readonly files: readonly { path: string; mode: string }[];
}

/** Returns the environment without the npm variables of this test run, which a user's installation would not have. */
function environment(): NodeJS.ProcessEnv {
  const isOurs = ([name]: [string, unknown]) =>
    !/^npm_(lifecycle|package|command|execpath|config_local_prefix)/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(isOurs));
}

export async function npm(folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('npm', args, { cwd: folder, env: environment(), maxBuffer: 2 ** 26 });
  return stdout;
}

export async function pack(): Promise<Packed> {
  const folder = await temporaryFolder();
  await npm(root, 'run', '--silent', 'package', '--', folder);
  const tarball = join(
    folder,
    (await readdir(folder)).find((name) => name.endsWith('.tgz'))!,
  );
  const { stdout } = await run('tar', ['-tvzf', tarball], { maxBuffer: 2 ** 26 });
  const files = stdout
    .trim()
    .split('\n')
    .map((line) => ({ mode: line.slice(0, 10), path: line.slice(line.indexOf(' package/') + ' package/'.length) }));
  return { tarball, files };
}

/** Strict npm options: every package must support this Node version, and none may run scripts. */
const strictly = ['--engine-strict', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];

export async function install(tarball: string): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }');
  await npm(folder, 'install', ...strictly, tarball);
  return folder;
}

/** Installs by the package's own lock file, as npm does when the package comes from a registry. */
export async function installLocked(lock: { packages: Record<string, object> }): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), JSON.stringify(lock.packages['']));
  await writeFile(join(folder, 'npm-shrinkwrap.json'), JSON.stringify(lock));
  await npm(folder, 'ci', ...strictly);
  return folder;
}

export async function unpack(tarball: string): Promise<string> {
  const folder = join(await temporaryFolder(), 'unpacked');
  await mkdir(folder);
  await run('tar', ['-xzf', tarball, '-C', folder]);
  return join(folder, 'package');
}

/** Runs a program of the repository's development dependencies, such as tsc. */
export function runTool(name: string, args: string[], folder: string): Promise<{ code: number; output: string }> {
  return run(join(root, 'node_modules', '.bin', name), args, { cwd: folder }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, output: error.stdout }),
  );
}
