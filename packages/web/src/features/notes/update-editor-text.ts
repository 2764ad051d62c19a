import type { Editor } from '@tiptap/react';
import { Fragment, type Node, type ResolvedPos } from '@tiptap/pm/model';
import { TextSelection, type Transaction } from '@tiptap/pm/state';
import { markChanges, type ChangeMark } from './change-marks.ts';
import { noteMarkdown } from './editor-extensions.ts';
import { matchLines } from './three-way-merge.ts';
import type { TypedText } from './new-note-draft.ts';

/**
 * Shows text that was changed elsewhere, and marks it if its author is known. Replaces only blocks that differ, so that
 * the caret stays in its place.
 */
export function updateEditorText(editor: Editor, markdown: string, mark?: ChangeMark): void {
  const transaction = buildTransaction(editor, markdown);
  if (mark && transaction.docChanged) markChanges(editor, transaction, mark);
  // Not added to the undo history, because undoing it would revert another person's change.
  editor.view.dispatch(transaction.setMeta('addToHistory', false).setMeta('preventUpdate', true));
}

/** Returns a transaction that turns the document into the parsed Markdown. */
function buildTransaction(editor: Editor, markdown: string): Transaction {
  const { doc, tr, selection, schema } = editor.state;
  const parsed = schema.nodeFromJSON(noteMarkdown.parse(markdown));
  const next = withTypedSpaces(parsed, doc, selection.$from);
  const [before, after] = [doc, next].map((one) => one.children.map((block) => JSON.stringify(block, withoutSource)));
  const matches = matchLines(before!, after!);
  const same = [...matches, [before!.length, after!.length] as const].toSorted(([a], [b]) => a - b);
  const caret = selection.empty && selection.$from.depth > 0 ? selection.$from.index(0) : -1;
  let at = { old: 0, next: 0 };
  for (const [old, now] of same) {
    const removed = doc.children.slice(at.old, old);
    const added = next.children.slice(at.next, now);
    if (removed.length > 0 || added.length > 0) {
      const isAtCaret = removed.length === 1 && at.old === caret && removed[0]!.content.size === 0;
      // An empty paragraph with the caret is retained, although Markdown cannot represent empty paragraphs.
      replaceBlocks(tr, startOf(doc, isAtCaret ? old : at.old), isAtCaret ? [] : removed, added);
    }
    at = { old: old + 1, next: now + 1 };
  }
  for (const [old, now] of matches) {
    const [block, target] = [doc.child(old), next.child(now)];
    if (sourceAttributes.some((name) => block.attrs[name] !== target.attrs[name]))
      setSource(tr, tr.mapping.map(startOf(doc, old), 1), target);
  }
  if (!tr.docChanged) return tr;
  // Map the caret so that text inserted at its position comes after it.
  const [anchor, head] = [selection.anchor, selection.head].map((place) => tr.doc.resolve(tr.mapping.map(place, -1)));
  return tr.setSelection(TextSelection.between(anchor!, head!));
}

/**
 * Markdown has no spaces at the end of a line, but whoever has just typed one goes on behind it. Returns the new document
 * with the spaces before the caret, if the text block with the caret is otherwise still there.
 */
function withTypedSpaces(next: Node, doc: Node, $caret: ResolvedPos): Node {
  const block = $caret.parent;
  const spaces = /[ \t]+$/.exec(block.textContent)?.[0];
  if (!block.isTextblock || spaces === undefined || $caret.depth === 0) return next;
  const before = $caret.index(0);
  // The block keeps its place from the start or, if blocks were added or removed before it, from the end.
  for (const index of [before, next.childCount - doc.childCount + before]) {
    const path = [index, ...Array.from({ length: $caret.depth - 1 }, (_, depth) => $caret.index(depth + 1))];
    const changed = appendAtPath(next, path, block, spaces);
    if (changed) return changed;
  }
  return next;
}

/** Returns the node with spaces appended to the text block at the path, if that begins like the given block. */
function appendAtPath(node: Node, [index, ...rest]: readonly number[], like: Node, spaces: string): Node | undefined {
  if (index === undefined) {
    const words = like.textContent.trimEnd();
    const isSame = node.type === like.type && words !== '' && node.textContent.endsWith(lastWord(words));
    if (!isSame || /[ \t]$/.test(node.textContent)) return undefined;
    return node.copy(node.content.addToEnd(node.type.schema.text(spaces)));
  }
  const child = node.maybeChild(index);
  const changed = child && appendAtPath(child, rest, like, spaces);
  return changed ? node.copy(node.content.replaceChild(index, changed)) : undefined;
}

const lastWord = (words: string): string => /\S+$/.exec(words)?.[0] ?? '';

const sourceAttributes = ['source', 'sourceHash'];

const withoutSource = (key: string, value: unknown): unknown => (sourceAttributes.includes(key) ? undefined : value);

/** Gives the block at a position the source of another one, without replacing the block and so losing the caret. */
function setSource(tr: Transaction, position: number, { attrs }: Node): void {
  for (const name of sourceAttributes) tr.setNodeAttribute(position, name, attrs[name]);
}

function startOf(doc: Node, index: number): number {
  return doc.children.slice(0, index).reduce((sum, block) => sum + block.nodeSize, 0);
}

/**
 * Replaces the `removed` blocks at `from`, a position in the document before the transaction, with `added`. If both are
 * a single block with the same type and attributes, only the differing content is replaced.
 */
function replaceBlocks(tr: Transaction, from: number, removed: readonly Node[], added: readonly Node[]): void {
  const old = Fragment.from(removed);
  const begin = tr.mapping.map(from, 1);
  const [block, target] = [removed[0], added[0]];
  const isSameKind = removed.length === 1 && added.length === 1 && block!.sameMarkup(withSourceOf(block!, target!));
  const now = Fragment.from(isSameKind ? withSourceOf(block!, target!) : added);
  const start = old.findDiffStart(now);
  const end = old.findDiffEnd(now);
  if (start === null || !end || !isSameKind) {
    tr.replaceWith(begin, begin + old.size, now);
    return;
  }
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  const slice = tr.doc.type.create(null, now).slice(start, end.b + overlap);
  tr.replace(begin + start, begin + end.a + overlap, slice);
  setSource(tr, begin, target!);
}

function withSourceOf({ attrs }: Node, block: Node): Node {
  const { source, sourceHash } = attrs as Record<string, unknown>;
  return block.type.create({ ...block.attrs, source, sourceHash }, block.content, block.marks);
}

/**
 * Inserts text typed before the editor was loaded, character by character, so that Markdown shortcuts such as `# ` take
 * effect. Then restores the selection that the user had made in that text.
 */
export function replayTyping(editor: Editor, { text, from, to }: TypedText): void {
  const { view } = editor;
  let typed = 0;
  let selected: { from?: number; to?: number } = {};
  const mark = (): void => {
    const { head } = view.state.selection;
    selected = { ...selected, ...(typed === from && { from: head }), ...(typed === to && { to: head }) };
  };
  for (const sign of text) {
    if (typed > 0) mark();
    if (sign === '\n') view.someProp('handleKeyDown', (handle) => handle(view, new KeyboardEvent('keydown', enter)));
    else typeCharacter(editor, sign);
    typed += sign.length;
  }
  // If no start of the selection was recorded, the caret stays at the end of the typed text.
  if (selected.from !== undefined)
    editor.commands.setTextSelection({ from: selected.from, to: selected.to ?? view.state.selection.head });
}

const enter = { key: 'Enter', code: 'Enter', keyCode: 13 };

function typeCharacter({ view }: Editor, sign: string): void {
  const { from, to } = view.state.selection;
  const insert = (): Transaction => view.state.tr.insertText(sign, from, to);
  if (!view.someProp('handleTextInput', (handle) => handle(view, from, to, sign, insert))) view.dispatch(insert());
}
