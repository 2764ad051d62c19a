import { TaskItem, TaskList } from '@tiptap/extension-list';
import { TableKit } from '@tiptap/extension-table';
import { Markdown } from '@tiptap/markdown';
import { StarterKit } from '@tiptap/starter-kit';
import { ColoredCode } from './colored-code.ts';
import { GuardedImage } from './guarded-image.ts';
import { MathBlock, MathNode } from './math-nodes.ts';

/** What Markdown can say here. Whatever is not in it never becomes an element of the page. */
export const extensions = [
  StarterKit.configure({
    underline: false,
    trailingNode: false,
    link: {
      openOnClick: false,
      autolink: true,
      defaultProtocol: 'https',
      HTMLAttributes: { rel: 'noopener noreferrer nofollow', target: '_blank' },
    },
  }),
  TaskList,
  TaskItem.configure({ nested: true }),
  TableKit.configure({ table: { resizable: false } }),
  GuardedImage,
  ColoredCode,
  MathNode,
  MathBlock,
  Markdown,
];
