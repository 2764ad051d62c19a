import { Image } from '@tiptap/extension-image';
import { pictureAddress } from '../lib/pictures.ts';
import { language, textIn } from '../text/use-text.ts';

/** An image that is loaded only from permitted addresses. The Markdown keeps the address in any case. */
export const GuardedImage = Image.extend({
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
    const address = pictureAddress(src as string | null, location.href);
    if (address !== undefined) return ['img', { ...attributes, src: address }];
    // Keeps the address through copy and paste within the editor.
    return ['img', { ...attributes, 'data-address': src as string, title: textIn(language.get())('pictureNotLoaded') }];
  },
});
