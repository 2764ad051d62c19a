import type { FloatImage } from '../document/objects/objects.ts';
import { needIndex } from './lists.ts';
import { alwaysChanges, besideLater } from './facts.ts';
import { defineMutation, type MutationKind } from './mutation.ts';
import { putImage } from './put-image.ts';

export interface RemoveImage {
  readonly sheet: string;
  readonly id: string;
}

export const removeImage: MutationKind<RemoveImage> = defineMutation({
  type: 23,
  name: 'remove_image',
  scope: 'objects',
  touches: ({ sheet, id }) => [{ sheet, object: `image ${id}` }],
  isNoOp: alwaysChanges,
  beside: besideLater,
  apply: (document, { sheet, id }) => {
    const sub = document.subSheet(sheet);
    const at = needIndex(sub.images, id, 'image');
    const image = sub.images[at] as FloatImage;
    sub.images = sub.images.toSpliced(at, 1);
    return [putImage.of({ sheet, image, at })];
  },
});
