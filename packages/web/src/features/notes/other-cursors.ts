import { Plugin, PluginKey, type EditorState } from '@tiptap/pm/state';
import type { Node } from '@tiptap/pm/model';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import type { Editor } from '@tiptap/react';
import { userColor } from '../sheets/user-color.ts';
import type { PersonInNote } from './note-room.ts';

const key = new PluginKey<DecorationSet>('otherCursors');

/**
 * Returns the caret position as text to send to the other people who have the note open. It consists of the index of
 * the top-level block and the offset in this block.
 */
export function encodeCursor({ selection, doc }: EditorState): string {
  const block = selection.$head.index(0);
  const start = doc.children.slice(0, block).reduce((sum, { nodeSize }) => sum + nodeSize, 0);
  return `${block}.${selection.head - start}`;
}

function positionOf(doc: Node, cursor: string): number | undefined {
  const found = /^(\d+)\.(\d+)$/.exec(cursor);
  const block = found && doc.maybeChild(Number(found[1]));
  if (!block) return undefined;
  const start = doc.children.slice(0, Number(found[1])).reduce((sum, { nodeSize }) => sum + nodeSize, 0);
  const position = start + Math.min(Number(found[2]), block.nodeSize - 1);
  return doc.resolve(position).parent.isTextblock ? position : undefined;
}

/**
 * Shows the carets of other people with their names. Between two position messages, a caret moves along with the text.
 */
export function showCursors(editor: Editor, people: readonly PersonInNote[]): void {
  if (!key.get(editor.state)) {
    if (people.length === 0) return;
    editor.registerPlugin(createPlugin());
  }
  editor.view.dispatch(editor.state.tr.setMeta(key, people));
}

function createPlugin(): Plugin<DecorationSet> {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(transaction, before) {
        const people = transaction.getMeta(key) as readonly PersonInNote[] | undefined;
        if (!people) return before.map(transaction.mapping, transaction.doc);
        return DecorationSet.create(
          transaction.doc,
          people.flatMap((person) => {
            const position = positionOf(transaction.doc, person.cursor);
            if (position === undefined) return [];
            return Decoration.widget(position, () => createCaret(person), {
              key: `${person.client}`,
              side: 1,
              ignoreSelection: true,
            });
          }),
        );
      },
    },
    props: { decorations: (state) => key.getState(state) },
  });
}

function createCaret({ user_id: id, name }: PersonInNote): HTMLElement {
  const caret = document.createElement('span');
  caret.className = 'other-cursor';
  caret.style.setProperty('--author', userColor(id));
  caret.dataset['name'] = name;
  // Hide the caret from screen readers, because it would interrupt the text. The list of people contains the names.
  caret.ariaHidden = 'true';
  return caret;
}
