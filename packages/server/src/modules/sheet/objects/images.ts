import type { Context } from '../../../context.ts';
import { decodeBase64 } from '../../../lib/base64.ts';
import { newId } from '../../../lib/ids.ts';
import { fail } from '../../../kernel/errors.ts';
import { invalid, overLimit } from '../errors.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import type { StoredImage } from '../../../ports/sheet-store.ts';
import { storeCountedBlob } from '../document-storage.ts';

const contentTypes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};
const maxPixels = 100_000_000;

/** Decodes a base64 image and checks its size and file header. */
export async function decodeImage(
  ownerId: string,
  base64: string,
  maxBytes: number,
): Promise<{ image: StoredImage; bytes: Uint8Array }> {
  const bytes = await decodeBase64Content(base64);
  if (bytes.length > maxBytes) throw overLimit(`content: must be at most ${maxBytes} bytes (got ${bytes.length})`);
  const { imageSize } = await import('image-size');
  let size;
  try {
    size = imageSize(bytes);
  } catch (error) {
    throw fail('invalid_parameter', 'content: must be a PNG, JPEG, GIF or WebP image; its header is not one', {
      cause: error,
    });
  }
  const contentType = contentTypes[size.type ?? ''];
  if (!contentType)
    throw invalid(`content: must be a PNG, JPEG, GIF or WebP image (got ${size.type ?? 'something else'})`);
  if (!(size.width > 0 && size.height > 0) || size.width * size.height > maxPixels) {
    throw overLimit(`content: must have 1 to ${maxPixels} pixels (got ${size.width} x ${size.height})`);
  }
  const id = newId('img');
  const image: StoredImage = {
    id,
    ownerId,
    blobKey: `images/${id}`,
    contentType,
    width: size.width,
    height: size.height,
    size: bytes.length,
  };
  return { image, bytes };
}

/**
 * Stores an image. `stamp` (who acts, and when) goes to the audit log; it is null if a later write of the same call
 * records its stamp there.
 */
export async function saveImage(
  context: Context,
  stamp: Stamp | null,
  image: StoredImage,
  bytes: Uint8Array,
): Promise<void> {
  const object = { userId: image.ownerId, key: image.blobKey, bytes, field: 'content' };
  await storeCountedBlob(context, object, () => context.sheets.addImage(stamp, image, context.stamp.at));
}

const maxPrefixLength = 256;

/** Decodes base64, with or without a `data:` URL prefix. */
export async function decodeBase64Content(text: string): Promise<Buffer> {
  const prefix = /^data:[a-z]+\/[a-z0-9.+-]+;base64,/i.exec(text.slice(0, maxPrefixLength));
  const bytes = await decodeBase64(prefix ? text.slice(prefix[0].length) : text);
  if (!bytes || bytes.length === 0) throw invalid('content: must be base64');
  return bytes;
}
