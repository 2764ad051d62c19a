import { ByteReader } from './bytes.ts';
import { noFrequencies, Postings, type FieldWeights, type Frequencies, type Stretch } from './postings.ts';
import type { FieldEnds } from './segment.ts';

/** One token of a phrase: its list, its places, and where in the phrase it stands. */
export interface PhraseToken {
  list: Uint8Array;
  places: Uint8Array;
  offset: number;
}

/** In which documents the tokens stand side by side, and how often. */
export function readPhrase(
  tokens: readonly PhraseToken[],
  ends: FieldEnds,
  stretches: readonly Stretch[],
  gone: Uint8Array | undefined,
  weights: FieldWeights,
): Frequencies {
  const lists = tokens.map((token) => documentsOf(token.list));
  const common = commonOf(lists).filter(
    (document) => gone?.[document] !== 1 && stretches.some(([from, to]) => document >= from && document < to),
  );
  if (common.length === 0) return noFrequencies;
  const places = tokens.map((token, i) => placesOf(token.places, lists[i]!, common));
  const found: Frequencies = {
    documents: new Uint32Array(common.length),
    counts: new Float32Array(common.length),
    length: 0,
  };
  common.forEach((document, i) => {
    const titleEnd = ends.titles[document] ?? 0;
    const headingsEnd = ends.headings[document] ?? 0;
    let count = 0;
    for (const start of startsOf(tokens, places, i))
      count += start < titleEnd ? weights.title : start < headingsEnd ? weights.headings : weights.body;
    if (count === 0) return;
    found.documents[found.length] = document;
    found.counts[found.length] = count;
    found.length += 1;
  });
  return found;
}

const postings = new Postings();

function documentsOf(list: Uint8Array): number[] {
  postings.clear();
  postings.read(list);
  return Array.from({ length: postings.length }, (_, i) => postings.document(i));
}

/** What all of the ascending lists hold. */
function commonOf(lists: readonly number[][]): number[] {
  const [shortest = [], ...others] = lists.toSorted((one, other) => one.length - other.length);
  let common = shortest;
  for (const list of others) {
    let at = 0;
    common = common.filter((document) => {
      while (at < list.length && list[at]! < document) at += 1;
      return list[at] === document;
    });
  }
  return common;
}

/** The places in each of the wanted documents, which are among those of the list. */
function placesOf(bytes: Uint8Array, documents: readonly number[], wanted: readonly number[]): number[][] {
  const reader = new ByteReader(bytes);
  const found: number[][] = wanted.map(() => []);
  if (bytes.length === 0) return found;
  for (let i = 0, next = 0; i < documents.length && next < wanted.length; i++) {
    const count = reader.varint();
    if (documents[i] !== wanted[next]) {
      reader.skip(count);
      continue;
    }
    let place = 0;
    for (let left = count; left > 0; left--) {
      place += reader.varint();
      found[next]!.push(place);
    }
    next += 1;
  }
  return found;
}

/** Where in the document the phrase begins. */
function startsOf(tokens: readonly PhraseToken[], places: readonly number[][][], document: number): number[] {
  let starts: number[] | undefined;
  tokens.forEach(({ offset }, i) => {
    const own = places[i]![document]!;
    if (!starts) starts = own.map((place) => place - offset);
    else {
      let at = 0;
      starts = starts.filter((start) => {
        while (at < own.length && own[at]! < start + offset) at += 1;
        return own[at] === start + offset;
      });
    }
  });
  return starts ?? [];
}
