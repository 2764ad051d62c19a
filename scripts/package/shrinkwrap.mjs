// The lock file inside the package: installers get what was tested. Overrides do not reach them.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.mjs';

const shrinkwrapFile = join(root, 'npm-shrinkwrap.json');

export function writeShrinkwrap() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  writeFileSync(shrinkwrapFile, `${JSON.stringify(forInstallers(lock), null, 2)}\n`);
}

/** In a clone it would take the place of package-lock.json, which also has what development needs. */
export function removeShrinkwrap() {
  rmSync(shrinkwrapFile, { force: true });
}

/** Without what only development needs, and without addresses: everybody has a registry of their own. */
function forInstallers({ packages, ...lock }) {
  const kept = Object.entries(packages).filter(([, entry]) => !entry.dev);
  return {
    ...lock,
    packages: Object.fromEntries(
      kept.map(([path, entry]) => [path, path === '' ? withoutDevelopment(entry) : withoutAddress(entry)]),
    ),
  };
}

function withoutDevelopment({ devDependencies: _devDependencies, ...entry }) {
  return entry;
}

/** An optional package that development needs anyway is marked as both; installers get it as optional. */
function withoutAddress({ resolved: _resolved, devOptional, ...entry }) {
  return devOptional ? { ...entry, optional: true } : entry;
}
