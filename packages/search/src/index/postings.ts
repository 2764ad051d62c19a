import { ByteReader, ByteWriter, growArray } from './bytes.ts';

/**
 * Number of array elements per posting: the document, and the token's frequency in three fields.
 *
 * A postings list names the documents of an index segment that contain a token, by their index in the segment. A long
 * list is split into groups. At the start of the list are the first document and the byte length of each group, so that
 * a reader can skip to a document range.
 */
const numbersPerPosting = 4;

/**
 * Number of postings in a group of a long postings list (the documents that contain a token). The positions of the
 * token, which are stored separately, are grouped in the same way.
 */
export const postingsPerGroup = 256;
const inTitle = 1;
const inHeadings = 2;

/**
 * Growing list of postings (documents that contain a token) in one flat array of numbers. After `clear` the array is
 * reused.
 */
export class Postings {
  /** Four numbers for each posting: the document, and the token's frequency in title, headings and body. */
  numbers = new Uint32Array(1024);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  push(document: number, title: number, headings: number, body: number): void {
    this.#need(1);
    const at = numbersPerPosting * this.length++;
    this.numbers[at] = document;
    this.numbers[at + 1] = title;
    this.numbers[at + 2] = headings;
    this.numbers[at + 3] = body;
  }

  pushFrom(other: Postings, index: number): void {
    const at = numbersPerPosting * index;
    const { numbers } = other;
    this.push(numbers[at]!, numbers[at + 1]!, numbers[at + 2]!, numbers[at + 3]!);
  }

  document(index: number): number {
    return this.numbers[numbersPerPosting * index]!;
  }

  /**
   * Sets the document of the posting at `index`. If `from` differs from `index`, the posting at `from` is copied to
   * `index` first. A merge of segments uses this to renumber documents and to drop deleted ones.
   */
  setDocument(index: number, document: number, from = index): void {
    const [to, source] = [numbersPerPosting * index, numbersPerPosting * from];
    if (to !== source) this.numbers.copyWithin(to, source, source + numbersPerPosting);
    this.numbers[to] = document;
  }

  /** Decodes the postings list that starts at the byte offset `from` and appends its postings to this list. */
  read(list: Uint8Array, from = 0): void {
    const reader = new ByteReader(list, from);
    const total = reader.varint();
    this.#need(total);
    const firsts = total > postingsPerGroup ? readGroupHeader(reader, total).firsts : undefined;
    const { numbers } = this;
    let at = numbersPerPosting * this.length;
    let document = 0;
    for (let i = 0; i < total; i++) {
      if (firsts && i % postingsPerGroup === 0) document = firsts[i / postingsPerGroup]!;
      document += reader.varint();
      const code = reader.varint();
      numbers[at] = document;
      numbers[at + 1] = (code & inTitle) === 0 ? 0 : reader.varint();
      numbers[at + 2] = (code & inHeadings) === 0 ? 0 : reader.varint();
      numbers[at + 3] = Math.floor(code / 4);
      at += numbersPerPosting;
    }
    this.length += total;
  }

  /** Encodes the postings to `out`. The caller must have added them in ascending order of their documents. */
  write(out: ByteWriter): void {
    const count = this.length;
    out.varint(count);
    if (count <= postingsPerGroup) {
      this.#writeGroup(out, 0, count, 0);
      return;
    }
    const groups = new ByteWriter(count * 3);
    let before = 0;
    for (let from = 0; from < count; from += postingsPerGroup) {
      const first = this.document(from);
      const start = groups.length;
      this.#writeGroup(groups, from, Math.min(count, from + postingsPerGroup), first);
      out.varint(first - before);
      out.varint(groups.length - start);
      before = first;
    }
    out.append(groups);
  }

  #writeGroup(out: ByteWriter, from: number, to: number, base: number): void {
    const { numbers } = this;
    let before = base;
    for (let at = from * numbersPerPosting; at < to * numbersPerPosting; at += numbersPerPosting) {
      const document = numbers[at]!;
      const title = numbers[at + 1]!;
      const headings = numbers[at + 2]!;
      out.varint(document - before);
      before = document;
      out.varint(numbers[at + 3]! * 4 + (title > 0 ? inTitle : 0) + (headings > 0 ? inHeadings : 0));
      if (title > 0) out.varint(title);
      if (headings > 0) out.varint(headings);
    }
  }

  #need(more: number): void {
    const needed = numbersPerPosting * (this.length + more);
    if (needed <= this.numbers.length) return;
    this.numbers = growArray(this.numbers, Math.max(2 * this.numbers.length, needed));
  }
}

/**
 * Reads the header of a long postings list, which names the first document and the byte length of each group. Leaves
 * the reader at the first group.
 */
function readGroupHeader(reader: ByteReader, total: number): { firsts: Uint32Array; lengths: Uint32Array } {
  const count = Math.ceil(total / postingsPerGroup);
  const firsts = new Uint32Array(count);
  const lengths = new Uint32Array(count);
  for (let i = 0, first = 0; i < count; i++) {
    first += reader.varint();
    firsts[i] = first;
    lengths[i] = reader.varint();
  }
  return { firsts, lengths };
}

/** A range of document indexes in a segment; `to` is exclusive. */
export type DocRange = readonly [from: number, to: number];

/** Weight of each occurrence of a word in a field of a document. With weight 0 the field is not searched. */
export interface FieldWeights {
  title: number;
  headings: number;
  body: number;
}

/** Documents that contain a term, in ascending order, and for each the weighted frequency of the term. */
export interface Frequencies {
  documents: Uint32Array;
  counts: Float32Array;
  length: number;
}

export const noFrequencies: Frequencies = { documents: new Uint32Array(0), counts: new Float32Array(0), length: 0 };

/**
 * Reads the documents of a postings list that lie in one of `docRanges` (in ascending order), are not deleted (1 in
 * `gone`), and contain the token in a field whose weight is not 0.
 */
export function readPostings(
  list: Uint8Array,
  docRanges: readonly DocRange[],
  gone: Uint8Array | undefined,
  weights: FieldWeights,
): Frequencies {
  const reader = new ByteReader(list);
  const total = reader.varint();
  // Allocate for the documents that the query may see instead of the whole list, so that the other documents of the
  // list cost no memory.
  const room = Math.min(total, rangesSize(docRanges));
  const found: Frequencies = { documents: new Uint32Array(room), counts: new Float32Array(room), length: 0 };
  if (total <= postingsPerGroup) {
    readGroup(reader, total, 0, docRanges, gone, weights, found);
    return found;
  }
  const isPlain = gone === undefined && weights.title > 0 && weights.headings > 0 && weights.body > 0;
  visitGroups(reader, total, docRanges, (group, first, next, [from, to]) => {
    if (isPlain && from <= first && next <= to) readWholeGroup(reader, first, weights, found);
    else readGroup(reader, groupSize(group, total), first, docRanges, gone, weights, found);
  });
  return found;
}

/**
 * Calls `visit` for each group of a long postings list that may contain documents of `docRanges`, with the reader at
 * the start of the group. `first` and `next` are the first documents of this group and of the next one. `docRange` is
 * the first range that overlaps the group, and `place` is its index.
 */
function visitGroups(
  reader: ByteReader,
  total: number,
  docRanges: readonly DocRange[],
  visit: (group: number, first: number, next: number, docRange: DocRange, place: number) => void,
): void {
  const { firsts, lengths } = readGroupHeader(reader, total);
  let at = reader.at;
  let place = 0;
  for (let group = 0; group < firsts.length; group++) {
    const first = firsts[group]!;
    const next = firsts[group + 1] ?? Number.POSITIVE_INFINITY;
    while (place < docRanges.length && docRanges[place]![1] <= first) place += 1;
    const docRange = docRanges[place];
    if (!docRange) return;
    if (docRange[0] < next) {
      reader.at = at;
      visit(group, first, next, docRange, place);
    }
    at += lengths[group]!;
  }
}

function rangesSize(docRanges: readonly DocRange[]): number {
  return docRanges.reduce((sum, [from, to]) => sum + to - from, 0);
}

function groupSize(group: number, total: number): number {
  return Math.min(postingsPerGroup, total - postingsPerGroup * group);
}

/** Documents found in a postings list, in ascending order, each with the index of its posting in that list. */
export interface LocatedPostings {
  documents: number[];
  postings: number[];
  /** Number of postings in the whole list, not only the located ones. */
  total: number;
}

/** Finds the postings whose documents lie in one of the ranges. */
export function locatePostings(list: Uint8Array, docRanges: readonly DocRange[]): LocatedPostings {
  const reader = new ByteReader(list);
  const total = reader.varint();
  const located: LocatedPostings = { documents: [], postings: [], total };
  if (total <= postingsPerGroup) locateInGroup(reader, 0, 0, docRanges, 0, located);
  else
    visitGroups(reader, total, docRanges, (group, first, _next, _range, place) =>
      locateInGroup(reader, group, first, docRanges, place, located),
    );
  return located;
}

function locateInGroup(
  reader: ByteReader,
  group: number,
  base: number,
  docRanges: readonly DocRange[],
  firstRange: number,
  located: LocatedPostings,
): void {
  const size = groupSize(group, located.total);
  let document = base;
  let place = firstRange;
  for (let i = 0; i < size; i++) {
    document += reader.varint();
    const fields = reader.varint();
    reader.skip(((fields & inTitle) === 0 ? 0 : 1) + ((fields & inHeadings) === 0 ? 0 : 1));
    while (place < docRanges.length && docRanges[place]![1] <= document) place += 1;
    if (place === docRanges.length) return;
    if (document < docRanges[place]![0]) continue;
    located.documents.push(document);
    located.postings.push(postingsPerGroup * group + i);
  }
}

/** Reads a full group of postings whose documents are all wanted, without checking each document. */
function readWholeGroup(reader: ByteReader, base: number, weights: FieldWeights, found: Frequencies): void {
  const { bytes } = reader;
  const { documents, counts, length } = found;
  const { body } = weights;
  const end = length + postingsPerGroup;
  let at = reader.at;
  let document = base;
  for (let to = length; to < end; to++) {
    let byte = bytes[at++]!;
    document += byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = bytes[at++]!;
      document += (byte & 0x7f) * scale;
    }
    documents[to] = document;
    const code = bytes[at]!;
    if (code < 0x80 && (code & 3) === 0) {
      at += 1;
      counts[to] = (code >> 2) * body;
      continue;
    }
    reader.at = at;
    const whole = reader.varint();
    let count = Math.floor(whole / 4) * body;
    if ((whole & inTitle) !== 0) count += reader.varint() * weights.title;
    if ((whole & inHeadings) !== 0) count += reader.varint() * weights.headings;
    counts[to] = count;
    at = reader.at;
  }
  found.length = end;
}

/**
 * Reads a group of postings and appends the wanted ones to `found`. This loop takes most of a query's time, so it
 * decodes variable-length integers, most of which have one byte, without function calls.
 */
function readGroup(
  reader: ByteReader,
  size: number,
  base: number,
  docRanges: readonly DocRange[],
  gone: Uint8Array | undefined,
  weights: FieldWeights,
  found: Frequencies,
): void {
  const { bytes } = reader;
  const { documents, counts } = found;
  let { length } = found;
  let at = reader.at;
  let document = base;
  let place = 0;
  let [from, to] = docRanges[0] ?? [0, 0];
  for (let left = size; left > 0; left--) {
    let byte = bytes[at++]!;
    let delta = byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = bytes[at++]!;
      delta += (byte & 0x7f) * scale;
    }
    document += delta;
    byte = bytes[at++]!;
    let code = byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = bytes[at++]!;
      code += (byte & 0x7f) * scale;
    }
    let count = (code < 0x80 ? code >> 2 : Math.floor(code / 4)) * weights.body;
    if ((code & 3) !== 0) {
      reader.at = at;
      if ((code & inTitle) !== 0) count += reader.varint() * weights.title;
      if ((code & inHeadings) !== 0) count += reader.varint() * weights.headings;
      at = reader.at;
    }
    while (document >= to && place < docRanges.length) {
      place += 1;
      [from, to] = docRanges[place] ?? [0, 0];
    }
    if (place >= docRanges.length) break;
    if (document < from || count === 0 || gone?.[document] === 1) continue;
    documents[length] = document;
    counts[length] = count;
    length += 1;
  }
  reader.at = at;
  found.length = length;
}

/** Merges two lists of documents with their counts. A document in both lists gets the greater of its two counts. */
export function mergeFrequencies(one: Frequencies, other: Frequencies): Frequencies {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const most = one.length + other.length;
  const documents = new Uint32Array(most);
  const counts = new Float32Array(most);
  let length = 0;
  for (let i = 0, j = 0; i < one.length || j < other.length; length++) {
    const left = i < one.length ? one.documents[i]! : Number.POSITIVE_INFINITY;
    const right = j < other.length ? other.documents[j]! : Number.POSITIVE_INFINITY;
    documents[length] = Math.min(left, right);
    counts[length] = Math.max(left <= right ? one.counts[i]! : 0, right <= left ? other.counts[j]! : 0);
    if (left <= right) i += 1;
    if (right <= left) j += 1;
  }
  return { documents, counts, length };
}
