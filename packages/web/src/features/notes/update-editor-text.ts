import type { Editor } from '@tiptap/react';
import { Fragment, type Node } from '@tiptap/pm/model';
import { TextSelection, type Transaction } from '@tiptap/pm/state';
import { stripActiveAttributes } from './strip-active-attributes.ts';
import { matchLines } from './three-way-merge.ts';
import type { TypedText } from './new-note-draft.ts';

/** Shows text that was changed elsewhere. Only blocks that differ are replaced, so that the caret keeps its position. */
export function updateEditorText(editor: Editor, markdown: string): void {
  const change = buildTransaction(editor, markdown);
  // Not added to the undo history: undoing it would overwrite the other person's change.
  if (change) editor.view.dispatch(change.setMeta('addToHistory', false).setMeta('preventUpdate', true));
  else {
    const chain = editor.chain().setMeta('addToHistory', false);
    chain.setContent(stripActiveAttributes(markdown), { contentType: 'markdown', emitUpdate: false }).run();
  }
}

/** Returns a transaction that changes the document to the Markdown; undefined if the Markdown cannot be parsed. */
function buildTransaction(editor: Editor, markdown: string): Transaction | undefined {
  const { doc, tr, selection, schema } = editor.state;
  const content = editor.markdown?.parse(stripActiveAttributes(markdown));
  if (!content) return undefined;
  const next = schema.nodeFromJSON(content);
  const [before, after] = [doc, next].map((one) => one.children.map((block) => JSON.stringify(block)));
  const same = [...matchLines(before!, after!), [before!.length, after!.length] as const].toSorted(([a], [b]) => a - b);
  const caret = selection.empty && selection.$from.depth > 0 ? selection.$from.index(0) : -1;
  let at = { old: 0, next: 0 };
  for (const [old, now] of same) {
    const removed = doc.children.slice(at.old, old);
    const added = next.children.slice(at.next, now);
    if (removed.length > 0 || added.length > 0) {
      const isAtCaret = removed.length === 1 && at.old === caret && removed[0]!.content.size === 0;
      // Markdown has no empty paragraphs, so the one that holds the caret is kept.
      replaceBlocks(tr, startOf(doc, isAtCaret ? old : at.old), isAtCaret ? [] : removed, added);
    }
    at = { old: old + 1, next: now + 1 };
  }
  if (!tr.docChanged) return tr;
  // Text inserted at the caret stays after it.
  const [anchor, head] = [selection.anchor, selection.head].map((place) => tr.doc.resolve(tr.mapping.map(place, -1)));
  return tr.setSelection(TextSelection.between(anchor!, head!));
}

function startOf(doc: Node, index: number): number {
  return doc.children.slice(0, index).reduce((sum, block) => sum + block.nodeSize, 0);
}

/**
 * Replaces blocks; of two blocks that differ only in text, only that text is replaced. `from` is a position in the
 * document before the transaction.
 */
function replaceBlocks(tr: Transaction, from: number, removed: readonly Node[], added: readonly Node[]): void {
  const [old, now] = [Fragment.from(removed), Fragment.from(added)];
  const begin = tr.mapping.map(from, 1);
  const start = old.findDiffStart(now);
  const end = old.findDiffEnd(now);
  if (start === null || !end || removed.length !== 1 || added.length !== 1 || !removed[0]!.sameMarkup(added[0]!)) {
    tr.replaceWith(begin, begin + old.size, now);
    return;
  }
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  const slice = tr.doc.type.create(null, now).slice(start, end.b + overlap);
  tr.replace(begin + start, begin + end.a + overlap, slice);
}

/** Replays text that was typed before the editor was loaded, so that Markdown shortcuts at the start of a line work. */
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
  // Otherwise the caret is already at the end.
  if (selected.from !== undefined)
    editor.commands.setTextSelection({ from: selected.from, to: selected.to ?? view.state.selection.head });
}

const enter = { key: 'Enter', code: 'Enter', keyCode: 13 };

function typeCharacter({ view }: Editor, sign: string): void {
  const { from, to } = view.state.selection;
  const insert = (): Transaction => view.state.tr.insertText(sign, from, to);
  if (!view.someProp('handleTextInput', (handle) => handle(view, from, to, sign, insert))) view.dispatch(insert());
}
