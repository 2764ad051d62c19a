import { ownerEnds } from './build-segment.ts';
import { deletedDocument, mergePostings, type PartSource } from './merge-postings.ts';
import {
  packTexts,
  partNumbers,
  readColumns,
  sortColumnsIndex,
  sortColumnsPart,
  readSortColumns,
  textAt,
  writeColumns,
  writeSortColumns,
  type SortColumns,
  type SegmentColumns,
  type SegmentParts,
} from './segment-format.ts';

export interface MergeInput extends PartSource {
  /** Numbers of deleted documents, which the merge leaves out. */
  deleted: ReadonlySet<number>;
}

interface Document {
  input: number;
  at: number;
  owner: string;
  number: number;
}

/** Result of a merge; `dropped` lists the numbers of the deleted documents that the merge removed. */
export interface MergedSegment extends SegmentParts {
  dropped: number[];
}

/** Merges several segments into one, without their deleted documents. */
export function mergeSegments(inputs: readonly MergeInput[]): MergedSegment {
  const columns = inputs.map((input) => readColumns(input.part(partNumbers.columns)));
  const documents = documentsOf(inputs, columns);
  const moved = columns.map((one) => new Uint32Array(one.documents.length).fill(deletedDocument));
  documents.forEach(({ input, at }, i) => {
    moved[input]![at] = i;
  });
  const parts = new Map<number, Uint8Array>();
  parts.set(
    partNumbers.columns,
    writeColumns({
      owners: ownerEnds(documents.map((one) => one.owner)),
      documents: Float64Array.from(documents, (one) => one.number),
      lengths: Uint32Array.from(documents, ({ input, at }) => columns[input]!.lengths[at]!),
      modified: Float64Array.from(documents, ({ input, at }) => columns[input]!.modified[at]!),
      titleEnds: Uint32Array.from(documents, ({ input, at }) => columns[input]!.titleEnds[at]!),
      headingEnds: Uint32Array.from(documents, ({ input, at }) => columns[input]!.headingEnds[at]!),
      ids: packTexts(documents.map(({ input, at }) => textAt(columns[input]!.ids, at))),
    }),
  );
  mergeSortColumns(inputs, columns, documents, parts);
  mergePostings(inputs, moved, parts);
  const dropped = columns.flatMap(({ documents: numbers }, i) =>
    [...numbers].filter((number) => inputs[i]!.deleted.has(number)),
  );
  const numbers = Float64Array.from(documents, (one) => one.number).sort();
  return { documents: documents.length, first: numbers[0] ?? 0, last: numbers.at(-1) ?? 0, parts, dropped };
}

function mergeSortColumns(
  inputs: readonly MergeInput[],
  columns: readonly SegmentColumns[],
  documents: readonly Document[],
  parts: Map<number, Uint8Array>,
): void {
  const blocks = inputs.map((input, i): SortColumns[] => {
    const last = columns[i]!.documents.length - 1;
    const count = last < 0 ? 0 : sortColumnsIndex(last).block + 1;
    return Array.from({ length: count }, (_, block) => readSortColumns(input.part(sortColumnsPart(block))));
  });
  const created = new Float64Array(documents.length);
  const sizes = new Float64Array(documents.length);
  const titleKeys = documents.map(({ input, at }, i) => {
    const place = sortColumnsIndex(at);
    const block = blocks[input]![place.block]!;
    created[i] = block.created[place.at]!;
    sizes[i] = block.sizes[place.at]!;
    return textAt(block.titleKeys, place.at);
  });
  writeSortColumns(parts, created, sizes, titleKeys);
}

export function countDeleted(columns: Uint8Array, gone: ReadonlySet<number>): number {
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
      if (!inputs[input]!.deleted.has(number)) documents.push({ input, at, owner: owners[owner]!.name, number });
    });
  });
  return documents.sort((a, b) => (a.owner < b.owner ? -1 : a.owner > b.owner ? 1 : a.number - b.number));
}
