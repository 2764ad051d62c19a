import type { Node } from '@tiptap/pm/model';
import { EditorState } from '@tiptap/pm/state';
import { expect } from 'vitest';
import { NoteMarkdown } from '../src/note-markdown.ts';

const markdown = new NoteMarkdown();

const textOf = ({ attrs }: Node): string => attrs['source'] as string;
const joined = (nodes: readonly Node[]): string => nodes.map(textOf).join('');

/** A letter that none of the texts contains. */
const letter = 'ǂ';

/** Types a letter at the first text position of a block. Returns undefined if the block has none. */
function typeInto(doc: Node, index: number): Node | undefined {
  let at = doc.children.slice(0, index).reduce((sum, block) => sum + block.nodeSize, 0);
  let node: Node | null = doc.child(index);
  for (; node && !node.isTextblock; node = node.firstChild) at += 1;
  return node ? EditorState.create({ doc }).tr.insertText(letter, at + 1).doc : undefined;
}

/** Checks that a text is written as it was read, and that a letter typed into any one block changes that block only. */
export function check(text: string, blocks: (count: number) => readonly number[]): number {
  const doc = markdown.parseDocument(text);
  expect(markdown.serialize(doc)).toBe(text);
  let typed = 0;
  for (const index of blocks(doc.childCount)) {
    const changed = typeInto(doc, index);
    if (!changed) continue;
    const written = markdown.serialize(changed);
    const [before, after] = [joined(doc.children.slice(0, index)), joined(doc.children.slice(index + 1))];
    // White space next to the changed block may become a blank line.
    expect(written.startsWith(before.trimEnd())).toBe(true);
    expect(written.endsWith(after)).toBe(true);
    expect(written.slice(before.trimEnd().length, written.length - after.length)).toContain(letter);
    typed += 1;
  }
  return typed;
}
