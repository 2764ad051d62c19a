import type { FloatImage } from '../document/objects/objects.ts';
import { besideLater, isAmong, alwaysChanges, touchesFloating } from './facts.ts';
import { added, needIndex } from './lists.ts';
import { defineMutation, type MutationKind } from './mutation.ts';

export interface PutImage {
  readonly sheet: string;
  /** Replaces the image with the same id, if there is one. */
  readonly image: FloatImage;
  /** Index among the images; the end if absent. */
  readonly at?: number;
}

export const putImage: MutationKind<PutImage> = defineMutation({
  type: 22,
  name: 'put_image',
  scope: 'objects',
  touches: ({ sheet, image }, document) => {
    const sub = document.subSheet(sheet);
    return touchesFloating(
      sub,
      `image ${image.id}`,
      image,
      sub.images.find(({ id }) => id === image.id),
    );
  },
  place: () => [],
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

export interface RemoveImage {
  readonly sheet: string;
  readonly id: string;
}

export const removeImage: MutationKind<RemoveImage> = defineMutation({
  type: 23,
  name: 'remove_image',
  scope: 'objects',
  touches: ({ sheet, id }, document) => {
    const sub = document.subSheet(sheet);
    return touchesFloating(
      sub,
      `image ${id}`,
      sub.images.find((one) => one.id === id),
    );
  },
  place: () => [],
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
