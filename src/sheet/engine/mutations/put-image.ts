import type { FloatImage } from '../document/objects/objects.ts';
import { added } from './lists.ts';
import { besideLater, isAmong } from './facts.ts';
import { defineMutation, type MutationKind } from './mutation.ts';
import { removeImage } from './remove-image.ts';

export interface PutImage {
  readonly sheet: string;
  /** One with the same id is replaced where it stands. */
  readonly image: FloatImage;
  /** Its place among the images; the end when absent. */
  readonly at?: number;
}

export const putImage: MutationKind<PutImage> = defineMutation({
  type: 22,
  name: 'put_image',
  scope: 'objects',
  touches: ({ sheet, image }) => [{ sheet, object: `image ${image.id}` }],
  isNoOp: ({ sheet, image }, document) => isAmong(document.subSheet(sheet).images, image),
  beside: besideLater,
  apply: (document, { sheet, image, at }) => {
    const sub = document.subSheet(sheet);
    const index = sub.images.findIndex((one) => one.id === image.id);
    const before = sub.images[index];
    if (before) {
      sub.images = sub.images.with(index, image);
      return [putImage.of({ sheet, image: before })];
    }
    sub.images = added(sub.images, image, at, 'image');
    return [removeImage.of({ sheet, id: image.id })];
  },
});
