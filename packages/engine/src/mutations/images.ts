import type { FloatImage } from '../document/objects/sheet-objects.ts';
import { laterWhenApart, hasIdentical, neverNoOp, touchesFloating } from './affected-parts.ts';
import { putObject, takeObject, type RemoveObject } from './object-lists.ts';
import { defineMutation, type MutationKind } from './define-mutation.ts';

interface PutImage {
  readonly sheet: string;
  /** The image to add. It replaces the image with the same id, if there is one. */
  readonly image: FloatImage;
  /** Index in the list of images at which a new image is inserted; the end if absent. */
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
    const [images, before] = putObject(sub.images, image, at, 'image');
    sub.images = images;
    return [before ? putImage.of({ sheet, image: before }) : removeImage.of({ sheet, id: image.id })];
  },
});

export const removeImage: MutationKind<RemoveObject> = defineMutation({
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
  isNoOp: neverNoOp,
  beside: laterWhenApart,
  apply: (document, { sheet, id }) => {
    const sub = document.subSheet(sheet);
    const { rest, object, at } = takeObject(sub.images, id, 'image');
    sub.images = rest;
    return [putImage.of({ sheet, image: object, at })];
  },
});
