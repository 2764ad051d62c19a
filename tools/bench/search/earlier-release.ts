import { execFile } from 'node:child_process';
import { mkdtemp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';

/** Commit of release 0.1.0. */
const commit = '15325b1';

/** The bundled index of the release: the module that exports SqliteSearchIndex, and its worker. */
export interface Release {
  index: string;
  worker: string;
}

/** Bundles the release from the repository; undefined if its commit is not available. */
export async function bundleRelease(root: string): Promise<Release | undefined> {
  const run = promisify(execFile);
  try {
    await run('git', ['-C', root, 'cat-file', '-e', `${commit}^{commit}`]);
  } catch {
    return undefined;
  }
  const folder = await mkdtemp(join(root, 'node_modules', '.release-'));
  const tree = join(folder, 'tree');
  await mkdir(tree);
  await run('sh', ['-c', `git -C "$0" archive ${commit} src | tar -x -C "$1"`, root, tree]);
  const bundled = async (entry: string, name: string): Promise<string> => {
    const outfile = join(folder, name);
    await build({
      entryPoints: [join(tree, 'src', 'adapters', 'search', entry)],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      logLevel: 'error',
    });
    return outfile;
  };
  return { index: await bundled('sqlite.ts', 'index.mjs'), worker: await bundled('worker.ts', 'worker.mjs') };
}

/** Returns the bundle's folder, for removal. */
export function folderOf({ index }: Release): string {
  return join(index, '..');
}
