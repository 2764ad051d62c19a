import type { Editor } from '@tiptap/react';
import type { Transaction } from '@tiptap/pm/state';
import { changeDocument } from './change-document.ts';
import { highlightChanges, type ChangeLabel } from './highlight-changes.ts';
import { noteMarkdown } from './editor-extensions.ts';
import type { TypedText } from './new-note-draft.ts';

/**
 * Displays text that was changed elsewhere, and highlights the change if its author is known. The caret stays next to
 * the same letters.
 */
export function updateEditorText(editor: Editor, markdown: string, mark?: ChangeLabel): void {
  const { state } = editor;
  const transaction = changeDocument(state, state.schema.nodeFromJSON(noteMarkdown.parse(markdown)));
  if (mark && transaction.docChanged) highlightChanges(editor, transaction, mark);
  // The transaction is excluded from the undo history, because an undo would revert another person's change.
  editor.view.dispatch(transaction.setMeta('addToHistory', false).setMeta('preventUpdate', true));
}

/**
 * Inserts text typed before the editor was loaded, character by character, so that Markdown shortcuts such as `# ` take
 * effect. Then restores the user's selection in that text.
 */
export function replayTypingBeforeLoad(editor: Editor, { text, from, to }: TypedText): void {
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
  // `selected.from` is set only if the selection starts inside the typed text. If it starts at the beginning or, as
  // after ordinary typing, at the end, the caret stays at the end.
  if (selected.from !== undefined)
    editor.commands.setTextSelection({ from: selected.from, to: selected.to ?? view.state.selection.head });
}

const enter = { key: 'Enter', code: 'Enter', keyCode: 13 };

function typeCharacter({ view }: Editor, sign: string): void {
  const { from, to } = view.state.selection;
  const insert = (): Transaction => view.state.tr.insertText(sign, from, to);
  if (!view.someProp('handleTextInput', (handle) => handle(view, from, to, sign, insert))) view.dispatch(insert());
}
