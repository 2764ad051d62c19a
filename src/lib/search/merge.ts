import { headOf, ownersOf } from './build.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
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

/** In place of a document's new number. */
const gone = 0xffff_ffff;

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
  const moved = columns.map((one) => new Uint32Array(one.documents.length).fill(gone));
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
  const entries: (Entry | undefined)[] = [];
  // Numbers are compared in a fraction of the time that texts take.
  const heads = new Float64Array(inputs.length);
  const advance = (input: number): void => {
    const entry = cursors[input]!.next().value as Entry | undefined;
    entries[input] = entry;
    heads[input] = entry ? headOf(entry.token) : Number.POSITIVE_INFINITY;
  };
  for (let input = 0; input < inputs.length; input++) advance(input);
  const token = new MergedToken();
  for (;;) {
    let head = Number.POSITIVE_INFINITY;
    for (let input = 0; input < inputs.length; input++) if (heads[input]! < head) head = heads[input]!;
    if (head === Number.POSITIVE_INFINITY) break;
    let next: string | undefined;
    for (let input = 0; input < inputs.length; input++) {
      if (heads[input] !== head) continue;
      const own = entries[input]!.token;
      if (next === undefined || own < next) next = own;
    }
    token.clear();
    for (let input = 0; input < inputs.length; input++) {
      if (heads[input] !== head || entries[input]!.token !== next) continue;
      token.add(entries[input]!, moved[input]!);
      advance(input);
    }
    token.write(next!, blocks);
  }
  blocks.done();
}

/** What the inputs have of one token, as it goes into the merged segment. */
class MergedToken {
  readonly #postings = new Postings();
  readonly #sources: Source[] = [];
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
    const from = postings.length;
    postings.read(list);
    if (places.length > 0) this.#hasPlaces = true;
    const read = postings.length;
    let kept = from;
    let before = from > 0 ? postings.document(from - 1) : -1;
    let left: Uint8Array | undefined;
    for (let at = from; at < read; at++) {
      const document = moved[postings.document(at)]!;
      if (document === gone) {
        left ??= new Uint8Array(read - from);
        left[at - from] = 1;
        continue;
      }
      if (document < before) this.#isAscending = false;
      before = document;
      postings.place(kept++, document, at);
    }
    postings.length = kept;
    this.#sources.push({ places, postings: read - from, left });
  }

  write(token: string, blocks: BlockWriter): void {
    const postings = this.#postings;
    if (postings.length === 0) return;
    this.#list.clear();
    this.#places.clear();
    if (this.#isAscending) {
      postings.write(this.#list);
      if (this.#hasPlaces) for (const source of this.#sources) this.#copyPlaces(source);
    } else {
      const order = Uint32Array.from({ length: postings.length }, (_, at) => at);
      order.sort((one, other) => postings.document(one) - postings.document(other));
      const sorted = new Postings();
      for (const at of order) sorted.pushFrom(postings, at);
      sorted.write(this.#list);
      if (this.#hasPlaces) this.#sortPlaces(order);
    }
    blocks.add(token, this.#list, this.#places);
  }

  /** Places say nothing of documents: those of a list of which nothing is left out are copied as they are. */
  #copyPlaces(source: Source): void {
    if (source.places.length > 0 && source.left === undefined) {
      this.#places.part(source.places, 0, source.places.length);
      return;
    }
    eachPlaces(source, (from, to) => this.#onePlaces(source, from, to));
  }

  #sortPlaces(order: Uint32Array): void {
    const found: { source: Source; from: number; to: number }[] = [];
    for (const source of this.#sources) eachPlaces(source, (from, to) => found.push({ source, from, to }));
    for (const at of order) this.#onePlaces(found[at]!.source, found[at]!.from, found[at]!.to);
  }

  #onePlaces({ places }: Source, from: number, to: number): void {
    if (from === to) this.#places.varint(0);
    else this.#places.part(places, from, to);
  }
}

/** The places of one input's postings. */
interface Source {
  places: Uint8Array;
  postings: number;
  /** 1 for each posting that is left out. */
  left: Uint8Array | undefined;
}

/** Where the places of each posting that stays are. */
function eachPlaces({ places, postings, left }: Source, visit: (from: number, to: number) => void): void {
  const reader = new ByteReader(places);
  for (let i = 0; i < postings; i++) {
    const from = reader.at;
    if (places.length > 0) reader.skip(reader.varint());
    if (left?.[i] !== 1) visit(from, reader.at);
  }
}
