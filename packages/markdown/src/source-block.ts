import { Extension, Node } from '@tiptap/core';

/** Block types that can stand at the top level of a note. */
const blockTypes = [
  'paragraph',
  'heading',
  'bulletList',
  'orderedList',
  'taskList',
  'blockquote',
  'codeBlock',
  'horizontalRule',
  'image',
  'table',
  'sourceBlock',
];

/** Not read from HTML, so that pasted HTML cannot make a block be saved as something else than it shows. */
const hidden = { default: null, rendered: false, keepOnSplit: false, parseHTML: () => null };

/**
 * Attributes with which a block remembers the Markdown that it was parsed from. They live in the node, so that they
 * survive undo, moves and shared editing. `source` includes the white space up to the next block. `sourceHash` is
 * the hash of the block's normalized Markdown: once the block changes, the hashes differ and `source` is outdated.
 */
export const BlockSource = Extension.create({
  name: 'blockSource',
  addGlobalAttributes: () => [{ types: blockTypes, attributes: { source: hidden, sourceHash: hidden } }],
});

/** Markdown that no other block can represent, such as HTML and link definitions, edited as text. */
export const SourceBlock = Node.create({
  name: 'sourceBlock',
  group: 'block',
  content: 'text*',
  marks: '',
  code: true,
  defining: true,

  parseHTML: () => [{ tag: 'pre[data-source-block]', preserveWhitespace: 'full', priority: 60 }],
  renderHTML: () => ['pre', { 'data-source-block': '' }, ['code', 0]],
  renderMarkdown: ({ content }) => (content ?? []).map(({ text }) => text ?? '').join(''),

  addKeyboardShortcuts() {
    return {
      // Without this the caret could not leave a block at the end of the note.
      ArrowDown: ({ editor }) => {
        const { $from, empty } = editor.state.selection;
        const isAtEnd = empty && $from.parent.type === this.type && $from.parentOffset === $from.parent.content.size;
        return isAtEnd && $from.after() === editor.state.doc.content.size && editor.commands.exitCode();
      },
    };
  },
});
