import { Extension } from '@tiptap/react';
import type { Node } from '@tiptap/pm/model';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { coloredParts } from './code-colors.ts';

const key = new PluginKey<DecorationSet>('colored-code');

/** Syntax highlighting of code blocks, as decorations that are not part of the text. */
export const ColoredCode = Extension.create({
  name: 'coloredCode',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: {
        init: (_config, { doc }) => colorsIn(doc),
        apply: (change, before, old, now) =>
          !change.docChanged ? before : hasCode(now.doc) || hasCode(old.doc) ? colorsIn(now.doc) : DecorationSet.empty,
      },
      props: { decorations: (state) => key.getState(state) },
    }),
  ],
});

function hasCode(doc: Node): boolean {
  let found = false;
  doc.descendants((node) => {
    found ||= node.type.name === 'codeBlock';
    return !found && !node.isTextblock;
  });
  return found;
}

function colorsIn(doc: Node): DecorationSet {
  const colors: Decoration[] = [];
  doc.descendants((node, position) => {
    if (node.type.name !== 'codeBlock') return !node.isTextblock;
    for (const { from, to, kind } of coloredParts(node.textContent, node.attrs['language'] as string | undefined))
      colors.push(Decoration.inline(position + 1 + from, position + 1 + to, { class: `code-${kind}` }));
    return false;
  });
  return colors.length === 0 ? DecorationSet.empty : DecorationSet.create(doc, colors);
}
