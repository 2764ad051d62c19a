import { Plugin, PluginKey, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import type { Editor } from '@tiptap/react';
import { userColor } from '../sheets/user-color.ts';

/** Duration in milliseconds for which a change by someone else stays highlighted. */
const markedMs = 6000;

export interface ChangeLabel {
  /** Id of the user or agent who made the change. Determines the color of the highlight. */
  readonly who: string;
  readonly label: string;
}

interface Mark extends ChangeLabel {
  readonly from: number;
  readonly to: number;
  readonly number: number;
}

const key = new PluginKey<DecorationSet>('changeMarks');
let lastNumber = 0;

/**
 * Highlights the text that a transaction inserts and labels it with its author for a few seconds. Call it before
 * dispatching the transaction.
 */
export function highlightChanges(editor: Editor, transaction: Transaction, { who, label }: ChangeLabel): void {
  if (!key.get(editor.state)) editor.registerPlugin(createPlugin());
  const number = ++lastNumber;
  const marks: Mark[] = [];
  for (const [index, map] of transaction.mapping.maps.entries()) {
    const later = transaction.mapping.slice(index + 1);
    map.forEach((_from, _to, from, to) =>
      marks.push({ who, label, from: later.map(from, -1), to: later.map(to), number }),
    );
  }
  transaction.setMeta(key, { add: marks.filter(({ from, to }) => to > from) });
  setTimeout(() => {
    if (!editor.isDestroyed) editor.view.dispatch(editor.state.tr.setMeta(key, { remove: number }));
  }, markedMs);
}

function createPlugin(): Plugin<DecorationSet> {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(transaction, before) {
        const news = transaction.getMeta(key) as { add?: readonly Mark[]; remove?: number } | undefined;
        const mapped = before.map(transaction.mapping, transaction.doc);
        const ended = mapped.find(undefined, undefined, (spec) => spec['number'] === news?.remove);
        const added = (news?.add ?? []).map(({ from, to, who, label, number }) =>
          Decoration.inline(
            from,
            to,
            { class: 'changed-by-others', title: label, style: `--author: ${userColor(who)}` },
            { number },
          ),
        );
        return mapped.remove(ended).add(transaction.doc, added);
      },
    },
    props: { decorations: (state) => key.getState(state) },
  });
}
