import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { newId, timeOfId } from '../../lib/ids.ts';
import {
  NoSuchUpload,
  type BlobInfo,
  type BlobStore,
  type CompletionObserver,
  type UnfinishedUpload,
} from '../../ports/blob-store.ts';
import { Unavailable } from '../../ports/availability-errors.ts';
import { checkKey, checkPart, checkPrefix } from './validate-key.ts';
import { HashingBody, multipartEtag } from './hashing-body.ts';
import { sizeOfParts, uploadIdForm, type CompleteUpload } from './multipart-upload.ts';
import {
  xmlElements,
  toUnavailable,
  errorFromXml,
  S3Client,
  xmlText,
  type S3Options,
  type S3Response,
} from './s3-client.ts';

/**
 * Timeout of a ping in milliseconds. It is short, because readiness checks ping every few seconds and unanswered pings
 * must not pile up.
 */
const pingMs = 4_000;
const pageSize = 1000;
/**
 * Key prefix of unfinished uploads. Blob keys cannot contain `~`, so no blob key has this prefix. In a sorted listing,
 * uploads come after all blobs.
 */
const uploads = '~uploads/';
const etagHeader = 'x-amz-meta-sheaf-etag';
const deletesAtOnce = 16;

/**
 * Stores blobs in an S3-compatible store with path-style addressing. Bodies are streamed. The store creates an object
 * only when all bytes have arrived, so an interrupted upload leaves no object.
 *
 * S3's own multipart uploads reject parts under 5 MiB, but our clients choose the part size. Parts are therefore
 * separate objects, and completing an upload streams them into one object.
 */
export class S3BlobStore implements BlobStore {
  readonly #client: S3Client;
  readonly #prefix: string;

  constructor(options: S3Options) {
    this.#client = new S3Client(options);
    this.#prefix = options.prefix ?? '';
  }

  async ping(): Promise<void> {
    // Check the store by listing a prefix without objects, so that it need not scan any.
    const query = { 'max-keys': '1', prefix: `${this.#prefix}ping/` };
    const response = await this.#client.send({ method: 'GET', query, signal: AbortSignal.timeout(pingMs) });
    const xml = await response.body.text();
    if (response.statusCode === 404) throw errorFromXml(404, xml);
  }

  async put(key: string, body: Readable | Uint8Array, size: number, after?: Promise<unknown>): Promise<BlobInfo> {
    await after;
    checkKey(key);
    return { key, size, etag: await this.#send(key, body, size) };
  }

  async #send(
    key: string,
    body: Readable | Uint8Array,
    size: number,
    headers?: Record<string, string>,
  ): Promise<string> {
    const measured = new HashingBody(body, size);
    const response = await this.#client.send({
      method: 'PUT',
      key,
      headers,
      body: { stream: measured.chunks(), size },
    });
    await response.body.dump();
    if (response.statusCode === 404) throw new Unavailable('the bucket does not exist');
    const md5 = measured.md5();
    // Verify what the store received: its ETag is the MD5 of these bytes, unless it encrypts objects with its own keys.
    const encrypted = response.headers['x-amz-server-side-encryption'] !== undefined;
    const received = etagOf(response);
    if (!encrypted && received !== md5)
      throw new Unavailable(`the object store received different bytes from those sent (${received}, not ${md5})`);
    return encrypted ? received : md5;
  }

  async head(key: string): Promise<BlobInfo | undefined> {
    checkKey(key);
    const response = await this.#client.send({ method: 'HEAD', key });
    await response.body.dump();
    if (response.statusCode === 404) return undefined;
    return {
      key,
      size: Number(response.headers['content-length']),
      etag: String(response.headers[etagHeader] ?? etagOf(response)),
    };
  }

  async get(key: string, range?: { start: number; end: number }): Promise<Readable | undefined> {
    checkKey(key);
    return this.#read(key, range);
  }

  async #read(key: string, range?: { start: number; end: number }): Promise<Readable | undefined> {
    const headers = range && { range: `bytes=${range.start}-${range.end}` };
    const response = await this.#client.send({ method: 'GET', key, headers });
    if (response.statusCode < 300) return Readable.from(bytesOf(response.body), { objectMode: false });
    const answer = await text(bytesOf(response.body));
    // Treat a missing bucket as a failure of the store. Otherwise callers would conclude that the object was deleted.
    if (xmlText(answer, 'Code') === 'NoSuchBucket') throw new Unavailable('the bucket does not exist');
    return response.statusCode === 416 ? Readable.from([]) : undefined;
  }

  async delete(key: string): Promise<void> {
    checkKey(key);
    await this.#remove(key);
  }

  async #remove(key: string): Promise<void> {
    const response = await this.#client.send({ method: 'DELETE', key });
    await response.body.dump();
  }

  async list(prefix: string, options: { after?: string; limit?: number } = {}): Promise<BlobInfo[]> {
    checkPrefix(prefix);
    const found = await this.#list(prefix, options.after ?? '', options.limit ?? pageSize);
    const end = found.findIndex((info) => info.key.startsWith(uploads));
    return end < 0 ? found : found.slice(0, end);
  }

  async #list(prefix: string, after: string, limit: number): Promise<BlobInfo[]> {
    const found: BlobInfo[] = [];
    while (found.length < limit) {
      const last = found.at(-1)?.key ?? after;
      const query: Record<string, string> = {
        'max-keys': String(Math.min(pageSize, limit - found.length)),
        prefix: this.#prefix + prefix,
      };
      if (last !== '') query['marker'] = this.#prefix + last;
      const response = await this.#client.send({ method: 'GET', query });
      const xml = await response.body.text();
      if (response.statusCode === 404) throw errorFromXml(404, xml);
      for (const entry of xmlElements(xml, 'Contents')) {
        found.push({
          key: xmlText(entry, 'Key')!.slice(this.#prefix.length),
          size: Number(xmlText(entry, 'Size')),
          etag: unquoted(xmlText(entry, 'ETag') ?? ''),
        });
      }
      if (xmlText(xml, 'IsTruncated') !== 'true') break;
    }
    return found;
  }

  async startUpload(key: string): Promise<string> {
    checkKey(key);
    const uploadId = newId('upload');
    const bytes = Buffer.from(key);
    await this.#send(`${uploads}${uploadId}/key`, bytes, bytes.length);
    return uploadId;
  }

  async putPart(...[key, uploadId, part, body, size]: Parameters<BlobStore['putPart']>): Promise<{ etag: string }> {
    checkPart(part);
    if (!(await this.#isUpload(key, uploadId))) throw new NoSuchUpload(uploadId);
    return { etag: await this.#send(partKey(uploadId, part), body, size) };
  }

  async listParts(key: string, uploadId: string): Promise<{ part: number; size: number; etag: string }[] | undefined> {
    if (!(await this.#isUpload(key, uploadId))) return undefined;
    const found = await this.#list(`${uploads}${uploadId}/`, '', Infinity);
    const parts = found.filter((info) => /\/\d+$/.test(info.key));
    return parts.map((info) => ({
      part: Number(info.key.slice(info.key.lastIndexOf('/') + 1)),
      size: info.size,
      etag: info.etag,
    }));
  }

  async completeUpload(...[key, uploadId, parts, watch]: CompleteUpload): Promise<BlobInfo | undefined> {
    const held = await this.listParts(key, uploadId);
    const size = held && sizeOfParts(held, parts);
    if (size === undefined) return undefined;
    const etag = multipartEtag(parts.map((part) => part.etag));
    await this.#send(key, Readable.from(this.#partBytes(uploadId, parts, watch), { objectMode: false }), size, {
      [etagHeader]: etag,
    });
    await this.#removeUpload(uploadId);
    return { key, size, etag };
  }

  async *#partBytes(
    uploadId: string,
    parts: { part: number; etag: string }[],
    watch?: CompletionObserver,
  ): AsyncGenerator<Uint8Array> {
    for (const { part, etag } of parts) {
      const stream = await this.#read(partKey(uploadId, part));
      const hash = createHash('md5');
      for await (const chunk of (stream ?? []) as AsyncIterable<Uint8Array>) {
        hash.update(chunk);
        watch?.chunk(part, chunk);
        yield chunk;
      }
      // If the hash differs, the part was uploaded again or the upload was aborted after the parts were listed.
      if (/^[0-9a-f]{32}$/.test(etag) && hash.digest('hex') !== etag)
        throw new Unavailable(`part ${part} of ${uploadId} changed meanwhile`);
    }
    watch?.end();
  }

  async abortUpload(key: string, uploadId: string): Promise<void> {
    if (await this.#isUpload(key, uploadId)) await this.#removeUpload(uploadId);
  }

  async *listUploads(): AsyncGenerator<UnfinishedUpload> {
    for (let after = ''; ;) {
      const page = await this.#list(uploads, after, pageSize);
      for (const { key: place } of page) {
        const uploadId = /^~uploads\/(upload_[0-9a-z]+)\/key$/.exec(place)?.[1];
        const stream = uploadId === undefined ? undefined : await this.#read(place);
        if (stream) yield { key: await text(stream), uploadId: uploadId!, startedAt: timeOfId(uploadId!) };
      }
      const last = page.at(-1);
      if (!last || page.length < pageSize) return;
      after = last.key;
    }
  }

  /**
   * Deletes an upload. The object `key`, which holds the key of the blob, is deleted first, because an upload without
   * this object counts as finished, even if a crash leaves parts behind.
   */
  async #removeUpload(uploadId: string): Promise<void> {
    await this.#remove(`${uploads}${uploadId}/key`);
    const left = await this.#list(`${uploads}${uploadId}/`, '', Infinity);
    while (left.length > 0) await Promise.all(left.splice(0, deletesAtOnce).map((info) => this.#remove(info.key)));
  }

  /** Returns whether the upload was started for this key and is unfinished. */
  async #isUpload(key: string, uploadId: string): Promise<boolean> {
    checkKey(key);
    if (!uploadIdForm.test(uploadId)) return false;
    const stream = await this.#read(`${uploads}${uploadId}/key`);
    return stream !== undefined && (await text(stream)) === key;
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

/** Passes a response body through. Converts a connection error while reading to Unavailable. */
async function* bytesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw toUnavailable(error);
  }
}

function etagOf(response: S3Response): string {
  return unquoted(String(response.headers['etag'] ?? ''));
}

function unquoted(etag: string): string {
  return etag.replaceAll('"', '');
}

function partKey(uploadId: string, part: number): string {
  return `${uploads}${uploadId}/${String(part).padStart(5, '0')}`;
}
