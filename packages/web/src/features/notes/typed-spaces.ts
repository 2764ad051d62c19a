import type { Node, ResolvedPos } from '@tiptap/pm/model';
import { counterpartOf } from './match-blocks.ts';

/**
 * Returns the document `next` with the spaces and line breaks that the user typed at the end of the block with the
 * caret. `next` was parsed from Markdown, which drops them, but the user will continue typing after them.
 */
export function withTypedSpaces(next: Node, $caret: ResolvedPos): Node {
  const block = $caret.parent;
  if (!block.isTextblock || $caret.depth === 0 || lengthOfWords(block) === block.content.size) return next;
  return appendSpaces(next, $caret, 0) ?? next;
}

/**
 * Returns a copy of `node` in which the block with the caret ends with the spaces that the user typed. `node` is the
 * new version of the caret's ancestor at `depth`. Returns undefined if no block in `node` corresponds to the block with
 * the caret.
 */
function appendSpaces(node: Node, $caret: ResolvedPos, depth: number): Node | undefined {
  const old = $caret.node(depth);
  if (depth === $caret.depth) {
    const words = old.textContent.trimEnd();
    const isSame = node.type === old.type && words !== '' && node.textContent.trimEnd().endsWith(lastWord(words));
    if (!isSame) return undefined;
    // `append` joins adjacent text nodes, as the editor does. If they stayed separate, the block would not compare as
    // equal to the editor's block, and the editor would replace it needlessly.
    return node.copy(node.content.cut(0, lengthOfWords(node)).append(old.content.cut(lengthOfWords(old))));
  }
  const before = $caret.index(depth);
  const fromEnd = node.childCount - old.childCount + before;
  // Try the three positions where the caret's block may be now: at its old index, at its old distance from the end, and
  // where a similar block is. Blocks may have been added or removed after it, before it, or on both sides.
  for (const index of [before, fromEnd, counterpartOf(old.child(before), node.children, before)]) {
    const child = node.maybeChild(index);
    const changed = child && appendSpaces(child, $caret, depth + 1);
    if (changed) return node.copy(node.content.replaceChild(index, changed));
  }
  return undefined;
}

/** Returns the length of a text block without trailing spaces and line breaks. */
function lengthOfWords({ content }: Node): number {
  let length = content.size;
  for (const node of content.content.toReversed()) {
    const words = node.type.name === 'hardBreak' ? 0 : (node.text?.replace(/[ \t]+$/, '').length ?? node.nodeSize);
    length -= node.nodeSize - words;
    if (words > 0) break;
  }
  return length;
}

const lastWord = (words: string): string => /\S+$/.exec(words)?.[0] ?? '';
