import { Extension, Node } from '@tiptap/core';

/** Types of the nodes that can be top-level blocks of a note. Each of them gets attributes for its Markdown source. */
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

/**
 * Definition of an attribute that is never read from HTML: pasted HTML could otherwise make a block save text that
 * differs from what it shows.
 */
const hidden = { default: null, rendered: false, keepOnSplit: false, parseHTML: () => null };

/**
 * Adds attributes that store the Markdown a block was parsed from. `source` includes the white space up to the next
 * block. `sourceHash` is the hash of the block's normalized Markdown: if it differs from the current hash, the block
 * has changed and `source` is outdated.
 */
export const BlockSourceAttributes = Extension.create({
  name: 'blockSource',
  addGlobalAttributes: () => [{ types: blockTypes, attributes: { source: hidden, sourceHash: hidden } }],
});

/**
 * A block of Markdown that no other node can represent, such as HTML or link definitions; it is edited as plain text.
 */
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
      // Arrow down exits a source block at the end of the note; without this the caret could not leave it.
      ArrowDown: ({ editor }) => {
        const { $from, empty } = editor.state.selection;
        const isAtEnd = empty && $from.parent.type === this.type && $from.parentOffset === $from.parent.content.size;
        return isAtEnd && $from.after() === editor.state.doc.content.size && editor.commands.exitCode();
      },
    };
  },
});
