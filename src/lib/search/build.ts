import { ByteWriter } from './bytes.ts';
import { perPosting, writePostings } from './postings.ts';
import { BlockWriter, partNumbers, writeColumns, writeFieldEnds, writeOrders, type SegmentParts } from './segment.ts';
import { visitTokens, type TokenSink } from './tokens.ts';

/** A document as it goes into a segment. */
export interface IndexedText {
  owner: string;
  title: string;
  headings: string;
  body: string;
  created: number;
  modified: number;
  size: number;
  titleKey: string;
}

/** Titles are compared by their beginning. */
const maxTitleKeyLength = 400;
const encoder = new TextEncoder();

/** Everything about a token in one list of numbers: objects for each document would cost several times as much. */
interface Term {
  /** For each document: its number, how often in title, headings and body, how many places, the places. */
  numbers: number[];
  /** The document that is being read, and where its numbers begin. */
  document: number;
  at: number;
  hasPlaces: boolean;
}

const countOfPlaces = perPosting;

/** The order of documents in a segment: of owners by name, of an owner's documents as given. */
export function inOwnerOrder<Text extends { owner: string }>(texts: readonly Text[]): Text[] {
  return texts.toSorted((a, b) => (a.owner < b.owner ? -1 : a.owner > b.owner ? 1 : 0));
}

/** A segment of these texts, which must stand in the order of their owners. They are numbered from `first` on. */
export function buildSegment(texts: readonly IndexedText[], first: number): SegmentParts {
  const terms = new Map<string, Term>();
  const count = texts.length;
  const lengths = new Uint32Array(count);
  const ends = { titles: new Uint32Array(count), headings: new Uint32Array(count) };
  texts.forEach((text, document) => {
    // One place is left free between fields: no phrase reaches across.
    const titleEnd = visitTokens(text.title, sinkOf(terms, document, 1), 0) + 1;
    const headingsEnd = visitTokens(text.headings, sinkOf(terms, document, 2), titleEnd) + 1;
    const end = visitTokens(text.body, sinkOf(terms, document, 3), headingsEnd);
    ends.titles[document] = titleEnd;
    ends.headings[document] = headingsEnd;
    lengths[document] = end - 2;
  });
  const parts = new Map<number, Uint8Array>();
  parts.set(
    partNumbers.columns,
    writeColumns({
      owners: ownersOf(texts.map((text) => text.owner)),
      documents: Float64Array.from(texts, (_, i) => first + i),
      lengths,
      modified: Float64Array.from(texts, (text) => text.modified),
    }),
  );
  parts.set(
    partNumbers.orders,
    writeOrders({
      created: Float64Array.from(texts, (text) => text.created),
      sizes: Float64Array.from(texts, (text) => text.size),
      titleKeys: texts.map((text) => encoder.encode(text.titleKey.slice(0, maxTitleKeyLength))),
    }),
  );
  parts.set(partNumbers.fieldEnds, writeFieldEnds(ends));
  const blocks = new BlockWriter(parts);
  const list = new ByteWriter();
  const places = new ByteWriter();
  for (const token of ascending(terms.keys())) {
    const term = terms.get(token)!;
    list.clear();
    places.clear();
    writePostings(list, postingsOf(term));
    if (term.hasPlaces) writePlaces(places, term);
    blocks.add(token, list, places);
  }
  blocks.done();
  return { documents: count, parts };
}

/** In the order of code units. By their first three characters as a number: comparing texts takes many times as long. */
function ascending(tokens: Iterable<string>): string[] {
  const groups = new Map<number, string[]>();
  for (const token of tokens) {
    const key = unitAt(token, 0) * 2 ** 32 + unitAt(token, 1) * 2 ** 16 + unitAt(token, 2);
    const group = groups.get(key);
    if (group) group.push(token);
    else groups.set(key, [token]);
  }
  const sorted: string[] = [];
  for (const key of Float64Array.from(groups.keys()).sort()) {
    const group = groups.get(key)!;
    if (group.length > 1) group.sort();
    for (const token of group) sorted.push(token);
  }
  return sorted;
}

/** None comes before every unit, as a shorter text before a longer one. No token holds the character zero. */
function unitAt(token: string, at: number): number {
  return at < token.length ? token.charCodeAt(at) : 0;
}

/** Where the stretch of each owner ends, of names in ascending order. */
export function ownersOf(names: readonly string[]): { name: string; end: number }[] {
  const owners: { name: string; end: number }[] = [];
  names.forEach((name, i) => {
    const last = owners.at(-1);
    if (last?.name === name) last.end = i + 1;
    else owners.push({ name, end: i + 1 });
  });
  return owners;
}

function sinkOf(terms: Map<string, Term>, document: number, field: 1 | 2 | 3): TokenSink {
  const of = (token: string): Term => {
    let term = terms.get(token);
    if (!term) {
      term = { numbers: [], document: -1, at: 0, hasPlaces: false };
      terms.set(token, term);
    }
    if (term.document !== document) {
      term.document = document;
      term.at = term.numbers.length;
      term.numbers.push(document, 0, 0, 0, 0);
    }
    term.numbers[term.at + field]! += 1;
    return term;
  };
  return {
    placed: (token, place) => {
      const term = of(token);
      term.numbers.push(place);
      term.numbers[term.at + countOfPlaces]! += 1;
      term.hasPlaces = true;
    },
    extra: (token) => {
      of(token);
    },
  };
}

function postingsOf({ numbers }: Term): number[] {
  const postings: number[] = [];
  for (let at = 0; at < numbers.length; at += perPosting + 1 + numbers[at + countOfPlaces]!)
    postings.push(numbers[at]!, numbers[at + 1]!, numbers[at + 2]!, numbers[at + 3]!);
  return postings;
}

/** Of each posting: how many places, and how far each is from the one before. */
function writePlaces(out: ByteWriter, { numbers }: Term): void {
  for (let at = 0; at < numbers.length;) {
    const count = numbers[at + countOfPlaces]!;
    out.varint(count);
    at += perPosting + 1;
    let before = 0;
    for (const end = at + count; at < end; at++) {
      out.varint(numbers[at]! - before);
      before = numbers[at]!;
    }
  }
}
