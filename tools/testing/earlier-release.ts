/**
 * Builds an earlier release from the repository's history, for tests in which the earlier and the current version use
 * the same database.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** Commit of each earlier release. */
const commits = { '0.1.0': '15325b1' };

export interface EarlierRelease {
  /** Root folder of the built checkout. */
  readonly folder: string;
  remove(): Promise<void>;
}

export async function hasHistoryOf(version: keyof typeof commits): Promise<boolean> {
  return run('git', ['-C', root, 'cat-file', '-e', `${commits[version]}^{commit}`]).then(
    () => true,
    () => false,
  );
}

/**
 * Builds an earlier release in a folder below node_modules, so that its imports find the npm packages installed for
 * this checkout. The web page is not built, because the tests of earlier releases do not open it.
 */
export async function buildEarlierRelease(version: keyof typeof commits): Promise<EarlierRelease> {
  const place = await mkdtemp(join(root, 'node_modules', '.release-'));
  const folder = join(place, 'tree');
  await mkdir(folder);
  await run('sh', [
    '-c',
    `git -C "$0" archive ${commits[version]} src scripts package.json | tar -x -C "$1"`,
    root,
    folder,
  ]);
  await writeFile(join(folder, 'scripts', 'build-page.mjs'), 'export async function buildPage() {}\n');
  await run(process.execPath, [join('scripts', 'build.mjs')], { cwd: folder });
  return { folder, remove: () => rm(place, { recursive: true, force: true }) };
}
