import { Readable } from 'node:stream';
import { NoSuchUpload, type BlobInfo, type BlobStore } from '../../ports/blob-store.ts';
import { Unavailable } from '../../ports/unavailable.ts';
import { checkKey, checkPart, checkPrefix } from './key.ts';
import { Measured } from './measured.ts';
import { elements, refusal, S3Client, S3Refusal, tag, type S3Options, type S3Response } from './s3-client.ts';

const pageSize = 1000;

/**
 * Blobs in an S3-compatible store, addressed by path. Bodies are streamed; only listings are held in memory. The store
 * keeps an object only once all of it has arrived, so a broken upload leaves nothing.
 */
export class S3BlobStore implements BlobStore {
  readonly #client: S3Client;
  readonly #prefix: string;

  constructor(options: S3Options) {
    this.#client = new S3Client(options);
    this.#prefix = options.prefix ?? '';
  }

  async put(key: string, body: Readable | Uint8Array, size: number): Promise<BlobInfo> {
    checkKey(key);
    return { key, size, etag: await this.#upload(key, undefined, body, size) };
  }

  async #upload(key: string, query: Record<string, string> | undefined, body: Readable | Uint8Array, size: number): Promise<string> {
    const measured = new Measured(body, size);
    const response = await this.#client.send({ method: 'PUT', key, query, body: { stream: measured.chunks(), size } });
    await response.body.dump();
    if (response.statusCode === 404) throw query ? new NoSuchUpload(query['uploadId']!) : new S3Refusal(404, 'NoSuchBucket', 'the bucket does not exist');
    const md5 = measured.md5();
    // Without encryption by keys of the store's own, the store answers with the hash of what it received.
    const encrypted = response.headers['x-amz-server-side-encryption'] !== undefined;
    const received = etagOf(response);
    if (!encrypted && received !== md5) throw new Unavailable(`the object store received other bytes than were sent (${received}, not ${md5})`);
    return encrypted ? received : md5;
  }

  async head(key: string): Promise<BlobInfo | undefined> {
    checkKey(key);
    const response = await this.#client.send({ method: 'HEAD', key });
    await response.body.dump();
    if (response.statusCode === 404) return undefined;
    return { key, size: Number(response.headers['content-length']), etag: etagOf(response) };
  }

  async get(key: string, range?: { start: number; end: number }): Promise<Readable | undefined> {
    checkKey(key);
    const headers = range && { range: `bytes=${range.start}-${range.end}` };
    const response = await this.#client.send({ method: 'GET', key, headers });
    if (response.statusCode < 300) return response.body;
    await response.body.dump();
    return response.statusCode === 416 ? Readable.from([]) : undefined;
  }

  async delete(key: string): Promise<void> {
    checkKey(key);
    const response = await this.#client.send({ method: 'DELETE', key });
    await response.body.dump();
  }

  async list(prefix: string, options: { after?: string; limit?: number } = {}): Promise<BlobInfo[]> {
    checkPrefix(prefix);
    const limit = options.limit ?? pageSize;
    const found: BlobInfo[] = [];
    let after = options.after ?? '';
    while (found.length < limit) {
      const query = { 'max-keys': String(Math.min(pageSize, limit - found.length)), prefix: this.#prefix + prefix, ...(after === '' ? {} : { marker: this.#prefix + after }) };
      const response = await this.#client.send({ method: 'GET', query });
      const xml = await response.body.text();
      if (response.statusCode === 404) throw refusal(404, xml);
      for (const entry of elements(xml, 'Contents')) {
        const key = tag(entry, 'Key')!.slice(this.#prefix.length);
        found.push({ key, size: Number(tag(entry, 'Size')), etag: unquoted(tag(entry, 'ETag') ?? '') });
        after = key;
      }
      if (tag(xml, 'IsTruncated') !== 'true') break;
    }
    return found;
  }

  async startUpload(key: string): Promise<string> {
    checkKey(key);
    const response = await this.#client.send({ method: 'POST', key, query: { uploads: '' } });
    const xml = await response.body.text();
    const uploadId = tag(xml, 'UploadId');
    if (uploadId === undefined) throw refusal(response.statusCode, xml);
    return uploadId;
  }

  async putPart(key: string, uploadId: string, part: number, body: Readable | Uint8Array, size: number): Promise<{ etag: string }> {
    checkKey(key);
    checkPart(part);
    return { etag: await this.#upload(key, { partNumber: String(part), uploadId }, body, size) };
  }

  async listParts(key: string, uploadId: string): Promise<{ part: number; size: number; etag: string }[] | undefined> {
    checkKey(key);
    const parts = [];
    for (let marker = '0'; ; ) {
      const response = await this.#client.send({ method: 'GET', key, query: { uploadId, 'max-parts': String(pageSize), 'part-number-marker': marker } });
      const xml = await response.body.text();
      if (response.statusCode === 404) return undefined;
      for (const entry of elements(xml, 'Part')) {
        parts.push({ part: Number(tag(entry, 'PartNumber')), size: Number(tag(entry, 'Size')), etag: unquoted(tag(entry, 'ETag') ?? '') });
      }
      if (tag(xml, 'IsTruncated') !== 'true') return parts;
      marker = tag(xml, 'NextPartNumberMarker')!;
    }
  }

  async completeUpload(key: string, uploadId: string, parts: { part: number; etag: string }[]): Promise<BlobInfo | undefined> {
    checkKey(key);
    if (parts.length === 0) return undefined;
    const list = parts.map(({ part, etag }) => `<Part><PartNumber>${part}</PartNumber><ETag>&quot;${etag.replace(/[^0-9a-f-]/gi, '')}&quot;</ETag></Part>`);
    const bytes = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`);
    try {
      const response = await this.#client.send({ method: 'POST', key, query: { uploadId }, body: { bytes }, headers: { 'content-type': 'application/xml' } });
      const xml = await response.body.text();
      // A try that was answered too late may have completed it: then the upload is gone and the object is there.
      if (response.statusCode === 404) return undefined;
      if (tag(xml, 'Code') !== undefined) throw refusal(200, xml);
    } catch (error) {
      if (error instanceof S3Refusal && ['InvalidPart', 'InvalidPartOrder', 'NoSuchUpload'].includes(error.code)) return undefined;
      throw error;
    }
    return this.head(key);
  }

  async abortUpload(key: string, uploadId: string): Promise<void> {
    checkKey(key);
    const response = await this.#client.send({ method: 'DELETE', key, query: { uploadId } });
    await response.body.dump();
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

function etagOf(response: S3Response): string {
  return unquoted(String(response.headers['etag'] ?? ''));
}

function unquoted(etag: string): string {
  return etag.replaceAll('"', '');
}
