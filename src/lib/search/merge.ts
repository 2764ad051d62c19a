import { ownersOf } from './build.ts';
import { ByteReader, ByteWriter, longerArray } from './bytes.ts';
import { Postings } from './postings.ts';
import {
  BlockWriter,
  listsPart,
  packTexts,
  partNumbers,
  placesPart,
  readColumns,
  readDictionary,
  readFieldEnds,
  readOrders,
  textAt,
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
      ids: packTexts(documents.map(({ input, at }) => textAt(columns[input]!.ids, at))),
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
  const token = new MergedToken();
  for (;;) {
    let next: string | undefined;
    for (const head of heads) if (head && (next === undefined || head.token < next)) next = head.token;
    if (next === undefined) break;
    token.clear();
    for (const [input, head] of heads.entries()) {
      if (head?.token !== next) continue;
      token.add(head, moved[input]!);
      heads[input] = cursors[input]!.next().value as Entry | undefined;
    }
    token.write(next, blocks);
  }
  blocks.done();
}

/** What the inputs have of one token, as it goes into the merged segment. */
class MergedToken {
  readonly #postings = new Postings();
  /** For each posting whose places they are, where these begin and end. */
  readonly #sources: Uint8Array[] = [];
  #from = new Uint32Array(1024);
  #to = new Uint32Array(1024);
  #hasPlaces = false;
  #isAscending = true;
  readonly #list = new ByteWriter();
  readonly #places = new ByteWriter();

  clear(): void {
    this.#postings.clear();
    this.#sources.length = 0;
    this.#hasPlaces = false;
    this.#isAscending = true;
  }

  add({ list, places }: Entry, moved: Uint32Array): void {
    const postings = this.#postings;
    let kept = postings.length;
    postings.read(list);
    if (places.length > 0) this.#hasPlaces = true;
    this.#need(postings.length);
    const reader = new ByteReader(places);
    for (let at = kept; at < postings.length; at++) {
      const from = reader.at;
      if (places.length > 0) reader.skip(reader.varint());
      const document = moved[postings.document(at)]!;
      if (document === left) continue;
      if (kept > 0 && document < postings.document(kept - 1)) this.#isAscending = false;
      postings.place(kept, document, at);
      this.#sources.push(places);
      this.#from[kept] = from;
      this.#to[kept] = reader.at;
      kept += 1;
    }
    postings.length = kept;
  }

  write(token: string, blocks: BlockWriter): void {
    const postings = this.#postings;
    if (postings.length === 0) return;
    this.#list.clear();
    this.#places.clear();
    if (this.#isAscending) {
      postings.write(this.#list);
      if (this.#hasPlaces) for (let at = 0; at < postings.length; at++) this.#writePlaces(at);
    } else {
      const order = Uint32Array.from({ length: postings.length }, (_, at) => at);
      order.sort((one, other) => postings.document(one) - postings.document(other));
      const sorted = new Postings();
      for (const at of order) sorted.pushFrom(postings, at);
      sorted.write(this.#list);
      if (this.#hasPlaces) for (const at of order) this.#writePlaces(at);
    }
    blocks.add(token, this.#list, this.#places);
  }

  #writePlaces(at: number): void {
    const [from, to] = [this.#from[at]!, this.#to[at]!];
    if (from === to) this.#places.varint(0);
    else this.#places.part(this.#sources[at]!, from, to);
  }

  #need(count: number): void {
    if (count <= this.#from.length) return;
    this.#from = longerArray(this.#from, 2 * count);
    this.#to = longerArray(this.#to, 2 * count);
  }
}
