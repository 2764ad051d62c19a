// npm run package [-- FOLDER]: writes the npm package into FOLDER (default: the current folder). The package is
// assembled in a temporary folder, because its manifest and lock file list fewer packages than the repository's.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readManifest } from '../build-manifest.mjs';
import { root } from '../root-folder.mjs';
import { ensureBuilt, ensureInstalled } from '../setup.mjs';
import { publishedBin, publishedLock, publishedManifest } from './published-manifest.mjs';

ensureInstalled(root, { withTests: true });
await ensureBuilt();
const { makeTypes } = await import('./types.mjs');
const { notices } = await import('./license-notices.mjs');

const others = ['README.md', 'CHANGELOG.md', 'LICENSE'];
const destination = resolve(process.argv[2] ?? '.');
const folder = mkdtempSync(join(tmpdir(), 'sheaf-package-'));
try {
  await layOut();
  mkdirSync(destination, { recursive: true });
  const { status } = spawnSync('npm', ['pack', '--silent', '--pack-destination', destination], {
    cwd: folder,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function layOut() {
  const server = readManifest(join(root, 'dist'));
  const page = readManifest(join(root, 'dist', 'web'));
  const built = [...server.files, ...page.files.map((file) => `web/${file}`)].filter((file) => !file.endsWith('.map'));
  for (const file of [...built.map((name) => `dist/${name}`), ...others])
    cpSync(join(root, file), join(folder, file), { recursive: true });
  cpSync(join(root, 'tools', 'sheaf.mjs'), join(folder, publishedBin));
  for (const [entry, types] of Object.entries(await makeTypes())) write(`dist/${entry}.d.ts`, types);
  write('dist/THIRD-PARTY-LICENSES.txt', notices([...server.packages, ...page.packages]));
  write('package.json', JSON.stringify(publishedManifest(), null, 2));
  write('npm-shrinkwrap.json', JSON.stringify(publishedLock(), null, 2));
}

function write(file, text) {
  writeFileSync(join(folder, file), `${text.trimEnd()}\n`);
}
