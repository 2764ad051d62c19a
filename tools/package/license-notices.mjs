// Collects the license texts of the bundled packages. Most licenses require that they be included.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root-folder.mjs';

const licenseFile = /^(licen[cs]e|copying|notice)(\.|-|$)/i;

/** Licenses of data in the project's own sources. */
const dataLicenses = ['packages/search/LICENSE-opencc.txt', 'packages/search/LICENSE-pinyin.txt'];

/** Builds the license notices of package folders, which are relative to the root as in the build manifests. */
export function notices(folders) {
  const parts = [...new Set(folders)].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const texts = readdirSync(join(root, folder))
      .filter((file) => licenseFile.test(file))
      .toSorted()
      .map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
    return `${name} ${version} (${license})\n\n${texts.join('\n\n')}`.trim();
  });
  for (const file of dataLicenses) parts.push(readFileSync(join(root, file), 'utf8').trim());
  const line = '-'.repeat(80);
  const heading = 'The files of this package contain parts of the following packages.';
  return [heading, ...parts.map((part) => `${line}\n${part}\n`)].join('\n\n');
}
