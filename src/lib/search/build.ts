import { ByteWriter } from './bytes.ts';
import { writePostings, type Posting } from './postings.ts';
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

interface Term {
  postings: Posting[];
  /** Of each posting: how many places, and how far each is from the one before. */
  places: ByteWriter | undefined;
}

interface Occurrence {
  posting: Posting;
  places: number[];
}

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
    const found = new Map<string, Occurrence>();
    // One place is left free between fields: no phrase reaches across.
    const titleEnd = visitTokens(text.title, sinkOf(found, document, 'title'), 0) + 1;
    const headingsEnd = visitTokens(text.headings, sinkOf(found, document, 'headings'), titleEnd) + 1;
    const end = visitTokens(text.body, sinkOf(found, document, 'body'), headingsEnd);
    ends.titles[document] = titleEnd;
    ends.headings[document] = headingsEnd;
    lengths[document] = end - 2;
    for (const [token, occurrence] of found) addTo(terms, token, occurrence);
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
  for (const token of [...terms.keys()].sort()) {
    const { postings, places } = terms.get(token)!;
    list.clear();
    writePostings(list, postings);
    blocks.add(token, list.view(), places?.view() ?? nothing);
  }
  blocks.done();
  return { documents: count, parts };
}

const nothing = new Uint8Array(0);

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

function sinkOf(found: Map<string, Occurrence>, document: number, field: 'title' | 'headings' | 'body'): TokenSink {
  const of = (token: string): Occurrence => {
    let occurrence = found.get(token);
    if (!occurrence) {
      occurrence = { posting: { document, title: 0, headings: 0, body: 0 }, places: [] };
      found.set(token, occurrence);
    }
    occurrence.posting[field] += 1;
    return occurrence;
  };
  return {
    placed: (token, place) => {
      of(token).places.push(place);
    },
    extra: (token) => {
      of(token);
    },
  };
}

function addTo(terms: Map<string, Term>, token: string, { posting, places }: Occurrence): void {
  let term = terms.get(token);
  if (!term) {
    term = { postings: [], places: undefined };
    terms.set(token, term);
  }
  if (places.length > 0 && !term.places) {
    term.places = new ByteWriter(8);
    for (const _ of term.postings) term.places.varint(0);
  }
  term.postings.push(posting);
  if (!term.places) return;
  term.places.varint(places.length);
  let before = 0;
  for (const place of places) {
    term.places.varint(place - before);
    before = place;
  }
}
