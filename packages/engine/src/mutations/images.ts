import type { FloatImage } from '../document/objects/sheet-objects.ts';
import { laterWhenApart, hasIdentical, alwaysChanges, touchesFloating } from './touches.ts';
import { insertObject, requireIndex } from './object-lists.ts';
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
  isNoOp: ({ sheet, image }, document) => hasIdentical(document.subSheet(sheet).images, image),
  beside: laterWhenApart,
  apply: (document, { sheet, image, at }) => {
    const sub = document.subSheet(sheet);
    const index = sub.images.findIndex((one) => one.id === image.id);
    const before = sub.images[index];
    if (before) {
      sub.images = sub.images.with(index, image);
      return [putImage.of({ sheet, image: before })];
    }
    sub.images = insertObject(sub.images, image, at, 'image');
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
  beside: laterWhenApart,
  apply: (document, { sheet, id }) => {
    const sub = document.subSheet(sheet);
    const at = requireIndex(sub.images, id, 'image');
    const image = sub.images[at] as FloatImage;
    sub.images = sub.images.toSpliced(at, 1);
    return [putImage.of({ sheet, image, at })];
  },
});
