import type { Services } from '../../../context.ts';
import { checkFormat, type FormatKind } from '@sheaf/files';
import { JobDelayed, JobFailed } from '../../../ports/job-queue.ts';
import { quotaErrorMessage } from '../../../kernel/quota-message.ts';
import { QuotaExceeded } from '../../../ports/blob-accounting.ts';
import { FetchRefused, type StreamedResponse } from '../../../ports/web-fetcher.ts';
import { WikiRefused, type Item } from '../../../ports/wiki-store.ts';
import { systemStamp } from '../../../ports/audit-stamp.ts';
import {
  contentTypeOf,
  extensionOf,
  mediaType,
  mediaTypes,
  plainContentType,
  recognize,
  storedExtension,
  type MediaType,
} from '../media-types.ts';
import { wikiLimits } from '../wiki-writes.ts';
import { describeRefusal } from '../store-errors.ts';
import { classifyFetchRefusal, describeFetchRefusal } from '../fetch-errors.ts';
import { unimportableReason } from '../web-page-urls.ts';
import { identifyFormat, maxBytesForHead } from './identify-format.ts';

/**
 * Maximum decompressed size of a web page in bytes. The API specification sets no limit; this one protects the server's
 * memory.
 */
const maxPageLength = 20 * 2 ** 20;
const pageTimeoutMs = 60_000;
const fileTimeoutMs = 5 * 60_000;
/** Time in milliseconds after which a fetched file is deleted if no item refers to it. */
const uploadTtlMs = 60 * 60_000;

export interface OriginalFile {
  bytes: Uint8Array;
  kind: FormatKind;
  /** For a web page: its URL after redirects and its declared charset. Undefined for files. */
  page?: { url: string; charset: string | undefined };
}

/**
 * Fetches the item's URL. The response may have at most the maximum size of the item's media type. For a web page, the
 * limit is `maxPageLength`; if the first bytes show that the URL leads to a file, it is that of the file's media type.
 */
export async function fetchOriginal(services: Services, item: Item, signal: AbortSignal): Promise<StreamedResponse> {
  const type = mediaType(item.mediaType)!;
  const isPage = type.addedBy === 'web';
  const maxBytes = isPage ? (head: Uint8Array) => maxBytesForHead(head) ?? maxPageLength : type.maxBytes;
  const fetched = await fetchUrl(services, item, signal, maxBytes, isPage ? pageTimeoutMs : fileTimeoutMs);
  const landed = unimportableReason(services.config, fetched.finalUrl);
  if (landed === undefined) return fetched;
  await fetched.body.discard();
  throw new JobFailed(`The address leads to ${fetched.finalUrl}: ${landed}.`);
}

/**
 * Stores a fetched file in the same way as an uploaded file. A web page is not stored, because only its text is needed.
 * Returns undefined if the item was replaced or deleted in the meantime.
 */
export async function storeOriginal(
  services: Services,
  item: Item,
  fetched: StreamedResponse,
): Promise<OriginalFile | undefined> {
  const type = mediaType(item.mediaType)!;
  const bytes = await fetched.body.read();
  if (type.addedBy !== 'web') return storeFile(services, item, fetched, bytes, type, item.kind!);
  const file = await detectFile(fetched, bytes);
  if (file) return storeFile(services, item, fetched, bytes, file.type, file.kind);
  const verdict = await checkFormat(bytes, 'html');
  if (!verdict.ok) throw new JobFailed(`The address does not lead to a web page. ${verdict.message}`);
  return { bytes, kind: 'html', page: { url: fetched.finalUrl, charset: charsetOf(fetched.contentType) } };
}

/**
 * Detects the media type of fetched bytes. Uses the declared content type only for text formats, which cannot be
 * identified from their bytes. Returns undefined for a web page or an unknown content type.
 */
async function detectFile(
  fetched: StreamedResponse,
  bytes: Uint8Array,
): Promise<{ type: MediaType; kind: FormatKind } | undefined> {
  const kind = await identifyFormat(bytes);
  if (kind !== undefined)
    return { type: mediaTypes.find((type) => Object.values(type.extensions).includes(kind))!, kind };
  const contentType = plainContentType(fetched.contentType);
  if (contentType === '' || contentType === 'text/html' || contentType === 'application/xhtml+xml') return undefined;
  return recognize(contentType, extensionOf(fetched.fileName));
}

async function fetchUrl(
  services: Services,
  item: Item,
  signal: AbortSignal,
  maxBytes: number | ((head: Uint8Array) => number),
  timeoutMs: number,
): Promise<StreamedResponse> {
  try {
    return await services.web.fetch(item.contentId, { maxBytes, timeoutMs, signal });
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    const { why } = error;
    const message = `The address could not be read: ${describeFetchRefusal(why)}.`;
    throw classifyFetchRefusal(why) === 'unreachable'
      ? new JobDelayed(message, { cause: error })
      : new JobFailed(message, { cause: error });
  }
}

async function storeFile(
  services: Services,
  item: Item,
  fetched: StreamedResponse,
  bytes: Uint8Array,
  type: MediaType,
  kind: FormatKind,
): Promise<OriginalFile | undefined> {
  if (bytes.length > type.maxBytes)
    throw new JobFailed(
      `The file has ${bytes.length} bytes, and ${type.name} files may have at most ${type.maxBytes}.`,
    );
  const verdict = await checkFormat(bytes, kind, { whole: true });
  if (!verdict.ok) throw new JobFailed(verdict.message);
  const contentType = contentTypeOf(type, kind, verdict.contentType, fetched.contentType);
  const extension = storedExtension(type, kind, contentType);
  // Use the same key for every attempt, so that a retry overwrites the file of an earlier attempt.
  const blobKey = `media/${item.id}-${item.version}.${extension}`;
  const { quotaBytes } = wikiLimits(services);
  try {
    await services.blobAccounting.charge(item.userId, blobKey, bytes.length, {
      field: 'The file',
      quotaBytes,
      expiresAt: services.clock.now() + uploadTtlMs,
    });
  } catch (error) {
    if (error instanceof QuotaExceeded) throw new JobFailed(quotaErrorMessage(error));
    throw error;
  }
  await services.blobs.put(blobKey, bytes, bytes.length);
  const fileName = fetched.fileName === '' ? `${item.title}.${extension}` : fetched.fileName;
  const file = { blobKey, fileSize: bytes.length, contentType, fileName, mediaType: type.number, kind };
  let isKept = false;
  try {
    isKept = await services.wiki.texts.attachFile(
      systemStamp(services.clock.now(), 'job:wiki.parse', item.userId),
      item.id,
      item.version,
      file,
      wikiLimits(services),
    );
  } catch (error) {
    if (error instanceof WikiRefused) throw new JobFailed(describeRefusal(error.why));
    throw error;
  } finally {
    if (!isKept) await services.wiki.uploads.discard(blobKey);
  }
  return isKept ? { bytes, kind } : undefined;
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([\w.:-]{2,40})/i.exec(contentType)?.[1];
}
