import { damaged, FormatError } from './format-error.ts';
import { decodeFormat, type FormatKind } from './formats.ts';
import { defaultLimits, type DecodedFile, type DecodeJob, type DecodeSettings } from './decode-types.ts';

export { FormatError } from './format-error.ts';
export type { FormatErrorCode } from './format-error.ts';
export { formatKinds, checkFormat, type FormatKind } from './formats.ts';
export { identify } from './text/identify.ts';
export { formatCheckBytes, type FormatCheckResult } from './text/format-checks.ts';
export { defaultLimits } from './decode-types.ts';
export type { Attachment, DecodedFile, DecodedMeta, Heading, DecodeLimits } from './decode-types.ts';

export interface DecodeOptions extends DecodeSettings {
  kind: FormatKind;
}

/**
 * Extracts the text of a file; throws only FormatError. Hostile input can still cost much time and memory, so call this
 * in a separate process with limits on both.
 */
export async function decode(bytes: Uint8Array, options: DecodeOptions): Promise<DecodedFile> {
  const job: DecodeJob = { ...options, limits: { ...defaultLimits, ...options.limits } };
  try {
    if (bytes.length === 0) throw damaged('it is empty');
    return withRemark(await decodeFormat(options.kind, plain(bytes), job));
  } catch (error) {
    if (error instanceof FormatError) throw error;
    if (error instanceof RangeError && /call stack/i.test(error.message))
      throw damaged('it is nested too deeply', error);
    throw damaged('its contents cannot be read', error);
  }
}

/** Adds a remark for the user if the file has no text and no other remark. */
function withRemark(decoded: DecodedFile): DecodedFile {
  if (decoded.remark !== undefined || decoded.text.trim() !== '') return decoded;
  return { ...decoded, remark: 'The file contains no text; it is found by its name.' };
}

/**
 * Converts a Buffer to a plain Uint8Array on the same memory. Some libraries reject a Buffer, and `slice()` copies a
 * Uint8Array but not a Buffer.
 */
function plain(bytes: Uint8Array): Uint8Array {
  return bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
