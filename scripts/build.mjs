// Bundles our own sources; packages stay where npm put them. Run directly or by setup.mjs.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildPage } from './build-page.mjs';
import { root } from './paths.mjs';

/** Name in dist/ -> entry file. Workers are separate bundles: each runs in a thread of its own. */
const entries = {
  main: 'src/main.ts',
  client: 'src/client/index.ts',
  engine: 'src/sheet/engine/index.ts',
  'workers/formats': 'src/formats/worker.ts',
  'workers/notes': 'src/note/content-worker.ts',
  'workers/search': 'src/adapters/search/worker.ts',
  'workers/sheet': 'src/sheet/host/worker.ts',
};

export async function build() {
  const { build: bundle } = await import('esbuild');
  const dist = join(root, 'dist');
  mkdirSync(dist, { recursive: true });
  // Built aside and moved in file by file: a server or test that runs from dist/ never sees half a file.
  const fresh = mkdtempSync(join(root, 'dist', '.new-'));
  const present = Object.entries(entries).filter(([, file]) => existsSync(join(root, file)));
  await bundle({
    entryPoints: present.map(([out, file]) => ({ in: join(root, file), out })),
    outdir: fresh,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: 'linked',
    logLevel: 'warning',
  });
  moveInto(fresh, dist);
  rmSync(fresh, { recursive: true, force: true });
  forgetOldChunks(dist);
  await buildPage();
  writeFileSync(join(dist, '.built'), new Date().toISOString());
}

function moveInto(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) moveInto(join(from, entry.name), join(to, entry.name));
    else renameSync(join(from, entry.name), join(to, entry.name));
  }
}

/** Chunks of earlier builds may still be loaded by a running server; an hour later they are not. */
function forgetOldChunks(dist) {
  const chunks = readdirSync(join(dist, 'chunks')).map((name) => join('chunks', name));
  const unfinished = readdirSync(dist).filter((name) => name.startsWith('.new-'));
  for (const name of [...chunks, ...unfinished]) {
    const path = join(dist, name);
    if (Date.now() - statSync(path).mtimeMs > 3_600_000) rmSync(path, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await build();
