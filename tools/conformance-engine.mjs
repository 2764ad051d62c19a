/**
 * Runs case files against the engine:
 *   npm run conformance -- FILE.jsonl [--fn NAME] [--family NAME] [--source NAME] [--failures N]
 * or workbooks through import, calculation, export and a second import:
 *   npm run conformance -- FOLDER [--json] [--verbose] [--libreoffice]
 * --libreoffice also opens originals and exports in LibreOffice and compares the displayed values.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'sheaf-conformance-'));
const takesCases = process.argv.slice(2).some((one) => one.endsWith('.jsonl'));
try {
  const outfile = join(folder, 'run.mjs');
  await build({
    entryPoints: [
      join(root, takesCases ? 'packages/engine/test/conformance.ts' : 'packages/files/test/xlsx/conformance/run.ts'),
    ],
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
