import { inflateRawSync } from 'node:zlib';
import type { KeptPart } from '@sheaf/engine/internal/document';

/**
 * Returns the bytes of a part stored unchanged from the imported file, or undefined if the part is missing or larger
 * than `most` bytes.
 */
export function keptBytes(part: KeptPart | undefined, most: number): Uint8Array | undefined {
  if (!part) return undefined;
  try {
    return inflateRawSync(Buffer.from(part.data, 'base64'), { maxOutputLength: most });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}

/**
 * Returns the text of a part stored unchanged from the imported file, or an empty string if the part is missing or too
 * large to display.
 */
export function keptText(part: KeptPart | undefined): string {
  const bytes = keptBytes(part, 4 * 2 ** 20);
  return bytes ? new TextDecoder().decode(bytes) : '';
}
