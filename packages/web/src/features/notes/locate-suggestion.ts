import { extendToWholeWords } from '@sheaf/markdown/suggested-changes';
import { applyEdits } from '@sheaf/markdown/text-diff';
import type { NoteMarkdown } from '@sheaf/markdown/note-markdown';
import type { Fragment, Node } from '@tiptap/pm/model';
import { isCheapToParse } from './parse-cost.ts';

/** A suggested change of the Markdown text: at offset `at`, replaces `remove` characters by `insert`. */
interface MarkdownChange {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/** Position of a suggested change in the editor's document. */
export interface DocumentChange {
  /** Range that the change removes; empty if `from` equals `to`. */
  readonly from: number;
  readonly to: number;
  /** Content that the change inserts at the end of the removed range (`to`): text in a line, or whole blocks. */
  readonly inserted: Fragment;
  readonly isInline: boolean;
}

/**
 * Finds the position of a Markdown change in the document, by parsing the affected blocks with the change and comparing
 * both versions. `starts` contains the offset in `markdown` of each top-level block. Returns undefined if the change
 * has no visible effect, cannot be shown in the document, or may be slow to parse.
 */
export function locateSuggestion(
  doc: Node,
  { parser, markdown, starts }: { parser: NoteMarkdown; markdown: string; starts: readonly number[] },
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
  const end = starts[last + 1] ?? markdown.length;
  const edited = applyEdits(markdown.slice(from, end), [{ ...change, at: change.at - from }]);
  // Remove trailing blank lines, which would be parsed as an empty paragraph.
  const changed = end < markdown.length ? edited.trimEnd() : edited;
  if (!isCheapToParse(changed)) return undefined;
  const before = doc.children.slice(first, last + 1);
  // Create nodes of the editor's schema, because only these can be compared with the document's nodes.
  const after = changed.trim() === '' ? [] : doc.type.schema.nodeFromJSON(parser.parse(changed)).children;
  return compareNodes(doc, { before, after, start: sizeOf(doc.children.slice(0, first)) });
}

interface Compared {
  readonly before: readonly Node[];
  readonly after: readonly Node[];
  /** Position in the document of the first node of `before`. */
  readonly start: number;
}

/**
 * Compares two lists of child nodes and returns the changed range. Descends into a changed node if the change can be
 * shown inside it. Returns undefined if the lists are equal or the change cannot be shown.
 */
function compareNodes(parent: Node, { before, after, start }: Compared): DocumentChange | undefined {
  const length = Math.min(before.length, after.length);
  let head = 0;
  while (head < length && isSame(before[head]!, after[head]!)) head += 1;
  let tail = 0;
  while (tail < length - head && isSame(before.at(-1 - tail)!, after.at(-1 - tail)!)) tail += 1;
  const removed = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  if (removed.length === 0 && added.length === 0) return undefined;
  const from = start + sizeOf(before.slice(0, head));
  const inside = removed.length === 1 && added.length === 1 ? compareInside(removed[0]!, added[0]!, from) : undefined;
  if (inside) return inside;
  // Do not show a change of whole table rows or cells, because they cannot be rendered without their table.
  if (parent.type.spec.tableRole !== undefined) return undefined;
  const inserted = parent.type.create(parent.attrs, [...added]).content;
  return { from, to: from + sizeOf(removed), inserted, isInline: false };
}

function compareInside(before: Node, after: Node, start: number): DocumentChange | undefined {
  if (before.type !== after.type || !isSame(before.copy(), after.copy())) return undefined;
  if (before.isTextblock) return changeInLine(before, after, start);
  return compareNodes(before, { before: before.children, after: after.children, start: start + 1 });
}

/**
 * Returns the difference between two versions of a text block, such as a paragraph, as a change of the document that
 * covers whole words. `start` is the position of the block in the document; its text begins one position later. Returns
 * undefined if both versions have the same content.
 */
function changeInLine(before: Node, after: Node, start: number): DocumentChange | undefined {
  const from = before.content.findDiffStart(after.content);
  const end = before.content.findDiffEnd(after.content);
  if (from === null || !end) return undefined;
  const overlap = Math.max(0, from - Math.min(end.a, end.b));
  const [oldEnd, newEnd] = [end.a + overlap, end.b + overlap];
  const edit = { at: from, remove: oldEnd - from, insert: lettersOf(after).slice(from, newEnd) };
  const words = extendToWholeWords(lettersOf(before), edit);
  const lead = edit.at - words.at;
  const tail = words.remove - edit.remove - lead;
  const inserted = after.content.cut(from - lead, newEnd + tail);
  return { from: start + 1 + from - lead, to: start + 1 + oldEnd + tail, inserted, isInline: true };
}

/**
 * Returns the text of a line with exactly one character per document position. A placeholder character represents each
 * node that is not text, such as an image.
 */
const lettersOf = (line: Node): string => line.textBetween(0, line.content.size, '', '\ufffc');

const sizeOf = (nodes: readonly Node[]): number => nodes.reduce((sum, { nodeSize }) => sum + nodeSize, 0);

function isSame(a: Node, b: Node): boolean {
  const withoutSource = (key: string, value: unknown): unknown =>
    key === 'source' || key === 'sourceHash' ? undefined : value;
  return JSON.stringify(a, withoutSource) === JSON.stringify(b, withoutSource);
}
