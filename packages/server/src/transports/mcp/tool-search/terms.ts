import { visitRuns } from '@sheaf/search/analysis/fold';
import { stemOf } from '@sheaf/search/analysis/stem';
import { isParticle, isStopWord } from '@sheaf/search/analysis/stop-words';
import { conceptLines } from './concepts.ts';

/**
 * The terms by which a request and a tool are compared: word stems, Chinese characters, pairs of adjacent Chinese
 * characters, and concepts (groups of synonyms).
 */
export type Terms = ReadonlySet<string>;

/** Prefix that marks a term as a concept. No word begins with this character. */
export const conceptPrefix = '*';

/** In an expression such as `throw … away`, the dots stand for at most this many words or Chinese characters. */
const maxGap = { words: 3, characters: 7 };

/** A word stem or a Chinese character. */
type Unit = string;

interface Expression {
  readonly concept: string;
  /**
   * An expression such as `throw … away` has the parts `throw` and `away`. Each part is a list of its words and
   * Chinese characters.
   */
  readonly parts: readonly (readonly Unit[])[];
  readonly length: number;
}

const isHan = (unit: Unit): boolean => /^\p{Script=Han}/u.test(unit);

function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  visitRuns(text, {
    word: (word) => units.push(stemOf(word)),
    characters: (characters) => units.push(...characters),
  });
  return units;
}

/**
 * Parses lines that begin with a name and a colon, followed by phrases with a bar between them. A line that begins with
 * a bar continues the previous line.
 */
export function parsePhraseLines(lines: string): [name: string, phrases: string[]][] {
  return lines
    .trim()
    .split(/\n(?!\|)/)
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':');
      const phrases = line.slice(colon + 1).split('|');
      return [line.slice(0, colon), phrases.map((phrase) => phrase.trim())];
    });
}

const expressions = new Map<Unit, Expression[]>();
for (const [concept, ways] of parsePhraseLines(conceptLines))
  for (const way of ways) {
    const parts = way.split('…').map(unitsOf);
    const first = parts[0]?.[0];
    if (first === undefined) continue;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    expressions.set(first, [...(expressions.get(first) ?? []), { concept, parts, length }]);
  }

interface Match {
  readonly concept: string;
  readonly places: readonly number[];
}

function placesOf({ parts }: Expression, units: readonly Unit[], from: number): number[] | undefined {
  const places: number[] = [];
  let at = from;
  for (const [index, part] of parts.entries()) {
    const fits = (place: number): boolean => part.every((unit, offset) => units[place + offset] === unit);
    const gap = index === 0 ? 0 : isHan(part[0]!) ? maxGap.characters : maxGap.words;
    let place = at;
    while (place - at < gap && !fits(place)) place++;
    if (!fits(place)) return undefined;
    for (let offset = 0; offset < part.length; offset++) places.push(place + offset);
    at = place + part.length;
  }
  return places;
}

/** Returns the concepts of a text. An expression that lies inside a longer matching expression does not count. */
function conceptsOf(units: readonly Unit[]): string[] {
  const matches: Match[] = [];
  for (const [from, unit] of units.entries())
    for (const expression of expressions.get(unit) ?? []) {
      const places = placesOf(expression, units, from);
      if (places) matches.push({ concept: expression.concept, places });
    }
  matches.sort((one, other) => other.places.length - one.places.length);
  const coveredBy = new Map<number, number>();
  const kept: string[] = [];
  for (const { concept, places } of matches) {
    if (places.every((place) => (coveredBy.get(place) ?? 0) > places.length)) continue;
    for (const place of places) coveredBy.set(place, Math.max(coveredBy.get(place) ?? 0, places.length));
    kept.push(concept);
  }
  return kept;
}

/**
 * Chinese characters that are not used as terms, because they occur in most requests and say nothing about the
 * requested action. Pairs of two such characters are not used either.
 */
const chineseFillers = new Set('我你您请想要能可以帮一下个些们么吗呢吧啊好到了没有不会来去出上里中点再又还都就');

const isFiller = (character: string): boolean => isParticle(character) || chineseFillers.has(character);

export function termsOf(text: string): Terms {
  const terms = new Set<string>();
  visitRuns(text, {
    word: (word) => {
      if (!isStopWord(word) && !fillers.has(word)) terms.add(stemOf(word));
    },
    characters: (characters) => {
      for (const [at, character] of characters.entries()) {
        const next = characters[at + 1];
        if (!isFiller(character)) terms.add(character);
        if (next !== undefined && !(isFiller(character) && isFiller(next))) terms.add(character + next);
      }
    },
  });
  for (const concept of conceptsOf(unitsOf(text))) terms.add(conceptPrefix + concept);
  return terms;
}

/**
 * English words that are not used as terms, because they occur in many requests and say little. The stop words of the
 * full-text search are not used either.
 */
const fillers = new Set('please let make want need like would get give put use one thing'.split(' '));
