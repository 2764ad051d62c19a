// Writes the table that folds Traditional Chinese characters to Simplified ones, from the data of OpenCC.
// usage: npm pack opencc-js@1.4.2 && tar xzf opencc-js-1.4.2.tgz && node tools/han-variants.mjs package
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './root-folder.mjs';

const folder = resolve(process.argv[2] ?? 'package');
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

async function dictionary(name) {
  const file = join(folder, 'dist', 'esm-lib', 'dict', `${name}.js`);
  const { default: text } = await import(pathToFileURL(file).href);
  return text.split('|').map((line) => line.split(' '));
}

const simplified = new Map();
const fold = (character) => {
  let folded = character;
  while (simplified.has(folded)) folded = simplified.get(folded);
  return folded;
};
// Only characters of one code unit are included, so that the index can fold text without decoding it. Others are rare.
const unite = (from, to) => {
  const [one, other] = [fold(from), fold(to)];
  if (one !== other && one.length === 1 && other.length === 1) simplified.set(one, other);
};
for (const [traditional, first] of await dictionary('TSCharacters')) unite(traditional, first);
for (const [character, ...others] of await dictionary('STCharacters'))
  if (others.length === 1) unite(character, others[0]);
const targets = new Set([...simplified.keys()].map(fold));
for (const name of ['TWVariants', 'HKVariants'])
  for (const [character, ...variants] of await dictionary(name))
    for (const variant of variants) if (!targets.has(variant)) unite(variant, character);

const pairs = [...simplified.keys()].sort().map((character) => character + fold(character));
const perLine = 36;
const lines = Array.from({ length: Math.ceil(pairs.length / perLine) }, (_, i) =>
  pairs.slice(i * perLine, (i + 1) * perLine).join(''),
);
writeFileSync(
  join(root, 'packages', 'search', 'src', 'analysis', 'han-variants.ts'),
  `// Made by tools/han-variants.mjs from opencc-js ${version}. The data is OpenCC's, under the Apache License 2.0: see
// ../../LICENSE-opencc.txt.

/** Each Traditional or variant character, followed by the Simplified one it is folded to. */
export const hanVariants =
${lines.map((line) => `  '${line}'`).join(' +\n')};
`,
);
process.stdout.write(`${pairs.length} pairs\n`);
