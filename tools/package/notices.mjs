// The licenses of the packages that are part of our files: most of them ask to be named wherever they go.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.mjs';

const licenseFile = /^(licen[cs]e|copying|notice)(\.|-|$)/i;

/** By the folders that the builds noted, below the root. */
export function notices(folders) {
  const parts = [...new Set(folders)].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const texts = readdirSync(join(root, folder))
      .filter((file) => licenseFile.test(file))
      .toSorted()
      .map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
    return `${name} ${version} (${license})\n\n${texts.join('\n\n')}`.trim();
  });
  const line = '-'.repeat(80);
  const heading = 'The files of this package contain parts of the following packages.';
  return [heading, ...parts.map((part) => `${line}\n${part}\n`)].join('\n\n');
}
