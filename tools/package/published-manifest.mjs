// Creates the manifest and lock file of the published package. They list only the dependencies that the built files
// load at run time.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { published } from '../external-packages.mjs';
import { root } from '../root-folder.mjs';

const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));

/** Path of the command. It must not change, because service files and images of earlier releases use it. */
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

/** Merges the dependencies of all workspace packages, because they are published as one package. */
function allDependencies() {
  const folders = readdirSync(join(root, 'packages'));
  return Object.assign({}, ...folders.map((name) => read(join('packages', name, 'package.json')).dependencies));
}

/**
 * Returns a lock file that pins the tested versions. It has no registry URLs, because users may have another registry.
 */
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

/** `devOptional` means both an optional and a development dependency. For users the package is optional. */
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

/** Finds a package like Node: in the nearest node_modules folder that contains it. */
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
