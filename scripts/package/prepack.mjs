// Run by npm before it packs: leaves only the last build in dist/, adds types, licenses and the installers' lock file.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn, readManifest } from '../manifest.mjs';
import { root } from '../paths.mjs';
import { ensureBuilt, ensureInstalled } from '../setup.mjs';
import { writeShrinkwrap } from './shrinkwrap.mjs';

ensureInstalled();
await ensureBuilt();
const { makeTypes } = await import('./types.mjs');
const { notices } = await import('./notices.mjs');

const dist = join(root, 'dist');
const server = readManifest(dist);
const page = readManifest(join(dist, 'web'));
removeAllBut([...server.files, ...page.files.map((file) => `web/${file}`)]);
for (const [entry, types] of Object.entries(await makeTypes())) writeFileSync(join(dist, `${entry}.d.ts`), types);
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), notices([...server.packages, ...page.packages]));
writeShrinkwrap();

/** Files of earlier builds stay a while for servers and pages that still run; they have no place in a package. */
function removeAllBut(files) {
  const kept = new Set(files);
  const isOurs = (file) => kept.has(file) || /(^|\/)\.|\.compiled$/.test(file);
  for (const file of filesIn(dist).filter((found) => !isOurs(found))) rmSync(join(dist, file), { force: true });
}
