import { readPhrase, type PhraseToken } from './phrase.ts';
import { noFrequencies, readPostings, united, type FieldWeights, type Frequencies, type Stretch } from './postings.ts';
import type { Choice, Unit } from './query.ts';
import { exactBonus, idf, leastShare, lengthNorm, minorShare, termScore, weightOf, type Collection } from './score.ts';
import {
  blockOf,
  listIn,
  listsPart,
  partNumbers,
  placesIn,
  placesPart,
  readFieldEnds,
  tokensIn,
  type SegmentColumns,
} from './segment.ts';

/** A segment that a question is put to. */
export interface OpenSegment {
  number: number;
  columns: SegmentColumns;
  /** The first token of each block. */
  dictionary: readonly string[];
  /** 1 for each document that is gone. */
  gone: Uint8Array | undefined;
  /** The places of those, in no order. */
  goneAt: readonly number[];
  /** How long all documents before each place are together. */
  lengthsBefore: Float64Array;
}

/** The sums of the lengths before each document, and of all. */
export function lengthsBefore({ lengths }: SegmentColumns): Float64Array {
  const sums = new Float64Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) sums[i + 1] = sums[i]! + lengths[i]!;
  return sums;
}

export interface Part {
  segment: number;
  part: number;
}

/** Gets parts of segments, all at once; kept ones cost nothing. */
export type FetchParts = (wanted: readonly Part[]) => Promise<Uint8Array[]>;

/** Words that are looked for in the same fields. */
export interface Clause {
  /** What has only some of the words is no answer. */
  isStrict: boolean;
  units: readonly Unit[];
  weights: FieldWeights;
}

export interface Question {
  owners: ReadonlySet<string>;
  /** The first ranks; each word of the others must be there. */
  clauses: readonly Clause[];
}

/** What the order of a question's answers depends on: with the same, an unchanged document has the same score. */
export interface Statistics extends Collection {
  /** How many documents have each word of the first clause. */
  having: readonly number[];
}

/** The documents that answer, in no order. */
export interface Answers {
  /** Which segment, by its place in the list, and which document of it. */
  segments: Uint32Array;
  documents: Uint32Array;
  scores: Float64Array;
  /** 1 where every word is there, 0 where only some are. */
  isAll: Uint8Array;
  length: number;
  statistics: Statistics;
}

/** How often a document has a word in any form, and where in the form that was asked for. */
interface UnitCounts {
  all: Frequencies;
  exact: Frequencies;
}

/** The most words that a beginning stands for. */
const maxExpanded = 64;
/** So long one question keeps the thread before others get a turn. */
const turnMs = 4;

export async function evaluate(
  question: Question,
  segments: readonly OpenSegment[],
  read: FetchParts,
  given?: Statistics,
): Promise<Answers> {
  const stretches = segments.map((segment) => stretchesOf(segment.columns, question.owners));
  const words = new UnitReader(segments, stretches, read);
  await words.prepare(question.clauses.flatMap((clause) => clause.units));
  const [ranking, ...filters] = question.clauses;
  const counts: UnitCounts[][] = [];
  let since = performance.now();
  const breathe = async (): Promise<void> => {
    if (performance.now() - since < turnMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
  for (const unit of ranking?.units ?? []) {
    counts.push(await words.counts(unit, ranking!.weights));
    await breathe();
  }
  const required: Frequencies[][] = [];
  for (const filter of filters)
    for (const unit of filter.units) {
      required.push((await words.counts(unit, filter.weights)).map((one) => one.all));
      await breathe();
    }
  const statistics = given ?? {
    ...collectionOf(segments, stretches),
    having: counts.map((one) => one.reduce((sum, { all }) => sum + all.length, 0)),
  };
  const weighed = weigh(ranking?.units ?? [], statistics);
  const answers = new Gathered(statistics);
  for (const [at, segment] of segments.entries()) {
    if (stretches[at]!.length === 0) continue;
    accumulate(
      answers,
      at,
      segment,
      weighed,
      counts.map((one) => one[at]!),
      required.map((one) => one[at]!),
    );
    await breathe();
  }
  return answers.done(weighed.least, ranking?.isStrict === true);
}

/** The documents of these owners; all of them where nobody is left out. */
export function stretchesOf({ owners }: SegmentColumns, wanted: ReadonlySet<string>): Stretch[] {
  const stretches: [number, number][] = [];
  let from = 0;
  for (const { name, end } of owners) {
    if (wanted.has(name)) {
      const last = stretches.at(-1);
      if (last && last[1] === from) last[1] = end;
      else stretches.push([from, end]);
    }
    from = end;
  }
  return stretches;
}

function collectionOf(segments: readonly OpenSegment[], stretches: readonly (readonly Stretch[])[]): Collection {
  let documents = 0;
  let length = 0;
  // By sums made once: what a question costs must not grow with what it does not find.
  segments.forEach(({ columns, goneAt, lengthsBefore: sums }, i) => {
    for (const [from, to] of stretches[i]!) {
      documents += to - from;
      length += sums[to]! - sums[from]!;
      for (const place of goneAt) {
        if (place < from || place >= to) continue;
        documents -= 1;
        length -= columns.lengths[place]!;
      }
    }
  });
  return { documents, meanLength: documents === 0 ? 1 : Math.max(1, length / documents) };
}

interface Weighed {
  /** The words by falling weight: the rarest first. */
  order: readonly { unit: number; idf: number; weight: number; isEnough: boolean }[];
  /** How many words must be there for every word to be. */
  needed: number;
  least: number;
}

/** `isEnough`: with this word and all lighter ones a document may have weight enough; of the rest none makes an answer. */
function weigh(units: readonly Unit[], { documents, having }: Statistics): Weighed {
  const known = units.map((unit, i) => {
    const count = Math.min(having[i] ?? 0, documents);
    const isMinor = unit.isMinor === true;
    return {
      unit: i,
      idf: idf(documents, count) * (isMinor ? minorShare : 1),
      weight: isMinor ? 0 : weightOf(documents, count),
    };
  });
  known.sort((one, other) => other.weight - one.weight || one.unit - other.unit);
  let rest = known.reduce((sum, one) => sum + one.weight, 0);
  const least = rest * leastShare;
  const order = known.map((one) => {
    const isEnough = one.weight > 0 && rest >= least * (1 - tolerance);
    rest -= one.weight;
    return { ...one, isEnough };
  });
  return { order, needed: units.filter((unit) => unit.isMinor !== true).length, least };
}

/** Sums of the same numbers in another order differ by less than this. */
const tolerance = 1e-9;

/** Numbers for each document of the largest segment, used for one segment at a time and zero in between. */
let scores = new Float64Array(0);
let weights = new Float64Array(0);
let matched = new Uint8Array(0);
let passed = new Uint8Array(0);
let touched = new Uint32Array(0);

function accumulate(
  answers: Gathered,
  at: number,
  { columns }: OpenSegment,
  { order, needed }: Weighed,
  counts: readonly UnitCounts[],
  required: readonly Frequencies[],
): void {
  makeRoom(columns.documents.length);
  const { lengths } = columns;
  const { meanLength } = answers.statistics;
  let count = 0;
  for (const { unit, idf: worth, weight, isEnough } of order) {
    const { all, exact } = counts[unit]!;
    const { documents, counts: often, length } = all;
    for (let i = 0, e = 0; i < length; i++) {
      const document = documents[i]!;
      if (weights[document] === 0) {
        if (!isEnough) continue;
        touched[count++] = document;
      }
      while (e < exact.length && exact.documents[e]! < document) e += 1;
      const bonus = e < exact.length && exact.documents[e] === document ? 1 + exactBonus : 1;
      const norm = lengthNorm(lengths[document]!, meanLength);
      scores[document] = scores[document]! + termScore(worth * bonus, often[i]!, norm);
      weights[document] = weights[document]! + weight;
      if (weight > 0) matched[document] = matched[document]! + 1;
    }
  }
  for (const { documents, length } of required)
    for (let i = 0; i < length; i++) passed[documents[i]!] = passed[documents[i]!]! + 1;
  for (let i = 0; i < count; i++) {
    const document = touched[i]!;
    if (passed[document] === required.length)
      answers.add(at, document, scores[document]!, weights[document]!, matched[document] === needed);
    scores[document] = 0;
    weights[document] = 0;
    matched[document] = 0;
  }
  for (const { documents, length } of required) for (let i = 0; i < length; i++) passed[documents[i]!] = 0;
}

function makeRoom(size: number): void {
  if (scores.length >= size) return;
  scores = new Float64Array(size);
  weights = new Float64Array(size);
  matched = new Uint8Array(size);
  passed = new Uint8Array(size);
  touched = new Uint32Array(size);
}

/** Answers as they are found; which of them have weight enough is known in the end. */
class Gathered {
  readonly statistics: Statistics;
  #segments = new Uint32Array(256);
  #documents = new Uint32Array(256);
  #scores = new Float64Array(256);
  #weights = new Float64Array(256);
  #isAll = new Uint8Array(256);
  #length = 0;
  #most = 0;

  constructor(statistics: Statistics) {
    this.statistics = statistics;
  }

  add(segment: number, document: number, score: number, weight: number, isAll: boolean): void {
    if (this.#length === this.#scores.length) this.#grow();
    const at = this.#length++;
    this.#segments[at] = segment;
    this.#documents[at] = document;
    this.#scores[at] = score;
    this.#weights[at] = weight;
    this.#isAll[at] = isAll ? 1 : 0;
    if (weight > this.#most) this.#most = weight;
  }

  /** Where nothing has so much of the question's weight, what has the most. The sums differ by their order in the last digits. */
  done(least: number, isStrict: boolean): Answers {
    const enough = Math.min(least, this.#most) * (1 - tolerance);
    let length = 0;
    for (let i = 0; i < this.#length; i++) {
      if (this.#weights[i]! < enough || (isStrict && this.#isAll[i] === 0)) continue;
      this.#segments[length] = this.#segments[i]!;
      this.#documents[length] = this.#documents[i]!;
      this.#scores[length] = this.#scores[i]!;
      this.#isAll[length] = this.#isAll[i]!;
      length += 1;
    }
    return {
      segments: this.#segments.subarray(0, length),
      documents: this.#documents.subarray(0, length),
      scores: this.#scores.subarray(0, length),
      isAll: this.#isAll.subarray(0, length),
      length,
      statistics: this.statistics,
    };
  }

  #grow(): void {
    const size = this.#scores.length * 4;
    const longer = <Numbers extends Uint32Array | Float64Array | Uint8Array>(
      array: Numbers,
      made: Numbers,
    ): Numbers => {
      made.set(array);
      return made;
    };
    this.#segments = longer(this.#segments, new Uint32Array(size));
    this.#documents = longer(this.#documents, new Uint32Array(size));
    this.#scores = longer(this.#scores, new Float64Array(size));
    this.#weights = longer(this.#weights, new Float64Array(size));
    this.#isAll = longer(this.#isAll, new Uint8Array(size));
  }
}

/** Looks words up in every segment, with one fetch for all of them. */
class UnitReader {
  readonly #segments: readonly OpenSegment[];
  readonly #stretches: readonly (readonly Stretch[])[];
  readonly #read: FetchParts;
  readonly #blocks = new Map<string, Uint8Array>();

  constructor(segments: readonly OpenSegment[], stretches: readonly (readonly Stretch[])[], read: FetchParts) {
    this.#segments = segments;
    this.#stretches = stretches;
    this.#read = read;
  }

  async prepare(units: readonly Unit[]): Promise<void> {
    const wanted = new Map<string, Part>();
    const want = (segment: number, part: number): void => {
      wanted.set(`${segment} ${part}`, { segment: this.#segments[segment]!.number, part });
    };
    this.#segments.forEach(({ dictionary }, segment) => {
      if (this.#stretches[segment]!.length === 0) return;
      for (const unit of units) {
        for (const choice of unit.choices) {
          const blocks = choice.tokens.map((token) => blockOf(dictionary, token));
          if (choice.places) want(segment, partNumbers.fieldEnds);
          for (const block of blocks) {
            if (block < 0) continue;
            want(segment, listsPart(block));
            if (choice.places) want(segment, placesPart(block));
          }
        }
        if (unit.exact !== undefined) {
          const block = blockOf(dictionary, unit.exact);
          if (block >= 0) want(segment, listsPart(block));
        }
        for (const block of this.#prefixBlocks(dictionary, unit.prefix)) want(segment, listsPart(block));
      }
    });
    if (wanted.size === 0) return;
    const parts = await this.#read([...wanted.values()]);
    [...wanted.keys()].forEach((key, i) => this.#blocks.set(key, parts[i]!));
  }

  /** For each segment. */
  async counts(unit: Unit, fields: FieldWeights): Promise<UnitCounts[]> {
    return this.#segments.map((_, segment) => {
      if (this.#stretches[segment]!.length === 0) return { all: noFrequencies, exact: noFrequencies };
      const lists = new Map<string, Frequencies>();
      const ofToken = (token: string): Frequencies => {
        let found = lists.get(token);
        if (!found) lists.set(token, (found = this.#ofToken(segment, token, fields)));
        return found;
      };
      let all = noFrequencies;
      for (const choice of unit.choices)
        all = united(all, choice.places ? this.#ofPhrase(segment, choice, fields) : ofToken(choice.tokens[0] ?? ''));
      if (unit.prefix !== undefined)
        for (const token of this.#expanded(segment, unit.prefix)) all = united(all, ofToken(token));
      return { all, exact: unit.exact === undefined ? noFrequencies : ofToken(unit.exact) };
    });
  }

  #ofToken(segment: number, token: string, fields: FieldWeights): Frequencies {
    const found = this.#find(segment, token);
    if (!found) return noFrequencies;
    return readPostings(found.list, this.#stretches[segment]!, this.#segments[segment]!.gone, fields);
  }

  #find(segment: number, token: string): { list: Uint8Array; index: number; block: number } | undefined {
    const block = blockOf(this.#segments[segment]!.dictionary, token);
    const bytes = this.#blocks.get(`${segment} ${listsPart(block)}`);
    const found = block < 0 || !bytes ? undefined : listIn(bytes, token);
    return found && { ...found, block };
  }

  #ofPhrase(segment: number, { tokens, places = [] }: Choice, fields: FieldWeights): Frequencies {
    const parts: PhraseToken[] = [];
    for (const [i, token] of tokens.entries()) {
      const found = this.#find(segment, token);
      const kept = found && this.#blocks.get(`${segment} ${placesPart(found.block)}`);
      if (!kept) return noFrequencies;
      parts.push({ list: found.list, places: placesIn(kept, found.index), offset: places[i] ?? i });
    }
    const ends = this.#blocks.get(`${segment} ${partNumbers.fieldEnds}`);
    if (!ends) return noFrequencies;
    const { gone } = this.#segments[segment]!;
    return readPhrase(parts, readFieldEnds(ends), this.#stretches[segment]!, gone, fields);
  }

  #prefixBlocks(dictionary: readonly string[], prefix: string | undefined): number[] {
    if (prefix === undefined) return [];
    const first = Math.max(0, blockOf(dictionary, prefix));
    const blocks: number[] = [];
    for (let block = first; block < dictionary.length && blocks.length < 4; block++) {
      const token = dictionary[block] ?? '';
      if (block > first && !token.startsWith(prefix)) break;
      blocks.push(block);
    }
    return blocks;
  }

  #expanded(segment: number, prefix: string): string[] {
    const tokens: string[] = [];
    for (const block of this.#prefixBlocks(this.#segments[segment]!.dictionary, prefix)) {
      const bytes = this.#blocks.get(`${segment} ${listsPart(block)}`);
      if (!bytes) continue;
      for (const { token } of tokensIn(bytes)) if (token.startsWith(prefix)) tokens.push(token);
    }
    return tokens.slice(0, maxExpanded);
  }
}
