// The manifest of a build, `.built` in its folder: the files, and the packages bundled into them.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root } from './root-folder.mjs';

export function writeManifest(folder, { files, packages }) {
  writeFileSync(join(folder, '.built'), JSON.stringify({ files, packages }, null, 1));
}

export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, '.built'), 'utf8'));
}

/** Lists the paths of all files in the folder, with slashes. */
export function filesIn(folder, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory() ? filesIn(folder, path) : [path];
  });
}

/** Returns the package folders that the files belong to, relative to the root: node_modules/a/node_modules/@b/c. */
export function packageFolders(files) {
  const folders = files.map(
    (file) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(relative(root, file).split(sep).join('/'))?.[0],
  );
  return [...new Set(folders.filter((folder) => folder !== undefined))].toSorted();
}
