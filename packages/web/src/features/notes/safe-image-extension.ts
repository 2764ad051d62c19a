import { Image } from '@tiptap/extension-image';
import { safeImageUrl } from '../../lib/safe-image-url.ts';
import { language, translatorFor } from '../../i18n/use-translation.ts';

/**
 * An image that is loaded only from permitted addresses. The Markdown retains the address even if the image is not
 * loaded.
 */
export const SafeImage = Image.extend({
  addAttributes() {
    return {
      ...this.parent?.(),
      src: {
        default: null,
        parseHTML: (element) => element.getAttribute('src') ?? element.getAttribute('data-address'),
      },
    };
  },

  parseHTML() {
    return [...(this.parent?.() ?? []), { tag: 'img[data-address]' }];
  },

  renderHTML({ HTMLAttributes: { src, ...attributes } }) {
    const address = safeImageUrl(src as string | null, location.href);
    if (address !== undefined) return ['img', { ...attributes, src: address }];
    // The blocked image has no `src`; `data-address` preserves its address through copy and paste within the editor.
    return [
      'img',
      { ...attributes, 'data-address': src as string, title: translatorFor(language.get())('pictureNotLoaded') },
    ];
  },
});
