// Builds packages/web to dist/web if a source is newer than the last build, and compresses the result.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { filesIn, packageFolders, writeManifest } from './build-manifest.mjs';
import { newest, pageFiles } from './last-modified.mjs';
import { root } from './root-folder.mjs';

const sources = [
  ...['charts', 'client', 'engine', 'markdown', 'web'].map((name) => join('packages', name, 'src')),
  ...pageFiles,
  'tools/build-page.mjs',
  'package-lock.json',
];
const compressible = /\.(m?js|css|html|svg|json)$/;
const keptMs = 3_600_000;

export async function buildPage() {
  if (!existsSync(join(root, 'packages', 'web'))) return;
  const stamp = join(root, 'dist', 'web', '.built');
  const built = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const started = new Date();
  if (built > Math.max(...sources.map((name) => newest(join(root, name))))) return;
  const { build } = await import('vite');
  const fresh = mkdtempSync(join(root, 'dist', '.new-'));
  const inputs = [];
  const listInputs = {
    name: 'list-inputs',
    generateBundle(_options, bundle) {
      for (const { modules = {} } of Object.values(bundle)) inputs.push(...Object.keys(modules));
    },
  };
  // Always builds the production version of React, also when a test starts the build.
  const mode = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    const configFile = join(root, 'packages', 'web', 'vite.config.ts');
    await build({
      mode: 'production',
      configFile,
      logLevel: 'warn',
      plugins: [listInputs],
      build: { outDir: fresh, emptyOutDir: true },
    });
  } finally {
    if (mode === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = mode;
  }
  compress(fresh);
  const page = join(root, 'dist', 'web');
  const files = filesIn(fresh);
  // Move assets first, so that a client that loads the new page finds all its files. Old assets are kept for a while
  // for pages that are still open.
  moveInto(join(fresh, 'assets'), join(page, 'assets'));
  moveInto(fresh, page);
  rmSync(fresh, { recursive: true, force: true });
  for (const name of readdirSync(join(page, 'assets'))) {
    const path = join(page, 'assets', name);
    if (Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { force: true });
  }
  writeManifest(page, { files, packages: packageFolders(inputs) });
  // Stamps the build with its start time, so that files changed during the build trigger the next one.
  utimesSync(stamp, started, started);
}

function compress(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) compress(path);
    else if (compressible.test(entry.name)) {
      const bytes = readFileSync(path);
      if (bytes.length < 400) continue;
      writeFileSync(
        `${path}.br`,
        brotliCompressSync(bytes, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        }),
      );
      writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    }
  }
}

function moveInto(from, to) {
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isFile()) renameSync(join(from, entry.name), join(to, entry.name));
  }
}
