import { visitRuns } from './fold.ts';
import { pinyinReadings } from './pinyin-readings.ts';
import type { TokenSink } from './tokenizer.ts';

/** Finds Chinese titles by their romanization: `nianjia` finds 年假. Tones are left out, as input methods do. */

/** Marks a token as pinyin, so that it never matches a word of the same letters. The tokenizer never produces it from text. */
const pinyinMark = '†';
/** CJK Unified Ideographs; all characters of the table lie here. */
const firstHan = 0x4e00;
const lastHan = 0x9fff;

interface Table {
  syllables: readonly string[];
  known: ReadonlySet<string>;
  /** Index of the most frequent syllable of each character plus one, and of another frequent one; 0 if there is none. */
  first: Uint16Array;
  second: Uint16Array;
}

let table: Table | undefined;

function readTable(): Table {
  const first = new Uint16Array(lastHan - firstHan + 1);
  const second = new Uint16Array(lastHan - firstHan + 1);
  const syllables: string[] = [];
  const fill = (rows: string, to: Uint16Array): void => {
    for (const [, syllable = '', characters = ''] of rows.matchAll(/([a-z]+)([^a-z]+)/g)) {
      let at = syllables.indexOf(syllable);
      if (at < 0) at = syllables.push(syllable) - 1;
      for (let i = 0; i < characters.length; i++) to[characters.charCodeAt(i) - firstHan] = at + 1;
    }
  };
  fill(pinyinReadings.first, first);
  fill(pinyinReadings.second, second);
  return { syllables, known: new Set(syllables), first, second };
}

function readingsOf(character: string): string[] {
  const { syllables, first, second } = (table ??= readTable());
  const unit = character.charCodeAt(0);
  if (character.length !== 1 || unit < firstHan || unit > lastHan) return [];
  return [first[unit - firstHan]!, second[unit - firstHan]!].flatMap((at) => (at === 0 ? [] : [syllables[at - 1]!]));
}

const han = /\p{sc=Han}/u;

/** Reports the syllables of a title and each pair of them, at the positions that `visitTokens` gives its characters. */
export function visitPinyin(title: string, sink: TokenSink): void {
  if (!han.test(title)) return;
  let place = 0;
  visitRuns(title, {
    word: () => (place += 1),
    characters: (folded) => {
      let before: string[] = [];
      for (const character of folded) {
        const readings = readingsOf(character);
        for (const syllable of readings) {
          sink.unpositioned(pinyinMark + syllable);
          for (const one of before) sink.positioned(pinyinMark + one + syllable, place - 1);
        }
        before = readings;
        place += 1;
      }
    },
  });
}

/** Maximum number of ways in which a word is divided into syllables, as `fangan` into fang-an and fan-gan. */
const maxDivisions = 4;
const maxSyllables = 12;

/**
 * Returns what to look up for a word that is pinyin: the tokens of each division into syllables, with their relative
 * positions. Empty for any other word.
 */
export function pinyinTokens(word: string): { tokens: string[]; positions?: number[] }[] {
  if (!/^[a-z]+$/.test(word)) return [];
  return divide(word).map((syllables) => {
    if (syllables.length <= 2) return { tokens: [pinyinMark + syllables.join('')] };
    const pairs = syllables.slice(1).map((syllable, i) => pinyinMark + syllables[i]! + syllable);
    return { tokens: pairs, positions: pairs.map((_, i) => i) };
  });
}

/** The prefix of all tokens of titles that begin as this word does, for a word that is still being typed. */
export function pinyinPrefix(word: string): string | undefined {
  return /^[a-z]{2,12}$/.test(word) ? pinyinMark + word : undefined;
}

const longestSyllable = 6;

function divide(word: string): string[][] {
  const { known } = (table ??= readTable());
  const found: string[][] = [];
  const visit = (from: number, syllables: readonly string[]): void => {
    if (found.length === maxDivisions) return;
    if (from === word.length) found.push([...syllables]);
    if (syllables.length === maxSyllables) return;
    for (let to = Math.min(word.length, from + longestSyllable); to > from; to--) {
      const syllable = word.slice(from, to);
      if (known.has(syllable)) visit(to, [...syllables, syllable]);
    }
  };
  visit(0, []);
  return found;
}
