/**
 * This file defines the upload links that the operation `pre_import` returns. It is used by the code that signs a link
 * and by the code that receives the file.
 */

/**
 * Content type in a signed link that marks it as an upload link and not a download link. Anyone who has the link may
 * upload one file, once.
 */
export const uploadType = 'application/x-sheaf-upload';
export const maxUploadBytes = 64 * 2 ** 20;
export const uploadSeconds = 60 * 60;
/** Lifetime in seconds of an upload URL that is signed for a file of known size. */
export const sizedUploadSeconds = 15 * 60;

const shape = /^imports\/([A-Za-z0-9_-]{1,64})\/[A-Za-z0-9_-]{1,64}$/;

export function uploadKey(userId: string, id: string): string {
  return `imports/${userId}/${id}`;
}

/** Returns the user id in an upload key, or undefined if the key is not an upload key. */
export function uploaderOf(key: string): string | undefined {
  return shape.exec(key)?.[1];
}

const sizeMark = '-size-';

/**
 * Adds a size in bytes to the id of an upload, which then accepts only a file of this size. The id is part of the
 * upload key, and the link's signature covers the key, so clients cannot change the size.
 */
export function withUploadSize(id: string, size: number): string {
  return `${id}${sizeMark}${size}`;
}

/** Returns the file size that an upload key permits; undefined if it permits any size. */
export function uploadSizeOf(key: string): number | undefined {
  const size = key.split(sizeMark)[1];
  return size === undefined ? undefined : Number(size);
}
