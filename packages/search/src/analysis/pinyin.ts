import { visitRuns } from './fold.ts';
import { pinyinReadings } from './pinyin-readings.ts';
import type { TokenSink } from './tokenizer.ts';

/** This file lets searches find Chinese titles by their pinyin without tones: `nianjia` finds 年假. */

/**
 * Prefix that marks a token as pinyin, so that it never equals a Latin word. The tokenizer never produces the prefix
 * from text.
 */
const pinyinMark = '†';
/** Range of the CJK Unified Ideographs, which contains all characters of the pinyin table. */
const firstHan = 0x4e00;
const lastHan = 0x9fff;

interface Table {
  syllables: readonly string[];
  known: ReadonlySet<string>;
  /**
   * For each character, its most frequent syllable (`first`) and another frequent syllable (`second`). A syllable is
   * given as its index in `syllables` plus one; 0 means that there is none.
   */
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

/**
 * Passes the pinyin syllables of a title's Chinese characters, and each pair of adjacent syllables, to `sink` as search
 * tokens. Their positions are those that `visitTokens` assigns to the characters.
 */
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

/** Maximum number of ways to divide a word into syllables; for example, `fangan` is fang-an or fan-gan. */
const maxDivisions = 4;
const maxSyllables = 12;

/**
 * Returns the tokens to search for a pinyin word, with their relative positions, for each division into syllables. The
 * list is empty for words that are not pinyin.
 */
export function pinyinTokens(word: string): { tokens: string[]; positions?: number[] }[] {
  if (!/^[a-z]+$/.test(word)) return [];
  return divide(word).map((syllables) => {
    if (syllables.length <= 2) return { tokens: [pinyinMark + syllables.join('')] };
    const pairs = syllables.slice(1).map((syllable, i) => pinyinMark + syllables[i]! + syllable);
    return { tokens: pairs, positions: pairs.map((_, i) => i) };
  });
}

/**
 * Returns the prefix of the pinyin tokens to search for while a word is still being typed; undefined if the word cannot
 * be pinyin.
 */
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
