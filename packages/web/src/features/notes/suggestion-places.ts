import { applyEdits } from '@sheaf/markdown/text-diff';
import type { Fragment, Node } from '@tiptap/pm/model';
import { noteMarkdown } from './editor-extensions.ts';
import { isCheapToParse } from './parse-cost.ts';

/** A change of Markdown that is suggested. */
interface MarkdownChange {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/** Where a suggested change is in the editor's document. */
export interface DocumentChange {
  /** What would be removed; empty if `from` equals `to`. */
  readonly from: number;
  readonly to: number;
  /** What would be inserted at `to`: text in a line, or whole blocks between the blocks of the document. */
  readonly inserted: Fragment;
  readonly isInline: boolean;
}

/**
 * Finds a change of Markdown in the document: reads the blocks that it concerns with and without it, and compares them.
 * Returns undefined if nothing is to be seen of it, or if that cannot be told in a moment.
 */
export function findInDocument(
  doc: Node,
  { markdown, starts }: { markdown: string; starts: readonly number[] },
  change: MarkdownChange,
): DocumentChange | undefined {
  const first = Math.max(
    0,
    starts.findLastIndex((start) => start <= change.at),
  );
  const last = Math.max(
    first,
    starts.findLastIndex((start) => start < change.at + change.remove),
  );
  const from = starts[first]!;
  const region = markdown.slice(from, starts[last + 1] ?? markdown.length);
  const changed = applyEdits(region, [{ ...change, at: change.at - from }]);
  if (!isCheapToParse(changed)) return undefined;
  const before = doc.children.slice(first, last + 1);
  const after = changed.trim() === '' ? [] : noteMarkdown.parseDocument(changed).children;
  const length = Math.min(before.length, after.length);
  let head = 0;
  while (head < length && isSame(before[head]!, after[head]!)) head += 1;
  let tail = 0;
  while (tail < length - head && isSame(before.at(-1 - tail)!, after.at(-1 - tail)!)) tail += 1;
  const removed = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  if (removed.length === 0 && added.length === 0) return undefined;
  const start = sizeOf(doc.children.slice(0, first + head));
  const inLine = removed.length === 1 && added.length === 1 ? changeInLine(removed[0]!, added[0]!, start) : undefined;
  if (inLine) return inLine;
  return { from: start, to: start + sizeOf(removed), inserted: fragmentOf(doc, added), isInline: false };
}

/** Returns the change of a single block if it is within one line of text; undefined otherwise. */
function changeInLine(before: Node, after: Node, start: number): DocumentChange | undefined {
  // As blocks of the same kind, so that a changed source or heading level is not taken for a change of the words.
  const now = before.type === after.type ? before.type.create(before.attrs, after.content) : after;
  const from = before.content.findDiffStart(now.content);
  const end = before.content.findDiffEnd(now.content);
  if (from === null || !end || before.type !== after.type) return undefined;
  const overlap = Math.max(0, from - Math.min(end.a, end.b));
  const [oldEnd, newEnd] = [end.a + overlap, end.b + overlap];
  const [$from, $to] = [now.resolve(from), now.resolve(newEnd)];
  const [$oldFrom, $oldTo] = [before.resolve(from), before.resolve(oldEnd)];
  if (!$from.parent.isTextblock || !$from.sameParent($to) || !$oldFrom.sameParent($oldTo)) return undefined;
  const inserted = $from.parent.content.cut($from.parentOffset, $to.parentOffset);
  // Positions in a block are counted from after its beginning.
  return { from: start + 1 + from, to: start + 1 + oldEnd, inserted, isInline: true };
}

const fragmentOf = (doc: Node, nodes: readonly Node[]): Fragment => doc.type.create(null, [...nodes]).content;
const sizeOf = (nodes: readonly Node[]): number => nodes.reduce((sum, { nodeSize }) => sum + nodeSize, 0);

function isSame(a: Node, b: Node): boolean {
  const withoutSource = (key: string, value: unknown): unknown =>
    key === 'source' || key === 'sourceHash' ? undefined : value;
  return JSON.stringify(a, withoutSource) === JSON.stringify(b, withoutSource);
}
