import type { Node, ResolvedPos } from '@tiptap/pm/model';
import { counterpartOf } from './match-blocks.ts';

/**
 * Markdown has no spaces and line breaks at the end of a block, but whoever has just typed one goes on behind it. Returns
 * the new document with those of the text block with the caret, if that is otherwise still there.
 */
export function withTypedSpaces(next: Node, $caret: ResolvedPos): Node {
  const block = $caret.parent;
  if (!block.isTextblock || $caret.depth === 0 || lengthOfWords(block) === block.content.size) return next;
  return appendSpaces(next, $caret, 0) ?? next;
}

/** Returns the counterpart of the node with the caret at a depth, with the spaces; undefined if it is another one. */
function appendSpaces(node: Node, $caret: ResolvedPos, depth: number): Node | undefined {
  const old = $caret.node(depth);
  if (depth === $caret.depth) {
    const words = old.textContent.trimEnd();
    const isSame = node.type === old.type && words !== '' && node.textContent.trimEnd().endsWith(lastWord(words));
    if (!isSame) return undefined;
    // `append` joins the text, as in the editor's document: the block is then the same.
    return node.copy(node.content.cut(0, lengthOfWords(node)).append(old.content.cut(lengthOfWords(old))));
  }
  const before = $caret.index(depth);
  const fromEnd = node.childCount - old.childCount + before;
  // Blocks were perhaps added or removed before it, or after it, or on both sides.
  for (const index of [before, fromEnd, counterpartOf(old.child(before), node.children, before)]) {
    const child = node.maybeChild(index);
    const changed = child && appendSpaces(child, $caret, depth + 1);
    if (changed) return node.copy(node.content.replaceChild(index, changed));
  }
  return undefined;
}

/** Returns the length of a text block without the spaces and line breaks at its end. */
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
