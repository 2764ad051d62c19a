// node tools/old-data.mjs CHECKOUT TARGET: packs data folders that are created by the product of a checkout (see
// packages/server/test/old-data/make.ts).
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { externalPackagesPlugin } from './external-packages-plugin.mjs';
import { root } from './root-folder.mjs';

const folder = mkdtempSync(join(root, 'node_modules', '.old-data-'));
try {
  const outfile = join(folder, 'make.mjs');
  await build({
    entryPoints: [join(root, 'packages', 'server', 'test', 'old-data', 'make.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [externalPackagesPlugin],
    logLevel: 'warning',
  });
  const { run } = await import(pathToFileURL(outfile).href);
  await run(process.argv.slice(2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
