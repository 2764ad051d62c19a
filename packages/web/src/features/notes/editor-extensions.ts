import { TaskList } from '@tiptap/extension-list';
import { TableKit } from '@tiptap/extension-table';
import { Markdown } from '@tiptap/markdown';
import { SyntaxHighlight } from './syntax-highlight-extension.ts';
import { SafeImage } from './safe-image-extension.ts';
import {
  MarkdownTableCell,
  MarkdownTableHeader,
  MarkdownStarterKit,
  MarkdownListItem,
  MarkdownOrderedList,
  MarkdownTaskItem,
  LineBreak,
} from './markdown-blocks.ts';
import { MathBlock, MathNode } from './math-extensions.ts';

/**
 * The editor's schema: the elements that can be written as Markdown. Anything else in pasted or loaded content is
 * dropped.
 */
export const editorExtensions = [
  MarkdownStarterKit.configure({
    underline: false,
    trailingNode: false,
    listItem: false,
    orderedList: false,
    link: {
      openOnClick: false,
      autolink: true,
      defaultProtocol: 'https',
      HTMLAttributes: { rel: 'noopener noreferrer nofollow', target: '_blank' },
    },
  }),
  MarkdownListItem,
  MarkdownOrderedList,
  LineBreak,
  TaskList,
  MarkdownTaskItem,
  TableKit.configure({ table: { resizable: false }, tableCell: false, tableHeader: false }),
  MarkdownTableCell,
  MarkdownTableHeader,
  SafeImage,
  SyntaxHighlight,
  MathNode,
  MathBlock,
  Markdown,
];
