import type { Context, Services } from '../../context.ts';
import { FormatError, checkFormat, formatCheckBytes, type FormatKind } from '@sheaf/files';
import { fail } from '../../kernel/errors.ts';
import { formatValue } from '../../kernel/parse-input.ts';
import { quotaMessage, quotaErrorMessage } from '../../kernel/quota-message.ts';
import { QuotaExceeded } from '../../ports/blob-accounting.ts';
import type { Upload } from '../../ports/wiki-store.ts';
import { knownExtensions, recognize, type MediaType, type RecognizedFormat } from './media-types.ts';

/**
 * Maximum size in bytes of an uploaded file that is read completely to check its format, because archive formats can be
 * recognized only from the whole file. Of larger files, only the beginning is checked.
 */
export const maxFullyRead = 16 * 2 ** 20;

/** Values of the file fields for an item without a stored file. */
export const withoutFile = {
  fileName: '',
  contentType: '',
  fileSize: 0,
  blobKey: '',
  contentId: '',
  lastModifyTime: 0,
  sealedPassword: '',
};

/**
 * Returns the media type and format of a file. Throws an error that lists the supported extensions if content type and
 * extension are both unknown.
 */
export function requireMediaType(contentType: string, extension: string): RecognizedFormat {
  const found = recognize(contentType, extension);
  if (found) return found;
  throw fail(
    'invalid_parameter',
    `content_type: neither the content type ${formatValue(contentType)} nor the extension ${formatValue(extension)} is ` +
      `supported; supported extensions: ${knownExtensions.join(', ')}`,
  );
}

export function refuseTooLarge(type: MediaType, size: number, field = 'file_size'): void {
  if (size <= type.maxBytes) return;
  throw fail(
    'invalid_parameter',
    `${field}: ${type.name} files may have at most ${type.maxBytes} bytes, that is ${type.maxBytes / 2 ** 20} MB (got ${size})`,
  );
}

export async function refuseOverQuota(context: Context, size: number): Promise<void> {
  const { used, quota } = await context.wiki.uploads.storage(context.caller.userId, context.config.SHEAF_QUOTA_BYTES);
  if (used + size > quota) throw fail('no_space', `file_size: ${quotaMessage({ bytes: size, used, quota })}`);
}

/**
 * Registers an upload and charges its bytes to the quota before they are stored. If no item is created from it, garbage
 * collection deletes the upload.
 */
export async function registerUpload(context: Pick<Services, 'wiki' | 'config'>, upload: Upload): Promise<void> {
  try {
    await context.wiki.uploads.createUpload(null, upload, {
      field: 'content',
      quotaBytes: context.config.SHEAF_QUOTA_BYTES,
    });
  } catch (error) {
    if (error instanceof QuotaExceeded) throw fail('no_space', quotaErrorMessage(error));
    throw error;
  }
}

/**
 * Checks that the uploaded file has the declared size and format. Returns the content type detected from its bytes, if
 * any.
 */
export async function checkUploadedObject(
  context: Context,
  upload: Upload,
  kind: FormatKind,
): Promise<string | undefined> {
  const head = await context.blobs.head(upload.blobKey);
  if (!head)
    throw fail(
      'invalid_parameter',
      `media_id: nothing was uploaded to ${formatValue(upload.blobKey)} yet; upload the file with the credential from create_media first`,
    );
  if (head.size !== upload.fileSize) {
    await context.blobs.delete(upload.blobKey);
    await context.blobAccounting.release(upload.blobKey);
    throw fail(
      'invalid_parameter',
      `file_size: ${upload.fileSize} bytes were declared but ${head.size} were uploaded; the upload was discarded, so upload the file again`,
    );
  }
  const whole = head.size <= maxFullyRead;
  const stream = await context.blobs.get(upload.blobKey, whole ? undefined : { start: 0, end: formatCheckBytes - 1 });
  if (!stream)
    throw fail(
      'invalid_parameter',
      `media_id: the upload to ${formatValue(upload.blobKey)} no longer exists; upload the file again`,
    );
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return refuseWrongFormat(Buffer.concat(chunks), kind, whole);
}

/**
 * Throws if the bytes do not have the format `kind`. For formats with several content types, returns the detected
 * content type.
 */
async function refuseWrongFormat(bytes: Uint8Array, kind: FormatKind, whole: boolean): Promise<string | undefined> {
  let message: string;
  try {
    const verdict = await checkFormat(bytes, kind, { whole });
    if (verdict.ok) return verdict.contentType;
    message = verdict.message;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    message = error.message;
  }
  throw fail('invalid_parameter', `media_type: ${message}`);
}
