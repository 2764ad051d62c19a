/** Runs case files against the engine: `npm run conformance -- FILE.jsonl [--fn NAME] [--family NAME] [--source NAME] [--failures N]`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'sheaf-conformance-'));
try {
  const outfile = join(folder, 'run.mjs');
  await build({
    entryPoints: [join(root, 'test/sheet/engine/conformance.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
  });
  const { main } = await import(pathToFileURL(outfile).href);
  process.exitCode = await main(process.argv.slice(2));
} finally {
  await rm(folder, { recursive: true, force: true });
}
