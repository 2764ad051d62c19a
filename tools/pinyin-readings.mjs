// Writes the table of pinyin syllables from the readings of the Unicode Han Database in pinyin-data.
// usage: git clone https://github.com/mozillazg/pinyin-data && node tools/pinyin-readings.mjs pinyin-data
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from './root-folder.mjs';

const folder = resolve(process.argv[2] ?? 'pinyin-data');

/** Reads lines such as `U+4E50: lè,yuè  # 乐`, in which the most frequent reading is first. */
function readingsIn(name) {
  const found = new Map();
  for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
    const [, code, list] = /^U\+([0-9A-F]{4}): (\S+)/.exec(line) ?? [];
    if (code) found.set(String.fromCharCode(Number.parseInt(code, 16)), list.split(',').map(syllableOf));
  }
  return found;
}

/** Removes the tone of a reading. The letter ü becomes v, as it is typed. */
function syllableOf(reading) {
  return reading
    .normalize('NFD')
    .replaceAll('u\u0308', 'v')
    .replaceAll(/[\u0300-\u036f]/g, '');
}

const { foldHanUnit } = await (async () => {
  const { useBundled } = await import('./bundle-module.mjs');
  return useBundled(join(root, 'packages/search/src/analysis/fold-han.ts'), (module) => module);
})();
const isFolded = (character) => foldHanUnit(character.charCodeAt(0)) === character.charCodeAt(0);

// Readings of surnames that differ from the usual reading.
const surnames = new Map(
  Object.entries({ 单: 'shan', 解: 'xie', 查: 'zha', 仇: 'qiu', 朴: 'piao', 区: 'ou', 盖: 'ge', 尉: 'yu', 曾: 'zeng' }),
);
const standard = readingsIn('kMandarin_8105.txt');
const frequent = readingsIn('kHanyuPinlu.txt');
const [first, second] = [new Map(), new Map()];
for (const character of [...standard.keys()].filter(isFolded).sort()) {
  const readings = [...standard.get(character), ...(frequent.get(character) ?? []), surnames.get(character)];
  const [usual, ...others] = new Set(readings.filter((one) => /^[a-z]{1,6}$/.test(one ?? '')));
  // A syllable with v (ü) also gets the spelling with u, which many people use without an input method.
  const other = others.find((one) => one === surnames.get(character)) ?? others[0] ?? usual.replace(/^([ln])v/, '$1u');
  first.set(usual, (first.get(usual) ?? '') + character);
  if (other !== usual) second.set(other, (second.get(other) ?? '') + character);
}

const rows = (table) => {
  const text = [...table]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([syllable, list]) => syllable + list)
    .join('');
  return (text.match(/.{1,80}/gu) ?? []).map((line) => `    '${line}'`).join(' +\n');
};
writeFileSync(
  join(root, 'packages', 'search', 'src', 'analysis', 'pinyin-readings.ts'),
  `// Made by tools/pinyin-readings.mjs from pinyin-data (MIT), which takes it from the Unicode Han Database: see
// ../../LICENSE-pinyin.txt.

/** Syllables without tones, each followed by the characters that are read so: the usual reading and another one. */
export const pinyinReadings = {
  first:
${rows(first)},
  second:
${rows(second)},
};
`,
);
process.stdout.write(`${standard.size} characters\n`);
