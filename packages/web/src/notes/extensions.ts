import { TaskList } from '@tiptap/extension-list';
import { TableKit } from '@tiptap/extension-table';
import { Markdown } from '@tiptap/markdown';
import { ColoredCode } from './colored-code.ts';
import { GuardedImage } from './guarded-image.ts';
import {
  KeptCell,
  KeptHeaderCell,
  KeptKit,
  KeptListItem,
  KeptOrderedList,
  KeptTaskItem,
  LineBreak,
} from './kept-blocks.ts';
import { MathBlock, MathNode } from './math-nodes.ts';

/** The editor's schema: all that Markdown can express here. Nothing outside it becomes an element of the page. */
export const extensions = [
  KeptKit.configure({
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
  KeptListItem,
  KeptOrderedList,
  LineBreak,
  TaskList,
  KeptTaskItem,
  TableKit.configure({ table: { resizable: false }, tableCell: false, tableHeader: false }),
  KeptCell,
  KeptHeaderCell,
  GuardedImage,
  ColoredCode,
  MathNode,
  MathBlock,
  Markdown,
];
