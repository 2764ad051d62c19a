import { foldHanUnit } from '../analysis/fold-han.ts';
import { stemOf } from '../analysis/stem.ts';

/**
 * This file reads a Chinese-English dictionary in the text format of CC-CEDICT, with lines such as `Traditional
 * Simplified [pin1 yin1] /gloss/gloss/`. One index finds lines by Chinese word, a second one by English meaning. Each
 * is a sorted array of numbers that combine the hash of a word with the offset of its line, so memory is bounded by the
 * file's size.
 */

/** Maximum dictionary size in bytes. CC-CEDICT has about 10 MiB. */
export const maxDictionaryBytes = 2 ** 25;
/**
 * Number of hash values. An index key is hash * `maxDictionaryBytes` + offset of the line; the largest key must be a
 * safe integer.
 */
const hashes = 2 ** 27;

const linePattern = /^(\S+) (\S+) \[[^\]]*\] \/(.+)\/\s*$/u;
/** Matches dictionary glosses that give no meaning, but refer to another entry or name a measure word or a surname. */
const reference =
  /^(?:CL:|see |see also |variant of |old variant|also written|abbr\. |surname |used in |erhua variant|(?:Tw|Taiwan) |also pr\.|pr\. |same as |\w+ radical)/u;
const han = /\p{sc=Han}/u;
const remark = /\([^)]*\)|\[[^\]]*\]|\b(?:lit|fig|esp|etc|sb|sth|idiom|coll|dialect)\b\.?/gu;
const leading = /^(?:to be |to |a |an |the |be )/u;
const maxGlossWords = 4;

export interface DictionaryEntry {
  simplified: string;
  /** The English meanings in dictionary order. Meanings of more than four words are left out. */
  glosses: string[];
}

export class Cedict {
  readonly #bytes: Uint8Array;
  readonly #byHeadword: Float64Array;
  readonly #byGloss: Float64Array;
  readonly size: number;
  /**
   * Length in characters of the longest Chinese word in the dictionary, at most 12. The limit bounds the cost of
   * splitting a query into words.
   */
  readonly maxHeadword: number;

  /** Throws an error that describes the violated rule if the bytes are not a valid dictionary. */
  constructor(bytes: Uint8Array) {
    if (bytes.length > maxDictionaryBytes)
      throw new Error(`a dictionary may have at most ${maxDictionaryBytes} bytes; this one has ${bytes.length}`);
    this.#bytes = bytes;
    const headwords: number[] = [];
    const glosses: number[] = [];
    let [size, longest] = [0, 0];
    for (let from = 0; from < bytes.length; from = this.#lineEnd(from) + 1) {
      const entry = this.#entryAt(from);
      if (!entry) continue;
      size += 1;
      longest = Math.max(longest, entry.simplified.length);
      headwords.push(keyOf(entry.simplified, from));
      for (const gloss of new Set(entry.glosses.map(glossKey))) glosses.push(keyOf(gloss, from));
    }
    if (size === 0)
      throw new Error(
        'not a dictionary in the CC-CEDICT format: no line reads "Traditional Simplified [pinyin] /gloss/"',
      );
    this.size = size;
    this.maxHeadword = Math.min(longest, maxSegmentedWord);
    this.#byHeadword = Float64Array.from(headwords).sort();
    this.#byGloss = Float64Array.from(glosses).sort();
  }

  /** Returns the entries of a Chinese word, given in folded (Simplified) characters. */
  ofHeadword(word: string): DictionaryEntry[] {
    return this.#find(this.#byHeadword, word, (entry) => entry.simplified === word);
  }

  /** Returns the entries that have this English meaning. Inflected forms match too. */
  ofGloss(gloss: string): DictionaryEntry[] {
    const key = glossKey(gloss);
    return this.#find(this.#byGloss, key, ({ glosses }) => glosses.some((one) => glossKey(one) === key));
  }

  #find(keys: Float64Array, word: string, isMeant: (entry: DictionaryEntry) => boolean): DictionaryEntry[] {
    const first = hashOf(word) * maxDictionaryBytes;
    let [low, high] = [0, keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keys[middle]! < first) low = middle + 1;
      else high = middle;
    }
    const found: DictionaryEntry[] = [];
    for (; low < keys.length && keys[low]! < first + maxDictionaryBytes; low++) {
      const entry = this.#entryAt(keys[low]! - first);
      if (entry && isMeant(entry)) found.push(entry);
    }
    return found;
  }

  #lineEnd(from: number): number {
    const end = this.#bytes.indexOf(0x0a, from);
    return end < 0 ? this.#bytes.length : end;
  }

  #entryAt(from: number): DictionaryEntry | undefined {
    const line = decoder.decode(this.#bytes.subarray(from, Math.min(this.#lineEnd(from), from + maxLine)));
    const match = line.startsWith('#') ? null : linePattern.exec(line);
    return match ? { simplified: foldWord(match[2]!), glosses: cleanGlosses(match[3]!) } : undefined;
  }
}

/**
 * Maximum length of a line of the dictionary file in bytes. Longer lines are truncated and thus not parsed as entries.
 */
const maxLine = 16_384;
const maxSegmentedWord = 12;
const decoder = new TextDecoder();

function foldWord(word: string): string {
  let folded = '';
  for (let i = 0; i < word.length; i++) folded += String.fromCharCode(foldHanUnit(word.charCodeAt(i)));
  return folded;
}

function cleanGlosses(text: string): string[] {
  const glosses: string[] = [];
  for (const sense of text.split(/[/;]/u)) {
    if (reference.test(sense.trim())) continue;
    const gloss = sense.replaceAll(remark, ' ').trim().toLowerCase().replace(leading, '');
    if (han.test(gloss)) continue;
    const words = gloss.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
    if (words.length > 0 && words.length <= maxGlossWords) glosses.push(words.join(' '));
  }
  return [...new Set(glosses)];
}

function glossKey(gloss: string): string {
  return gloss.split(' ').map(stemOf).join(' ');
}

function keyOf(word: string, offset: number): number {
  return hashOf(word) * maxDictionaryBytes + offset;
}

/** Returns the FNV-1a hash of a word's UTF-16 code units, reduced to a number below `hashes`. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % hashes;
}
