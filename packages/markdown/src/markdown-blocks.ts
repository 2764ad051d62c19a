import { ListItem, OrderedList, TaskItem } from '@tiptap/extension-list';
import { Table, TableCell, TableHeader, renderTableToMarkdown } from '@tiptap/extension-table';
import {
  Extension,
  type Extensions,
  type JSONContent,
  type MarkdownRendererHelpers,
  type MarkdownToken,
  type Node,
} from '@tiptap/core';
import { StarterKit } from '@tiptap/starter-kit';

/*
 * Blocks restricted to what Markdown can represent, so that the document survives a round trip through Markdown. Cells
 * and headings are a single line of text. The blocks of a list item are separated by blank lines, so that none is
 * parsed as part of the previous one.
 */

export const MarkdownTableCell = TableCell.extend({ content: 'paragraph' });
export const MarkdownTableHeader = TableHeader.extend({ content: 'paragraph' });

/**
 * Table node serialized without padding. With padding, an edit in one cell would change every line of the table and
 * conflict with concurrent edits of other cells.
 */
export const MarkdownTable = Table.extend({
  renderMarkdown: (node, helpers) => {
    const [lead, head, delimiter, ...rows] = renderTableToMarkdown(node, helpers).split('\n');
    if (lead === undefined || head === undefined || delimiter === undefined) return '';
    return [lead, head, delimiter.replace(/-+/g, '---'), ...rows]
      .map((line) => line.replace(/ +(?= \|)/g, ''))
      .join('\n');
  },
});

/** Parses `<br>` as a line break, because table cells cannot contain a newline. */
export const LineBreak = Extension.create({
  name: 'lineBreak',
  markdownTokenName: 'lineBreak',
  markdownTokenizer: {
    name: 'lineBreak',
    level: 'inline',
    start: (source) => source.search(/<br\s*\/?>/i),
    tokenize: (source) => {
      const raw = /^<br\s*\/?>/i.exec(source)?.[0];
      return raw === undefined ? undefined : { type: 'lineBreak', raw };
    },
  },
  parseMarkdown: (_token, helpers) => helpers.createNode('hardBreak'),

  addKeyboardShortcuts() {
    return {
      // A table cell holds only one paragraph, so Enter inserts a line break.
      Enter: ({ editor }) => editor.isActive('table') && editor.commands.setHardBreak(),
    };
  },
});

/**
 * Matches markers at the start of a line that Markdown would parse as another kind of block. Such markers are escaped.
 */
const blockMarkers =
  /^([ \t]*)([-+](?=[ \t]|$)|#{1,6}(?=[ \t]|$)|=+(?=[ \t]*$)|-{2,}(?=[ \t]*$)|\d{1,9}(?=[.)](?:[ \t]|$)))/gm;

function escapingParagraph(paragraph: Node): Node {
  return paragraph.extend({
    renderMarkdown(node, helpers, context) {
      const written = this.parent?.(node, helpers, context) ?? '';
      // A paragraph with a display formula is written without escapes, because a backslash would become part of the
      // formula.
      if (node.content?.some(({ type }) => type === 'math') && written.includes('$$')) return written;
      return written.replace(blockMarkers, (_all, lead: string, signs: string) =>
        /\d/.test(signs) ? `${lead}${signs}\\` : `${lead}\\${signs}`,
      );
    },
  });
}

export const MarkdownStarterKit = StarterKit.extend({
  addExtensions(): Extensions {
    return (this.parent?.() ?? []).map((each) => {
      if (each.name === 'paragraph') return escapingParagraph(each as Node);
      return each.name === 'heading' ? (each as Node).extend({ content: '(text | math | inlineImage)*' }) : each;
    });
  },
});

const isList = ({ type = '' }: JSONContent): boolean => ['bulletList', 'orderedList', 'taskList'].includes(type);

export const MarkdownListItem = ListItem.extend({
  parseMarkdown(token, helpers) {
    const tokens = token.tokens ?? [];
    if (token.type !== 'list_item' || !tokens.some(({ type }) => type === 'text'))
      return this.parent?.(token, helpers) ?? [];
    const blocks = tokens.flatMap((each: MarkdownToken) => {
      if (each.type === 'space') return [];
      if (each.type !== 'text') return (helpers.parseBlockChildren ?? helpers.parseChildren)([each]);
      return helpers.createNode('paragraph', {}, helpers.parseInline(each.tokens ?? [each]));
    });
    return helpers.createNode(
      'listItem',
      {},
      blocks[0]?.type === 'paragraph' ? blocks : [{ type: 'paragraph' }, ...blocks],
    );
  },

  renderMarkdown(node, helpers, context) {
    return renderListItem(node, helpers, (one) => this.parent?.(one, helpers, context) ?? '');
  },
});

export const MarkdownTaskItem = TaskItem.extend({
  renderMarkdown(node, helpers, context) {
    return renderListItem(node, helpers, (one) => this.parent?.(one, helpers, context) ?? '');
  },
}).configure({ nested: true });

function renderListItem(
  node: JSONContent,
  helpers: MarkdownRendererHelpers,
  write: (node: JSONContent) => string,
): string {
  const blocks = node.content ?? [];
  // If the first block of a list item is followed only by nested lists, no blank lines are needed between the blocks.
  if (blocks.slice(1).every(isList)) return write(node);
  const first = write({ ...node, content: blocks.slice(0, 1) });
  const indent = ' '.repeat(/^(?:[-+*]|\w+[.)]) /.exec(first)?.[0].length ?? 2);
  const others = blocks.slice(1).map((block) => helpers.renderChildren([block]).replace(/^\n+|\n+$/g, ''));
  return [first, ...others.map((text) => text.replace(/^(?=.)/gm, indent))].join('\n\n');
}

/** Parses numbered lists as standard Markdown. Lists numbered with letters are left to Tiptap's own parser. */
export const MarkdownOrderedList = OrderedList.extend({
  parseMarkdown(token, helpers) {
    if (token.type !== 'list' || !token.ordered || token.items?.[0]?.type !== 'list_item' || 'typeMarker' in token)
      return this.parent?.(token, helpers) ?? [];
    const start = Number(token.start ?? 1);
    return helpers.createNode('orderedList', start === 1 ? {} : { start }, helpers.parseChildren(token.items));
  },
  markdownTokenizer: {
    ...OrderedList.config.markdownTokenizer!,
    tokenize: (source, tokens, lexer) =>
      /^ {0,3}\d/.test(source) ? undefined : OrderedList.config.markdownTokenizer?.tokenize(source, tokens, lexer),
  },
});
