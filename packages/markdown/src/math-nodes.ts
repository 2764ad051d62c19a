import { Extension, Node } from '@tiptap/core';
import {
  findMathBlockStart,
  findMathStart,
  formulaToMarkdown,
  parseInlineMath,
  parseMathBlock,
  type Formula,
} from './math-syntax.ts';

export const formulaOf = (attributes: Record<string, unknown> | undefined): Formula => ({
  tex: (attributes?.['tex'] as string | undefined) ?? '',
  isDisplay: attributes?.['isDisplay'] === true,
});

/** An inline formula, which the caret treats as a single character. */
export const MathNode = Node.create({
  name: 'math',
  group: 'inline',
  inline: true,
  atom: true,
  priority: 50,

  addAttributes: () => ({ tex: { default: '' }, isDisplay: { default: false } }),

  parseHTML: () => [
    {
      tag: 'span[data-tex]',
      getAttrs: (element) => ({
        tex: element.getAttribute('data-tex') ?? '',
        isDisplay: element.hasAttribute('data-display'),
      }),
    },
  ],

  renderHTML({ node }) {
    const formula = formulaOf(node.attrs);
    const marks = { 'data-math': 'source', 'data-tex': formula.tex, ...(formula.isDisplay && { 'data-display': '' }) };
    return ['span', marks, formulaToMarkdown(formula)];
  },

  renderText: ({ node }) => formulaToMarkdown(formulaOf(node.attrs)),

  markdownTokenName: 'math',
  markdownTokenizer: {
    name: 'math',
    level: 'inline',
    start: findMathStart,
    tokenize: (source) => parseInlineMath(source),
  },
  parseMarkdown: ({ tex, isDisplay }, helpers) => helpers.createNode('math', { tex, isDisplay }),
  renderMarkdown: ({ attrs }) => formulaToMarkdown(formulaOf(attrs)),
});

/** Parses a block enclosed in `$$` as a paragraph with one formula node. The formula is kept unchanged. */
export const MathBlock = Extension.create({
  name: 'mathBlock',
  markdownTokenName: 'mathBlock',
  markdownTokenizer: {
    name: 'mathBlock',
    level: 'block',
    start: findMathBlockStart,
    tokenize: (source) => parseMathBlock(source),
  },
  parseMarkdown: ({ tex, isDisplay }, helpers) =>
    helpers.createNode('paragraph', {}, [helpers.createNode('math', { tex, isDisplay })]),
});
