import { textOf } from '../../base/coerce.ts';
import { define, type Definition } from '../define.ts';

/** Full-width katakana, in the order of their half-width forms from U+FF61 on. */
const fullKana =
  '。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜';
const firstHalfKana = 0xff61;
const voicedMark = '\uff9e';
const halfVoicedMark = '\uff9f';

const toHalf = new Map<string, string>();
const toFull = new Map<string, string>();

for (let code = 0x21; code <= 0x7e; code++) {
  const full = String.fromCharCode(code + 0xfee0);
  toHalf.set(full, String.fromCharCode(code));
  toFull.set(String.fromCharCode(code), full);
}
[...fullKana].forEach((full, i) => {
  const half = String.fromCharCode(firstHalfKana + i);
  toHalf.set(full, half);
  toFull.set(half, full);
});
// Characters whose full-width form is not at the usual offset of 0xFEE0. The pairs are those of a Japanese keyboard.
for (const [full, half] of [
  ['\u3000', ' '],
  ['”', '"'],
  ['’', "'"],
  ['‘', '`'],
  ['￥', '\\'],
] as const) {
  toHalf.set(full, half);
  toFull.set(half, full);
}
toHalf.set('―', 'ｰ');

/**
 * Adds voiced kana to the conversion tables. In Unicode, a voiced kana follows its plain form at distance `step`: カ is
 * U+30AB, ガ is U+30AC. Its half-width form is the plain kana followed by `mark`.
 */
function addVoiced(plain: string, step: number, mark: string): void {
  for (const kana of plain) {
    const half = toHalf.get(kana) ?? '';
    const voiced = String.fromCharCode(kana.charCodeAt(0) + step);
    toHalf.set(voiced, half + mark);
    toFull.set(half + mark, voiced);
  }
}
addVoiced('カキクケコサシスセソタチツテトハヒフヘホ', 1, voicedMark);
addVoiced('ハヒフヘホ', 2, halfVoicedMark);
toHalf.set('ヴ', `ｳ${voicedMark}`);
toFull.set(`ｳ${voicedMark}`, 'ヴ');

function halfWidth(text: string): string {
  let out = '';
  for (const sign of text) out += toHalf.get(sign) ?? sign;
  return out;
}

function fullWidth(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const pair = toFull.get(text.slice(i, i + 2));
    if (pair !== undefined && i + 1 < text.length) {
      out += pair;
      i++;
    } else out += toFull.get(text[i] ?? '') ?? text[i];
  }
  return out;
}

export const widthFunctions: readonly Definition[] = [
  define('ASC', 'text', (_call, text) => halfWidth(text)),
  define('DBCS', 'text', (_call, text) => fullWidth(text), { aliases: ['JIS'] }),
  // Phonetic readings of cells (furigana) are not stored, so PHONETIC returns the text of the cell itself.
  define('PHONETIC', 'grid', (_call, grid) => textOf(grid.at(0, 0))),
];
