import { ownersOf } from './build.ts';
import { gone, mergeLists, type PartsOf } from './merge-lists.ts';
import {
  packTexts,
  partNumbers,
  readColumns,
  readFieldEnds,
  readOrders,
  textAt,
  writeColumns,
  writeFieldEnds,
  writeOrders,
  type SegmentColumns,
  type SegmentParts,
} from './segment.ts';

/** One of the segments that become one. */
export interface MergeInput extends PartsOf {
  /** Documents that are gone, by number: they are left out. */
  gone: ReadonlySet<number>;
}

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

/** How many documents of a segment, by its columns, are gone. */
export function goneIn(columns: Uint8Array, gone: ReadonlySet<number>): number {
  let count = 0;
  for (const number of readColumns(columns).documents) if (gone.has(number)) count += 1;
  return count;
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
