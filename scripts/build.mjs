// Bundles our own sources; packages stay where npm put them. Run directly or by setup.mjs.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './paths.mjs';

/** Name in dist/ -> entry file. Workers are separate bundles: each runs in a thread of its own. */
const entries = {
  main: 'src/main.ts',
  client: 'src/client/index.ts',
  engine: 'src/sheet/engine/index.ts',
  'workers/formats': 'src/formats/worker.ts',
  'workers/search': 'src/adapters/search/worker.ts',
  'workers/sheet': 'src/sheet/host/worker.ts',
};

export async function build() {
  const { build: bundle } = await import('esbuild');
  const dist = join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const present = Object.entries(entries).filter(([, file]) => existsSync(join(root, file)));
  await bundle({
    entryPoints: present.map(([out, file]) => ({ in: join(root, file), out })),
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: 'linked',
    logLevel: 'warning',
  });
  writeFileSync(join(dist, '.built'), new Date().toISOString());
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await build();
