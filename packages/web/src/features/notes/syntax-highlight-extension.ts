import { Extension } from '@tiptap/react';
import type { Node } from '@tiptap/pm/model';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { tokenizeCode } from './syntax-tokenizer.ts';

const key = new PluginKey<DecorationSet>('colored-code');

/** Highlights the syntax of code blocks with decorations, which do not change the document. */
export const SyntaxHighlight = Extension.create({
  name: 'coloredCode',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: {
        init: (_config, { doc }) => highlightDecorations(doc),
        apply: (change, before, old, now) =>
          !change.docChanged
            ? before
            : hasCodeBlock(now.doc) || hasCodeBlock(old.doc)
              ? highlightDecorations(now.doc)
              : DecorationSet.empty,
      },
      props: { decorations: (state) => key.getState(state) },
    }),
  ],
});

function hasCodeBlock(doc: Node): boolean {
  let found = false;
  doc.descendants((node) => {
    found ||= node.type.name === 'codeBlock';
    return !found && !node.isTextblock;
  });
  return found;
}

function highlightDecorations(doc: Node): DecorationSet {
  const colors: Decoration[] = [];
  doc.descendants((node, position) => {
    if (node.type.name !== 'codeBlock') return !node.isTextblock;
    for (const { from, to, kind } of tokenizeCode(node.textContent, node.attrs['language'] as string | undefined))
      colors.push(Decoration.inline(position + 1 + from, position + 1 + to, { class: `code-${kind}` }));
    return false;
  });
  return colors.length === 0 ? DecorationSet.empty : DecorationSet.create(doc, colors);
}
