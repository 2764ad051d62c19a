import type { Extensions } from '@tiptap/core';
import { TaskList } from '@tiptap/extension-list';
import { TableKit } from '@tiptap/extension-table';
import { BlockImage, InlineImage } from './image-nodes.ts';
import {
  LineBreak,
  MarkdownListItem,
  MarkdownOrderedList,
  MarkdownStarterKit,
  MarkdownTable,
  MarkdownTableCell,
  MarkdownTableHeader,
  MarkdownTaskItem,
} from './markdown-blocks.ts';
import { MathBlock, MathNode } from './math-nodes.ts';
import { BlockSourceAttributes, SourceBlock } from './source-block.ts';

/**
 * The editor schema of notes, limited to elements that Markdown can express. Other elements of pasted or loaded content
 * are dropped. The editor in the browser replaces some of these extensions, by name, with interactive ones.
 */
export const noteExtensions: Extensions = [
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
  TableKit.configure({ table: false, tableCell: false, tableHeader: false }),
  MarkdownTable.configure({ resizable: false }),
  MarkdownTableCell,
  MarkdownTableHeader,
  BlockImage,
  InlineImage,
  MathNode,
  MathBlock,
  SourceBlock,
  BlockSourceAttributes,
];
