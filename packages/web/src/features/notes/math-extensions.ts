import { InputRule, type Editor } from '@tiptap/react';
import { NodeSelection } from '@tiptap/pm/state';
import { MathNode, formulaOf } from '@sheaf/markdown/math-nodes';
import { formulaToMarkdown, parseInlineMath, type Formula } from '@sheaf/markdown/math-syntax';
import { language, translatorFor } from '../../i18n/use-translation.ts';
import { renderMathLazily } from './lazy-math-renderer.ts';

/**
 * Editor node that shows a rendered formula. A click on it, or Enter while it is selected, opens its TeX source for
 * editing.
 */
export const EditableMath = MathNode.extend({
  addNodeView() {
    return ({ node, editor, getPos }) => {
      const dom = document.createElement('span');
      const formula = formulaOf(node.attrs);
      dom.dataset['math'] = 'source';
      dom.textContent = formulaToMarkdown(formula);
      void renderMathLazily(dom, formula);
      dom.addEventListener('click', () => {
        const at = getPos();
        if (editor.isEditable && at !== undefined) void editFormula(editor, at);
      });
      return { dom, ignoreMutation: () => true };
    };
  },

  addKeyboardShortcuts() {
    return {
      Enter: ({ editor }) => {
        const { selection } = editor.state;
        if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'math') return false;
        void editFormula(editor, selection.from);
        return true;
      },
    };
  },

  addInputRules() {
    // Convert typed TeX into a formula only after the user has typed another character after the closing `$`. This
    // character distinguishes a formula from prices such as `$5 and $6`.
    const find = (text: string) => {
      const end = text.length - 1;
      if (text[end] === '$' || text[end - 1] !== '$') return null;
      for (let at = text.lastIndexOf('$', end - 2); at >= 0; at = text.lastIndexOf('$', at - 1)) {
        const from = text[at - 1] === '$' ? at - 1 : at;
        if (text[from - 1] === '\\') return null;
        const found = parseInlineMath(text.slice(from));
        if (found?.raw.length === end - from) return { index: from, text: text.slice(from), data: found };
        if (from === at) return null;
      }
      return null;
    };
    return [
      new InputRule({
        find,
        handler: ({ state, range, match }) => {
          const { tex, isDisplay } = match.data as unknown as Formula;
          const last = match[0].at(-1)!;
          const math = state.schema.nodes['math']!.create({ tex, isDisplay });
          state.tr.replaceWith(range.from, range.to, [math, state.schema.text(last)]);
        },
      }),
    ];
  },
});

/**
 * Asks the user for the TeX of the formula at a position and updates the formula, or deletes it if the TeX is empty.
 * Without a position, inserts a new formula at the caret.
 */
export async function editFormula(editor: Editor, at?: number): Promise<void> {
  const text = translatorFor(language.get());
  const before = at === undefined ? undefined : formulaOf(editor.state.doc.nodeAt(at)?.attrs);
  const initial = before?.tex.replaceAll(/\s*\n\s*/g, ' ').trim() ?? '';
  // The dialog is imported on demand, because a worker without a DOM also loads this module.
  const { promptText } = await import('../../ui/prompt-dialog.tsx');
  const tex = await promptText({
    title: text('mathFormula'),
    label: text('formulaTex'),
    initial,
    mayBeEmpty: before !== undefined,
    action: text('save'),
  });
  if (editor.isDestroyed) return;
  const isSame = tex === undefined || tex === initial;
  if (at === undefined) {
    if (!isSame)
      editor
        .chain()
        .focus()
        .insertContent({ type: 'math', attrs: { tex: safe(tex) } })
        .run();
    return;
  }
  const node = editor.state.doc.nodeAt(at);
  if (isSame || node?.type.name !== 'math') {
    editor.commands.focus();
    return;
  }
  const attrs = { tex: safe(tex), isDisplay: before?.isDisplay };
  const range = { from: at, to: at + node.nodeSize };
  if (tex === '') editor.chain().focus().deleteRange(range).run();
  else editor.chain().focus().insertContentAt(range, { type: 'math', attrs }).run();
}

/** Escapes dollar signs, which would end the formula. Existing escapes are unchanged. */
function safe(tex: string): string {
  return tex.replaceAll(/(\\[^])|\$/g, (sign, escaped?: string) => escaped ?? `\\${sign}`);
}
