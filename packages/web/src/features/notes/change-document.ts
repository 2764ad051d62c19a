import type { Node, ResolvedPos } from '@tiptap/pm/model';
import { TextSelection, type EditorState, type Transaction } from '@tiptap/pm/state';
import { mapTextPosition } from './map-position.ts';
import { counterpartOf, matchBlocks, sourceAttributes, type ChangedRegion } from './match-blocks.ts';
import { withTypedSpaces } from './typed-spaces.ts';

/**
 * Returns a transaction that changes the editor's document into `parsed`, a document parsed from a new text of the
 * note. Only the differences are replaced, so that the caret stays next to the same letters.
 */
export function changeDocument(state: EditorState, parsed: Node): Transaction {
  const { doc, tr, selection } = state;
  const next = withTypedSpaces(parsed, selection.$from);
  const carets = [selection.from, selection.to] as const;
  changeChildren({ tr, carets, isEmpty: selection.empty }, doc, next, 0);
  if (!tr.docChanged) return tr;
  const [anchor, head] = [selection.$anchor, selection.$head].map((caret) => tr.doc.resolve(placeOf(caret, tr)));
  return tr.setSelection(TextSelection.between(anchor!, head!));
}

interface Change {
  readonly tr: Transaction;
  /** Start and end of the selection in the old document. */
  readonly carets: readonly [number, number];
  /** True if nothing is selected. */
  readonly isEmpty: boolean;
}

/**
 * Changes the children of the node `old` into the children of the node `now`. `start` is the position of the first
 * child. Works from the end to the start, so that the positions of earlier children stay valid.
 */
function changeChildren(change: Change, old: Node, now: Node, start: number): void {
  const starts = [start];
  for (const child of old.children) starts.push(starts.at(-1)! + child.nodeSize);
  const [from] = change.carets;
  const caret = from < starts.at(-1)! ? starts.findLastIndex((position) => position < from) : -1;
  const { same, regions } = matchBlocks(old, now, caret);
  for (const pair of same) setSource(change.tr, starts[pair.old]!, old.child(pair.old), now.child(pair.now));
  for (const region of regions.toReversed())
    changeRegion(change, region, { starts: starts.slice(region.first), caret: caret - region.first });
}

/**
 * Place of a changed region in the old document. `starts` contains the start positions of the region's old blocks,
 * followed by the end of the last one. `caret` is the index of the block with the caret, counted from the region's
 * first block; the caret may be outside of the region.
 */
interface RegionPlace {
  readonly starts: readonly number[];
  readonly caret: number;
}

function changeRegion(change: Change, region: ChangedRegion, place: RegionPlace): void {
  const { removed, added, pairs } = region;
  let end = { old: removed.length, now: added.length };
  for (const { old, now } of pairs.toReversed()) {
    replaceBlocks(change, region, place, { old: old + 1, now: now + 1 }, end);
    changeBlock(change, removed[old]!, added[now]!, place.starts[old]!);
    end = { old, now };
  }
  replaceBlocks(change, region, place, { old: 0, now: 0 }, end);
}

interface BlockIndexes {
  readonly old: number;
  readonly now: number;
}

/**
 * Replaces the old blocks `removed[from.old]` to `removed[to.old - 1]` by the new blocks `added[from.now]` to
 * `added[to.now - 1]`.
 */
function replaceBlocks(
  { tr, isEmpty }: Change,
  { removed, added }: ChangedRegion,
  { starts, caret }: RegionPlace,
  from: BlockIndexes,
  to: BlockIndexes,
): void {
  const blocks = added.slice(from.now, to.now);
  const [start, end] = [starts[from.old]!, starts[to.old]!];
  const isKept = isEmpty && caret >= from.old && caret < to.old && removed[caret]!.content.size === 0;
  if (!isKept) {
    if (end > start || blocks.length > 0) tr.replaceWith(start, end, blocks);
    return;
  }
  // Keep an empty block that contains the caret. It is missing in the new document only because Markdown cannot
  // represent empty paragraphs.
  if (end > starts[caret + 1]! || blocks.length > 0) tr.replaceWith(starts[caret + 1]!, end, blocks);
  if (starts[caret]! > start) tr.delete(start, starts[caret]!);
}

/** Changes a block in place into its counterpart in the new document. */
function changeBlock(change: Change, old: Node, now: Node, start: number): void {
  const { tr } = change;
  if (old.sameMarkup(withSourceOf(old, now))) setSource(tr, start, old, now);
  else tr.setNodeMarkup(start, now.type, now.attrs, now.marks);
  if (old.isTextblock) changeLine(change, old, now, start + 1);
  else changeChildren(change, old, now, start + 1);
}

/**
 * Changes the content of the text block `old` in place into the content of `now`. The change is split at the caret, so
 * that the caret stays between the same letters.
 */
function changeLine({ tr, carets }: Change, old: Node, now: Node, start: number): void {
  const from = old.content.findDiffStart(now.content);
  const end = old.content.findDiffEnd(now.content);
  if (from === null || !end) return;
  const overlap = Math.max(0, from - Math.min(end.a, end.b));
  let to = { old: end.a + overlap, now: end.b + overlap };
  const [before, after] = [lettersOf(old), lettersOf(now)];
  const parts = new Set(carets.map((caret) => caret - start).filter((caret) => caret > from && caret <= to.old));
  for (const caret of [...parts].toSorted((a, b) => b - a)) {
    const place = Math.min(Math.max(from, mapTextPosition(before, after, caret)), to.now);
    tr.replaceWith(start + caret, start + to.old, now.content.cut(place, to.now).content);
    to = { old: caret, now: place };
  }
  tr.replaceWith(start + from, start + to.old, now.content.cut(from, to.now).content);
}

/**
 * Returns the text of a line. An object inside the line is replaced by placeholder characters, so that each character
 * corresponds to one position in the document.
 */
function lettersOf(line: Node): string {
  return line.textBetween(0, line.content.size, '', (leaf) => '\ufffc'.repeat(leaf.nodeSize));
}

/** Returns the position of the caret after a change. Text inserted at the caret ends up after the caret. */
function placeOf(caret: ResolvedPos, tr: Transaction): number {
  const place = tr.mapping.mapResult(caret.pos, -1);
  if (!place.deletedAcross || !caret.parent.isTextblock) return place.pos;
  // The line was replaced, for example because it has become a list item. Find the most similar new line.
  const [from, to] = [tr.mapping.map(caret.start(), -1), tr.mapping.map(caret.end(), 1)];
  const lines: { node: Node; start: number }[] = [];
  tr.doc.nodesBetween(from, to, (node, position) => {
    if (node.isTextblock) lines.push({ node, start: position + 1 });
  });
  const nodes = lines.map(({ node }) => node);
  const found = lines[counterpartOf(caret.parent, nodes, 0)];
  if (!found) return place.pos;
  return found.start + mapTextPosition(lettersOf(caret.parent), lettersOf(found.node), caret.parentOffset);
}

/**
 * Sets a block's source attributes, which store the Markdown from which it was parsed, to those of another node.
 * Replacing the whole block instead would lose the caret.
 */
function setSource(tr: Transaction, position: number, block: Node, { attrs }: Node): void {
  for (const name of sourceAttributes)
    if (block.attrs[name] !== attrs[name]) tr.setNodeAttribute(position, name, attrs[name]);
}

function withSourceOf({ attrs }: Node, block: Node): Node {
  const own = Object.fromEntries(sourceAttributes.map((name) => [name, attrs[name]]));
  return block.type.create({ ...block.attrs, ...own }, block.content, block.marks);
}
