import { BlockImage, InlineImage } from '@sheaf/markdown/image-nodes';
import { safeImageUrl } from '../../lib/safe-image-url.ts';
import { language, translatorFor } from '../../i18n/use-translation.ts';

const srcAttribute = {
  default: null,
  parseHTML: (element: HTMLElement) => element.getAttribute('src') ?? element.getAttribute('data-address'),
};

function renderImage(src: string | null, attributes: Record<string, unknown>): [string, Record<string, unknown>] {
  const address = safeImageUrl(src, location.href);
  if (address !== undefined) return ['img', { ...attributes, src: address }];
  // Render a blocked image without `src`, so that the browser does not load it. `data-address` keeps its URL during
  // copy and paste in the editor.
  return ['img', { ...attributes, 'data-address': src, title: translatorFor(language.get())('pictureNotLoaded') }];
}

/** An image that is loaded only from permitted URLs. The Markdown keeps the URL even if the image is not loaded. */
export const SafeImage = BlockImage.extend({
  addAttributes() {
    return { ...this.parent?.(), src: srcAttribute };
  },
  parseHTML() {
    return [...(this.parent?.() ?? []), { tag: 'img[data-address]' }];
  },
  renderHTML: ({ HTMLAttributes: { src, ...attributes } }) => renderImage(src as string | null, attributes),
});

export const SafeInlineImage = InlineImage.extend({
  addAttributes() {
    return { ...this.parent?.(), src: srcAttribute };
  },
  renderHTML: ({ HTMLAttributes: { src, ...attributes } }) => renderImage(src as string | null, attributes),
});
