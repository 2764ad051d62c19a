import { readPositions } from '../index/positions.ts';
import {
  locatePostings,
  noFrequencies,
  type FieldWeights,
  type Frequencies,
  type DocRange,
} from '../index/postings.ts';
import type { SegmentColumns } from '../index/segment-format.ts';

/** One token of a phrase, with its encoded postings and positions and its offset in the phrase. */
export interface PhraseToken {
  list: Uint8Array;
  positions: Uint8Array;
  offset: number;
}

/** Finds the documents that contain the phrase, with the weighted number of its occurrences in each. */
export function matchPhrase(
  tokens: readonly PhraseToken[],
  { titleEnds, headingEnds }: Pick<SegmentColumns, 'titleEnds' | 'headingEnds'>,
  docRanges: readonly DocRange[],
  gone: Uint8Array | undefined,
  weights: FieldWeights,
): Frequencies {
  const lists = tokens.map((token) => locatePostings(token.list, docRanges));
  const common = intersect(lists.map(({ documents }) => documents)).filter((document) => gone?.[document] !== 1);
  if (common.length === 0) return noFrequencies;
  const places = tokens.map((token, i) => {
    const { documents, postings, total } = lists[i]!;
    let at = 0;
    const wanted = common.map((document) => {
      while (documents[at] !== document) at += 1;
      return postings[at]!;
    });
    return readPositions(token.positions, total, wanted);
  });
  const found: Frequencies = {
    documents: new Uint32Array(common.length),
    counts: new Float32Array(common.length),
    length: 0,
  };
  common.forEach((document, i) => {
    const titleEnd = titleEnds[document]!;
    const headingsEnd = headingEnds[document]!;
    let count = 0;
    for (const start of phraseStarts(tokens, places, i))
      count += start < titleEnd ? weights.title : start < headingsEnd ? weights.headings : weights.body;
    if (count === 0) return;
    found.documents[found.length] = document;
    found.counts[found.length] = count;
    found.length += 1;
  });
  return found;
}

/** Returns the numbers that all of the ascending lists contain. */
function intersect(lists: readonly number[][]): number[] {
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

/** Returns the positions in the document where the phrase starts. */
function phraseStarts(tokens: readonly PhraseToken[], places: readonly number[][][], document: number): number[] {
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
