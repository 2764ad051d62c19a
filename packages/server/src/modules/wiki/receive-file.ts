import { buffer } from 'node:stream/consumers';
import { formatCheckBytes } from '@sheaf/files';
import type { Context } from '../../context.ts';
import { fail } from '../../kernel/errors.ts';
import { decodeBase64 } from '../../lib/base64.ts';
import { newId } from '../../lib/ids.ts';
import { uploaderOf } from '../../ports/import-uploads.ts';
import type { DocumentCaller } from '../../ports/spreadsheet-service.ts';
import type { FiledSheet, Upload } from '../../ports/wiki-store.ts';
import { rethrowDocumentError } from './document-errors.ts';
import { classifyFile, FormatMismatch, type GivenFile } from './file-classification.ts';
import { extensionOf } from './media-types.ts';
import { notVisibleError } from './permissions.ts';
import { maxFullyRead, registerUpload } from './upload-checks.ts';
import { uploadSeconds } from './wiki-writes.ts';

const maxInlineBytes = 8 * 2 ** 20;

/**
 * A file sent with a call in exactly one of four ways: as text, as base64, as the key of a file uploaded before (see
 * the operation `pre_import`), or as the id of a spreadsheet.
 */
export interface SentFile {
  file_name: string;
  text?: string | undefined;
  content?: string | undefined;
  file_key?: string | undefined;
  file_id?: string | undefined;
  content_type?: string | undefined;
}

/**
 * Stores a file of any kind that was sent with a call, and charges it to the caller's quota. Returns an upload, from
 * which an item can be created, and the spreadsheet's version if it is a copy of a spreadsheet.
 */
export async function receiveFile(
  context: Context,
  baseId: string,
  sent: SentFile,
): Promise<{ upload: Upload; filed?: FiledSheet | undefined }> {
  const { filed, ...bytes } = await receiveBytes(context, sent);
  return { upload: await storeFile(context, context.caller.userId, baseId, sent, bytes), filed };
}

/**
 * Stores a file as an upload, from which an item can be created, and charges it to the user's quota. If `bytes`
 * contains only the beginning of the file, copies the file that was uploaded before under `sent.file_key`.
 */
export async function storeFile(
  context: Pick<Context, 'wiki' | 'config' | 'blobs' | 'clock'>,
  userId: string,
  baseId: string,
  sent: SentFile,
  { bytes, size }: FileBytes,
): Promise<Upload> {
  const whole = bytes.length === size;
  const { type, kind, contentType, extension } = await classified({
    bytes,
    whole,
    fileName: sent.file_name,
    contentType: sent.content_type ?? '',
  });
  const mediaId = newId('media');
  const blobKey = `media/${mediaId}.${extension}`;
  const now = context.clock.now();
  const upload: Upload = {
    mediaId,
    baseId,
    userId,
    blobKey,
    fileName: sent.file_name,
    fileExt: extensionOf(sent.file_name),
    contentType,
    mediaType: type.number,
    kind,
    fileSize: size,
    createdAt: now,
    expiresAt: now + uploadSeconds * 1000,
  };
  const body = whole ? bytes : await context.blobs.get(sent.file_key!);
  if (!body) throw nothingUploaded();
  // Register the upload while the bytes are written. The blob becomes visible only after the upload is registered and
  // charged to the quota.
  await context.blobs.put(blobKey, body, size, registerUpload(context, upload));
  return upload;
}

interface FileBytes {
  /** The whole file, or only its beginning if the file is an upload larger than `maxFullyRead`. */
  bytes: Uint8Array;
  /** Size of the whole file. */
  size: number;
}

async function receiveBytes(context: Context, sent: SentFile): Promise<FileBytes & { filed?: FiledSheet }> {
  if ([sent.text, sent.content, sent.file_key, sent.file_id].filter((one) => one !== undefined).length !== 1)
    throw fail('invalid_parameter', 'content: send exactly one of text, content, file_key and file_id');
  if (sent.file_id !== undefined) return exportedSheet(context, sent.file_id);
  if (sent.file_key !== undefined) return uploadedHead(context, sent.file_key);
  if (sent.content !== undefined) return fromBase64(sent.content);
  return withinInlineLimit('text', new TextEncoder().encode(sent.text));
}

/**
 * Exports a spreadsheet as an xlsx workbook. Throws if the caller may not read it, or if the caller's API key has no
 * access to spreadsheets.
 */
async function exportedSheet(context: Context, id: string): Promise<FileBytes & { filed: FiledSheet }> {
  const { modules, userId } = context.caller;
  const mayRead = modules.includes('*') || modules.includes('manage') || modules.includes('sheet');
  if (!mayRead || (await context.permissions.role('sheet', id, userId)) === undefined)
    throw notVisibleError('file_id', 'spreadsheet', id);
  return exportAsFile(context, context, id).catch(rethrowDocumentError);
}

/**
 * Exports a spreadsheet as an xlsx workbook. The returned version is read before the export, so the workbook may already
 * contain a newer version.
 */
export async function exportAsFile(
  { documents }: Pick<Context, 'documents'>,
  by: DocumentCaller,
  id: string,
): Promise<FileBytes & { filed: FiledSheet }> {
  const { document } = await documents.access(by, id, 'viewer');
  const bytes = await documents.export(by, document, { format: 'xlsx', safe: true });
  return { bytes, size: bytes.length, filed: { id: document.id, version: document.version } };
}

function withinInlineLimit(field: string, bytes: Uint8Array): FileBytes {
  if (bytes.length > maxInlineBytes)
    throw fail(
      'invalid_parameter',
      `${field}: must be at most ${maxInlineBytes} bytes (got ${bytes.length}); send larger files by file_key`,
    );
  return { bytes, size: bytes.length };
}

/**
 * Deletes the blob of a file that was uploaded before (see the operation `pre_import`). Called after an item has
 * received a copy of the file. Does nothing if the file was sent in another way.
 */
export async function discardSent(context: Context, { file_key: key }: Pick<SentFile, 'file_key'>): Promise<void> {
  if (key === undefined) return;
  await context.blobs.delete(key);
  await context.blobAccounting.release(key);
}

async function classified(file: GivenFile): ReturnType<typeof classifyFile> {
  try {
    return await classifyFile(file);
  } catch (error) {
    if (error instanceof FormatMismatch) throw fail('invalid_parameter', `media_type: ${error.message}`);
    throw error;
  }
}

async function fromBase64(content: string): Promise<FileBytes> {
  const bytes = /\s/.test(content) ? undefined : await decodeBase64(content);
  if (!bytes) throw fail('invalid_parameter', 'content: must be base64 without line breaks');
  if (bytes.length === 0) throw fail('invalid_parameter', 'content: the file is empty');
  return withinInlineLimit('content', bytes);
}

/**
 * Returns the size of a file that the caller uploaded before (see the operation `pre_import`), and as many of its bytes
 * as are needed to detect its format. Throws if the caller did not upload the file.
 */
async function uploadedHead(context: Context, key: string): Promise<FileBytes> {
  if (uploaderOf(key) !== context.caller.userId) throw notVisibleError('file_key', 'upload', key);
  const head = await context.blobs.head(key);
  const range = head && head.size > maxFullyRead ? { start: 0, end: formatCheckBytes - 1 } : undefined;
  const stream = head && (await context.blobs.get(key, range));
  if (!head || !stream) throw nothingUploaded();
  return { bytes: await buffer(stream), size: head.size };
}

function nothingUploaded(): Error {
  return fail('invalid_parameter', 'file_key: nothing was uploaded there; PUT the file to upload_url first');
}
