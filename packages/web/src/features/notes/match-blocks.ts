import type { Node } from '@tiptap/pm/model';
import { matchLines } from './three-way-merge.ts';

/**
 * A region of a document in which blocks (such as paragraphs) have changed: `removed` contains its old blocks, `added`
 * its new blocks. An old block with a counterpart among the new blocks is changed in place; all others are replaced.
 */
export interface ChangedRegion {
  readonly removed: readonly Node[];
  readonly added: readonly Node[];
  /**
   * Index of the first removed block in its parent. If no block is removed, the index of the block after the region.
   */
  readonly first: number;
  /**
   * Pairs of an old block and the new block into which it is changed in place, as indexes in `removed` and `added`, in
   * ascending order.
   */
  readonly pairs: readonly BlockPair[];
}

interface BlockPair {
  readonly old: number;
  readonly now: number;
}

interface MatchedBlocks {
  /** Index pairs of the blocks that did not change. */
  readonly same: readonly BlockPair[];
  readonly regions: readonly ChangedRegion[];
}

/**
 * Compares the children of two nodes. `caret` is the index of the old child with the caret, or -1. If this child has
 * changed, it is first paired with the most similar new child; only then are the other children compared.
 */
export function matchBlocks(old: Node, now: Node, caret: number): MatchedBlocks {
  const [before, after] = [old, now].map(({ children }) => children.map(contentKey)) as [string[], string[]];
  const lines = matchLines(before, after);
  const block = caret < 0 || lines.has(caret) ? undefined : old.child(caret);
  const counterpart = block ? counterpartOf(block, now.children, nearest(lines, caret)) : -1;
  if (counterpart < 0) return matchBetween(old, now, toPairs(lines));
  const head = matchLines(before.slice(0, caret), after.slice(0, counterpart));
  const tail = matchLines(before.slice(caret + 1), after.slice(counterpart + 1));
  const both = [...toPairs(head), { old: caret, now: counterpart }, ...toPairs(tail, caret + 1, counterpart + 1)];
  return matchBetween(old, now, both, caret);
}

/**
 * Estimates the new index of an unmatched block: its distance from the last matched block before it stays the same.
 * `lines` contains the new indexes of matched blocks by old index.
 */
const nearest = (lines: ReadonlyMap<number, number>, index: number): number => {
  for (let at = index - 1; at >= 0; at--) if (lines.has(at)) return lines.get(at)! + index - at;
  return index;
};

const toPairs = (lines: ReadonlyMap<number, number>, old = 0, now = 0): BlockPair[] =>
  [...lines].map(([one, other]): BlockPair => ({ old: old + one, now: now + other })).toSorted((a, b) => a.old - b.old);

/**
 * Returns the pairs of unchanged blocks and the changed regions between them. `matched` contains pairs of corresponding
 * blocks. The contents of a pair are equal, except for the pair with the old index `changed`, which becomes a region of
 * its own; -1 means that there is no such pair.
 */
function matchBetween(old: Node, now: Node, matched: readonly BlockPair[], changed = -1): MatchedBlocks {
  const regions: ChangedRegion[] = [];
  let start: BlockPair = { old: 0, now: 0 };
  for (const end of [...matched, { old: old.childCount, now: now.childCount }]) {
    const [removed, added] = [old.children.slice(start.old, end.old), now.children.slice(start.now, end.now)];
    if (removed.length > 0 || added.length > 0)
      regions.push({ removed, added, first: start.old, pairs: pairBlocks(removed, added) });
    if (end.old === changed)
      regions.push({
        removed: [old.child(end.old)],
        added: [now.child(end.now)],
        first: end.old,
        pairs: [{ old: 0, now: 0 }],
      });
    start = { old: end.old + 1, now: end.now + 1 };
  }
  return { same: matched.filter((pair) => pair.old !== changed), regions };
}

/** Attributes with the Markdown from which a block was parsed. They are ignored when contents are compared. */
export const sourceAttributes = ['source', 'sourceHash'] as const;

const hasSource = new Set<string>(sourceAttributes);

const contentKey = (block: Node): string =>
  JSON.stringify(block, (key, value: unknown) => (hasSource.has(key) ? undefined : value));

/** Maximum number of pairs of blocks whose texts are compared in one search for similar blocks. */
const maxComparisons = 400;
/** Minimum similarity (0 to 1) at which two blocks count as the old and the new version of one block. */
const minSimilarity = 0.3;
/**
 * Similarity of two texts of which one is the other with an insertion, such as `pear` and `pear tree`. A common start
 * and end alone never give a higher similarity.
 */
const maxOfGrown = 0.5;

/**
 * Pairs removed blocks with similar added blocks. Chooses the pairs with the highest sum of similarities for which both
 * lists keep their order. Returns no pairs if there are too many combinations to compare.
 */
function pairBlocks(removed: readonly Node[], added: readonly Node[]): BlockPair[] {
  if (removed.length === 1 && added.length === 1 && isChangeable(removed[0]!, added[0]!)) return [{ old: 0, now: 0 }];
  if (removed.length * added.length > maxComparisons) return [];
  const width = added.length + 1;
  const best = new Float64Array((removed.length + 1) * width);
  const found = removed.map((block) => added.map((other) => similarity(block, other)));
  for (let i = removed.length - 1; i >= 0; i--)
    for (let j = added.length - 1; j >= 0; j--)
      best[i * width + j] = Math.max(
        best[(i + 1) * width + j]!,
        best[i * width + j + 1]!,
        best[(i + 1) * width + j + 1]! + found[i]![j]!,
      );
  const pairs: BlockPair[] = [];
  for (let i = 0, j = 0; i < removed.length && j < added.length;) {
    const here = best[i * width + j]!;
    if (here === best[(i + 1) * width + j]!) i += 1;
    else if (here === best[i * width + j + 1]!) j += 1;
    else pairs.push({ old: i++, now: j++ });
  }
  return pairs;
}

/**
 * Searches the blocks around index `near` and returns the index of the block that is most similar to `block`, or -1 if
 * no block is similar.
 */
export function counterpartOf(block: Node, others: readonly Node[], near: number): number {
  const first = Math.max(0, Math.min(near, others.length) - maxComparisons / 2);
  const found = others.slice(first, first + maxComparisons).map((other) => similarity(block, other));
  const most = Math.max(0, ...found);
  return most === 0 ? -1 : first + found.indexOf(most);
}

/** Returns whether a block can be changed into another block without replacing it as a whole. */
function isChangeable(block: Node, other: Node): boolean {
  if (block.isTextblock) return other.isTextblock && other.type.validContent(block.content);
  return block.type === other.type && !block.isLeaf && !block.isAtom;
}

/**
 * Returns the similarity of two blocks from 0 to 1. Returns 0 if they are too different to be the old and the new
 * version of one block.
 */
function similarity(block: Node, other: Node): number {
  if (!isChangeable(block, other)) return 0;
  const [a, b] = [block.textContent.trimEnd(), other.textContent.trimEnd()];
  const shorter = Math.min(a.length, b.length);
  if (shorter === 0) return 0;
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  // If one text is the other with an insertion, the similarity is at least `maxOfGrown`. Short texts may have few pairs
  // of letters in common and would otherwise count as different.
  const found = Math.max(maxOfGrown * ((head + tail) / shorter), commonPairs(a, b));
  return found < minSimilarity ? 0 : found;
}

const maxLetters = 1000;

/** Returns the share of pairs of neighboring letters that two texts have in common (Dice's coefficient). */
function commonPairs(a: string, b: string): number {
  const counts = new Map<string, number>();
  const [first, second] = [a, b].map((text) => text.slice(0, maxLetters)) as [string, string];
  for (let at = 1; at < first.length; at++) {
    const pair = first.slice(at - 1, at + 1);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  let common = 0;
  for (let at = 1; at < second.length; at++) {
    const pair = second.slice(at - 1, at + 1);
    const left = counts.get(pair) ?? 0;
    if (left === 0) continue;
    counts.set(pair, left - 1);
    common += 1;
  }
  return (2 * common) / Math.max(1, first.length + second.length - 2);
}
