import type { BlobStore } from '../../ports/blob-store.ts';

export type CompleteUpload = Parameters<BlobStore['completeUpload']>;

export const uploadIdForm = /^upload_[0-9a-z]+$/;

/**
 * Returns the total size in bytes of `parts`, from which an upload is to be assembled. Returns undefined if the list is
 * empty, if a part is not among the stored parts `held`, if its ETag differs, or if the part numbers do not ascend.
 */
export function sizeOfParts(
  held: readonly { part: number; etag: string; size: number }[],
  parts: readonly { part: number; etag: string }[],
): number | undefined {
  const known = new Map(held.map((part) => [part.part, part]));
  let size = 0;
  let before = 0;
  for (const { part, etag } of parts) {
    const match = known.get(part);
    if (match?.etag !== etag || part <= before) return undefined;
    before = part;
    size += match.size;
  }
  return parts.length === 0 ? undefined : size;
}
