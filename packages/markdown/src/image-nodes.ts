import type { JSONContent } from '@tiptap/core';
import { Image } from '@tiptap/extension-image';

/** Image node that is a block of its own, not part of a line of text. */
export const BlockImage = Image;

/**
 * Image node within a line of text. Pasted HTML images become block images, because only `img[data-inline]` is parsed
 * as this node.
 */
export const InlineImage = Image.extend({
  name: 'inlineImage',
  markdownTokenName: 'inlineImage',
  addCommands: () => ({}),
  addInputRules: () => [],
  parseHTML: () => [{ tag: 'img[data-inline]', priority: 60 }],
  addAttributes() {
    return {
      ...this.parent?.(),
      inline: { default: null, parseHTML: () => null, renderHTML: () => ({ 'data-inline': '' }) },
    };
  },
  // The link of an image is serialized here, because the serializer writes marks, such as links, around text nodes
  // only.
  renderMarkdown(node, helpers, context) {
    const image = this.parent?.(node, helpers, context) ?? '';
    const attrs = node.marks?.find(({ type }) => type === 'link')?.attrs;
    if (!attrs) return image;
    const title = attrs['title'] ? ` "${String(attrs['title'])}"` : '';
    return `[${image}](${String(attrs['href'])}${title})`;
  },
}).configure({ inline: true });

const textBlocks = ['paragraph', 'heading'];

/**
 * Converts the images inside text blocks to inline image nodes, in place. The parser creates block images everywhere.
 */
export function convertInlineImages(node: JSONContent): void {
  const isText = textBlocks.includes(node.type ?? '');
  for (const child of node.content ?? []) {
    if (isText && child.type === 'image') child.type = 'inlineImage';
    convertInlineImages(child);
  }
}
