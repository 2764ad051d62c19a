import { Image } from '@tiptap/extension-image';
import { pictureAddress } from '../lib/pictures.ts';
import { language, textIn } from '../text/use-text.ts';

/** A picture that is fetched only from where it may be. The text keeps its address, whatever that is. */
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
    // Copied out of the editor and pasted again it is still the same picture.
    return ['img', { ...attributes, 'data-address': src as string, title: textIn(language.get())('pictureNotLoaded') }];
  },
});
