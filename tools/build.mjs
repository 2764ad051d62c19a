// Bundles the project's sources with all packages that are not external. Started directly or by setup.mjs.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toAscii } from './escape-non-ascii.mjs';
import { buildPage } from './build-page.mjs';
import { external } from './external-packages.mjs';
import { filesIn, packageFolders, writeManifest } from './build-manifest.mjs';
import { root } from './root-folder.mjs';

/**
 * Maps bundle names in dist/ to entry files. Each worker is a separate bundle, because it runs in its own thread or
 * process.
 */
const workers = {
  'workers/dictionary': 'packages/server/src/adapters/search/dictionary-worker.ts',
  'workers/embedding': 'packages/server/src/adapters/embedding/embedding-worker.ts',
  'workers/formats': 'packages/server/src/adapters/parse/parser-process.ts',
  'workers/notes': 'packages/server/src/modules/note/parse-markdown-worker.ts',
  'workers/passwords': 'packages/server/src/adapters/passwords/hasher-worker.ts',
  'workers/search': 'packages/server/src/adapters/search/index-worker.ts',
  'workers/sheet': 'packages/server/src/modules/sheet/host/worker.ts',
  'workers/vectors': 'packages/server/src/adapters/search/vector-worker.ts',
};
const libraries = {
  client: 'packages/client/src/index.ts',
  engine: 'packages/engine/src/index.ts',
};

export async function build({ withPage = true } = {}) {
  const { build: bundle } = await import('esbuild');
  const dist = join(root, 'dist');
  mkdirSync(dist, { recursive: true });
  // Build in a temporary folder and move file by file, so that a server or test running from dist/ never reads a
  // partial file.
  const fresh = mkdtempSync(join(root, 'dist', '.new-'));
  const common = {
    outdir: fresh,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    metafile: true,
    logLevel: 'warning',
  };
  const made = [
    await bundle({
      ...common,
      entryPoints: present(workers),
      sourcemap: 'linked',
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      external,
      // Define `require`, because bundled CommonJS packages call it for Node's built-in modules.
      banner: {
        js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);",
      },
    }),
    // Libraries for other programs, including browsers.
    await bundle({ ...common, entryPoints: present(libraries), platform: 'neutral' }),
    // CommonJS instead of ESM, because only a script can have a V8 code cache. See docs/decisions/startup-time.md.
    await bundle({
      ...common,
      entryPoints: [{ in: join(root, 'packages', 'server', 'src', 'main.ts'), out: 'server' }],
      outExtension: { '.js': '.cjs' },
      sourcemap: 'linked',
      format: 'cjs',
      external,
      // A script with a code cache cannot use dynamic import, so `import()` becomes a lazy `require`.
      supported: { 'dynamic-import': false },
      define: { 'import.meta.url': '$url' },
      banner: {
        js: `// ${randomBytes(8).toString('hex')}\nconst $url = require('node:url').pathToFileURL(__filename).href;`,
      },
    }),
  ];
  await toAscii(join(fresh, 'server.cjs'));
  copyFileSync(join(root, 'tools', 'main-loader.mjs'), join(fresh, 'main.js'));
  for (const folder of ['skills', 'views'])
    cpSync(join(root, 'packages', 'server', folder), join(fresh, folder), { recursive: true });
  const files = filesIn(fresh);
  moveInto(fresh, dist);
  rmSync(fresh, { recursive: true, force: true });
  // Write the code cache only after the files have been moved to dist/, because it is valid only for the final path of
  // the script.
  spawnSync(process.execPath, [join(root, 'tools', 'compile-ahead.mjs'), join(dist, 'server.cjs')], {
    stdio: ['ignore', 2, 2],
  });
  forgetOldChunks(dist);
  if (!withPage) return;
  await buildPage();
  const inputs = made.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  writeManifest(dist, { files, packages: packageFolders(inputs.map((input) => resolve(input))) });
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

/** Deletes chunks of earlier builds after an hour, when no running server can still load them. */
function forgetOldChunks(dist) {
  const chunks = readdirSync(join(dist, 'chunks')).map((name) => join('chunks', name));
  const left = readdirSync(dist).filter((name) => name.startsWith('.new-') || name.endsWith('.compiled'));
  for (const name of [...chunks, ...left]) {
    const path = join(dist, name);
    if (Date.now() - statSync(path).mtimeMs > 3_600_000) rmSync(path, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await build();
