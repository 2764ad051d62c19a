/** The package as somebody else gets it: packed by npm, and installed into a folder that has nothing else. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../testing/temp.ts';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

export interface Packed {
  readonly tarball: string;
  /** Modes as `tar -tv` and `ls -l` show them. */
  readonly files: readonly { path: string; mode: string }[];
}

/** Settings that npm gave to the run of these tests are not those of whoever installs the package. */
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

/** As careful as npm can be: every package must be for this Node, and none may run or build anything. */
const strictly = ['--engine-strict', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];

export async function install(tarball: string): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }');
  await npm(folder, 'install', ...strictly, tarball);
  return folder;
}

/** What the package's own lock file leads to; npm follows it when the package comes from a registry. */
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

/** Runs a program of this repository's own development packages, such as tsc. */
export function runTool(name: string, args: string[], folder: string): Promise<{ code: number; output: string }> {
  return run(join(root, 'node_modules', '.bin', name), args, { cwd: folder }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, output: error.stdout }),
  );
}
