import { ownersOf } from './build.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { allPostings, perPosting, writePostings } from './postings.ts';
import {
  BlockWriter,
  listsPart,
  partNumbers,
  placesPart,
  readColumns,
  readDictionary,
  readFieldEnds,
  readOrders,
  tokensIn,
  writeColumns,
  writeFieldEnds,
  writeOrders,
  type SegmentColumns,
  type SegmentParts,
} from './segment.ts';

/** One of the segments that become one. */
export interface MergeInput {
  /** The parts by number; each is asked for once, the blocks in order. */
  part(number: number): Uint8Array;
  /** Documents that are gone, by number: they are left out. */
  gone: ReadonlySet<number>;
}

const left = 0xffff_ffff;

interface Document {
  input: number;
  at: number;
  owner: string;
  number: number;
}

/** `dropped`: the numbers of documents that were in the segments and are in none any more. */
export interface Merged extends SegmentParts {
  dropped: number[];
}

/** One segment of what is left in several. */
export function mergeSegments(inputs: readonly MergeInput[]): Merged {
  const columns = inputs.map((input) => readColumns(input.part(partNumbers.columns)));
  const documents = documentsOf(inputs, columns);
  const moved = columns.map((one) => new Uint32Array(one.documents.length).fill(left));
  documents.forEach(({ input, at }, i) => {
    moved[input]![at] = i;
  });
  const parts = new Map<number, Uint8Array>();
  parts.set(
    partNumbers.columns,
    writeColumns({
      owners: ownersOf(documents.map((one) => one.owner)),
      documents: Float64Array.from(documents, (one) => one.number),
      lengths: Uint32Array.from(documents, ({ input, at }) => columns[input]!.lengths[at]!),
      modified: Float64Array.from(documents, ({ input, at }) => columns[input]!.modified[at]!),
    }),
  );
  const orders = inputs.map((input) => readOrders(input.part(partNumbers.orders)));
  parts.set(
    partNumbers.orders,
    writeOrders({
      created: Float64Array.from(documents, ({ input, at }) => orders[input]!.created[at]!),
      sizes: Float64Array.from(documents, ({ input, at }) => orders[input]!.sizes[at]!),
      titleKeys: documents.map(({ input, at }) => orders[input]!.titleKeys[at]!),
    }),
  );
  const ends = inputs.map((input) => readFieldEnds(input.part(partNumbers.fieldEnds)));
  parts.set(
    partNumbers.fieldEnds,
    writeFieldEnds({
      titles: Uint32Array.from(documents, ({ input, at }) => ends[input]!.titles[at]!),
      headings: Uint32Array.from(documents, ({ input, at }) => ends[input]!.headings[at]!),
    }),
  );
  mergeLists(inputs, moved, parts);
  const dropped = columns.flatMap(({ documents: numbers }, i) =>
    [...numbers].filter((number) => inputs[i]!.gone.has(number)),
  );
  return { documents: documents.length, parts, dropped };
}

function documentsOf(inputs: readonly MergeInput[], columns: readonly SegmentColumns[]): Document[] {
  const documents: Document[] = [];
  columns.forEach(({ owners, documents: numbers }, input) => {
    let owner = 0;
    numbers.forEach((number, at) => {
      while (at >= owners[owner]!.end) owner += 1;
      if (!inputs[input]!.gone.has(number)) documents.push({ input, at, owner: owners[owner]!.name, number });
    });
  });
  return documents.sort((a, b) => (a.owner < b.owner ? -1 : a.owner > b.owner ? 1 : a.number - b.number));
}

interface Entry {
  token: string;
  list: Uint8Array;
  places: Uint8Array;
}

function* entriesOf(input: MergeInput): Generator<Entry> {
  const blocks = readDictionary(input.part(partNumbers.dictionary)).length;
  for (let block = 0; block < blocks; block++) {
    const places = new ByteReader(input.part(placesPart(block)));
    for (const { token, list } of tokensIn(input.part(listsPart(block)))) {
      const size = places.varint();
      yield { token, list, places: places.bytes.subarray(places.at, places.at + size) };
      places.at += size;
    }
  }
}

function mergeLists(
  inputs: readonly MergeInput[],
  moved: readonly Uint32Array[],
  parts: Map<number, Uint8Array>,
): void {
  const blocks = new BlockWriter(parts);
  const cursors = inputs.map((input) => entriesOf(input));
  const heads = cursors.map((cursor) => cursor.next().value as Entry | undefined);
  const list = new ByteWriter();
  const places = new ByteWriter();
  for (;;) {
    let token: string | undefined;
    for (const head of heads) if (head && (token === undefined || head.token < token)) token = head.token;
    if (token === undefined) break;
    const gathered: Moved[] = [];
    let hasPlaces = false;
    heads.forEach((head, input) => {
      if (head?.token !== token) return;
      if (head.places.length > 0) hasPlaces = true;
      gather(head, moved[input]!, gathered);
      heads[input] = cursors[input]!.next().value as Entry | undefined;
    });
    if (gathered.length === 0) continue;
    if (inputs.length > 1) gathered.sort((a, b) => a.document - b.document);
    list.clear();
    places.clear();
    const postings: number[] = [];
    for (const { document, from, at } of gathered) postings.push(document, from[at + 1]!, from[at + 2]!, from[at + 3]!);
    writePostings(list, postings);
    if (hasPlaces)
      for (const { places: own } of gathered) {
        if (own.length === 0) places.varint(0);
        else places.bytes(own);
      }
    blocks.add(token, list, places);
  }
  blocks.done();
}

interface Moved {
  /** Its place in the new segment. */
  document: number;
  /** The postings of its old segment, and where among them it stands. */
  from: readonly number[];
  at: number;
  /** The bytes of its places; empty where the segment kept none. */
  places: Uint8Array;
}

const noPlaces = new Uint8Array(0);

function gather({ list, places }: Entry, moved: Uint32Array, gathered: Moved[]): void {
  const reader = new ByteReader(places);
  const postings = allPostings(list);
  for (let at = 0; at < postings.length; at += perPosting) {
    const from = reader.at;
    if (places.length > 0) reader.skip(reader.varint());
    const document = moved[postings[at]!]!;
    if (document === left) continue;
    const own = places.length > 0 ? places.subarray(from, reader.at) : noPlaces;
    gathered.push({ document, from: postings, at, places: own });
  }
}
