// Bundles our own sources and the packages that every start loads. Run directly or by setup.mjs.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toAscii } from './ascii.mjs';
import { buildPage } from './build-page.mjs';
import { root } from './paths.mjs';

/** Name in dist/ -> entry file. Workers are separate bundles: each runs in a thread or process of its own. */
const workers = {
  'workers/formats': 'src/formats/worker.ts',
  'workers/notes': 'src/note/content-worker.ts',
  'workers/passwords': 'src/adapters/passwords/worker.ts',
  'workers/search': 'src/adapters/search/worker.ts',
  'workers/sheet': 'src/sheet/host/worker.ts',
};
const libraries = {
  client: 'src/client/index.ts',
  engine: 'src/sheet/engine/index.ts',
};

/** One file loads in a fraction of the time that hundreds take. Packages with native parts, and those that few starts load, stay where npm put them. */
const bundled = new Set([
  '@borgar/fx',
  'fastify',
  'fflate',
  'file-type',
  'ipaddr.js',
  'marked',
  'numfmt',
  'pino',
  're2js',
  'zod',
]);

export async function build({ withPage = true } = {}) {
  const { build: bundle } = await import('esbuild');
  const dist = join(root, 'dist');
  mkdirSync(dist, { recursive: true });
  // Built aside and moved in file by file: a server or test that runs from dist/ never sees half a file.
  const fresh = mkdtempSync(join(root, 'dist', '.new-'));
  const common = {
    outdir: fresh,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    logLevel: 'warning',
  };
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const external = Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !bundled.has(name));
  await bundle({
    ...common,
    entryPoints: present(workers),
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    external,
    // Packages of the older kind ask for Node's own parts by this name.
    banner: {
      js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);",
    },
  });
  await bundle({ ...common, entryPoints: present(libraries), packages: 'external' });
  // A script, not a module: only a script can be compiled ahead. See docs/decisions/start.md.
  await bundle({
    ...common,
    entryPoints: [{ in: join(root, 'src', 'main.ts'), out: 'server' }],
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    external,
    // What is compiled ahead cannot import: it requires, as late as it would have imported.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '$url' },
    banner: {
      js: `// ${randomBytes(8).toString('hex')}\nconst $url = require('node:url').pathToFileURL(__filename).href;`,
    },
  });
  await toAscii(join(fresh, 'server.cjs'));
  copyFileSync(join(root, 'scripts', 'main-loader.mjs'), join(fresh, 'main.js'));
  moveInto(fresh, dist);
  rmSync(fresh, { recursive: true, force: true });
  // Where it lies: what is compiled ahead holds for that path.
  spawnSync(process.execPath, [join(root, 'scripts', 'compile-ahead.mjs'), join(dist, 'server.cjs')], {
    stdio: ['ignore', 2, 2],
  });
  forgetOldChunks(dist);
  if (!withPage) return;
  await buildPage();
  writeFileSync(join(dist, '.built'), new Date().toISOString());
}

function present(entries) {
  const found = Object.entries(entries).filter(([, file]) => existsSync(join(root, file)));
  return found.map(([out, file]) => ({ in: join(root, file), out }));
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
  const left = readdirSync(dist).filter((name) => name.startsWith('.new-') || name.endsWith('.compiled'));
  for (const name of [...chunks, ...left]) {
    const path = join(dist, name);
    if (Date.now() - statSync(path).mtimeMs > 3_600_000) rmSync(path, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await build();
