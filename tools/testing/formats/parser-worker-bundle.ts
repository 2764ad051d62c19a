import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export interface WorkerBundle {
  script: string;
  folder: string;
  remove(): Promise<void>;
}

/**
 * Bundles the script of the process that parses uploaded files, with its libraries, into a temporary folder. Tests thus
 * run the parser without node_modules.
 */
export async function bundleParserWorker(): Promise<WorkerBundle> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-worker-'));
  const script = join(folder, 'formats.mjs');
  await build({
    entryPoints: [
      fileURLToPath(new URL('../../../packages/server/src/adapters/parse/parser-process.ts', import.meta.url)),
    ],
    outfile: script,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    banner: {
      js: "import { createRequire as bundledRequire } from 'node:module'; const require = bundledRequire(import.meta.url);",
    },
  });
  return { script, folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
