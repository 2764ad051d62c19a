/** What an address of pre_import allows, known to the one who makes it and the one who takes the bytes. */

/** A link of this kind lets its holder put a file, once, and nothing else. */
export const uploadType = 'application/x-sheaf-upload';
export const maxUploadBytes = 64 * 2 ** 20;
export const uploadSeconds = 60 * 60;

const shape = /^imports\/([A-Za-z0-9_-]{1,64})\/[A-Za-z0-9_-]{1,64}$/;

export function uploadKey(userId: string, id: string): string {
  return `imports/${userId}/${id}`;
}

/** The user an upload's key belongs to; undefined when it is no such key. */
export function uploaderOf(key: string): string | undefined {
  return shape.exec(key)?.[1];
}
