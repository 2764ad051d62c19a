// The manifest and lock file of the published package: only what the built files load from outside of themselves.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { published } from '../external.mjs';
import { root } from '../paths.mjs';

const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));

/** Where service files and images of earlier releases look for it. */
export const publishedBin = 'scripts/sheaf.mjs';

export function publishedManifest() {
  const { name, version, description, license, type, exports, engines } = read('package.json');
  return {
    name,
    version,
    description,
    license,
    bin: { sheaf: `./${publishedBin}` },
    type,
    exports,
    engines,
    dependencies: pick(allDependencies(), published),
  };
}

/** Of all packages: what is published is one. */
function allDependencies() {
  const folders = readdirSync(join(root, 'packages'));
  return Object.assign({}, ...folders.map((name) => read(join('packages', name, 'package.json')).dependencies));
}

/** Installers get the versions that were tested, without addresses: everybody has a registry of their own. */
export function publishedLock() {
  const { packages, ...lock } = read('package-lock.json');
  const { name, version, license, bin, engines, dependencies } = publishedManifest();
  const paths = [...reachable(packages)].toSorted();
  const entries = paths.map((path) => [path, entryOf(packages[path])]);
  return {
    ...lock,
    packages: { '': { name, version, license, bin, engines, dependencies }, ...Object.fromEntries(entries) },
  };
}

/** An optional package that is installed for something else too is marked as both; for installers it is optional. */
function entryOf({ resolved: _resolved, dev: _dev, devOptional, ...entry }) {
  return devOptional ? { ...entry, optional: true } : entry;
}

function reachable(packages) {
  const found = new Set();
  const visit = (from, names) => {
    for (const name of names) {
      const path = lookUp(packages, from, name);
      if (path === undefined || found.has(path)) continue;
      found.add(path);
      const { dependencies, optionalDependencies, peerDependencies } = packages[path];
      visit(path, Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }));
    }
  };
  visit('', published);
  return found;
}

/** As Node resolves it: the nearest node_modules that has it. */
function lookUp(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}

function pick(object, names) {
  return Object.fromEntries(names.map((name) => [name, object[name]]));
}
