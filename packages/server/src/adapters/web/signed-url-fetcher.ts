import { parseArchiveKey } from '../../ports/zip-archive-generator.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { UrlSigner, VerifiedUrl } from '../../ports/url-signer.ts';
import {
  FetchRefused,
  type FetchOptions,
  type StreamedResponse,
  type ResponseHead,
  type WebFetcher,
} from '../../ports/web-fetcher.ts';
import type { UploadStore } from '../../ports/wiki-store.ts';
import { tooLarge } from './response-body.ts';

interface SignedUrlFetcherOptions {
  readonly links: UrlSigner;
  readonly blobs: BlobStore;
  readonly uploads: Pick<UploadStore, 'isWithdrawn'>;
}

/**
 * Fetches URLs. A link that this installation has signed itself is not requested but read directly from the blob store,
 * because the installation's own address may be private, and `others` refuses private addresses. All other URLs,
 * including redirects and links with an invalid signature, go to `others`.
 */
export class SignedUrlFetcher implements WebFetcher {
  readonly #others: WebFetcher;
  readonly #parts: SignedUrlFetcherOptions;
  readonly mayFetch: WebFetcher['mayFetch'];
  readonly exchange: WebFetcher['exchange'];
  readonly submit: WebFetcher['submit'];

  constructor(others: WebFetcher, parts: SignedUrlFetcherOptions) {
    this.#others = others;
    this.#parts = parts;
    this.mayFetch = (url) => others.mayFetch(url);
    this.exchange = (url, caps) => others.exchange(url, caps);
    this.submit = (url, caps) => others.submit(url, caps);
  }

  async probe(url: string, caps: Omit<FetchOptions, 'maxBytes'>): Promise<ResponseHead> {
    const link = this.#own(url);
    return link ? this.#describe(url, link) : this.#others.probe(url, caps);
  }

  async fetch(url: string, caps: FetchOptions): Promise<StreamedResponse> {
    const link = this.#own(url);
    if (!link) return this.#others.fetch(url, caps);
    const probed = await this.#describe(url, link);
    const stream = await this.#parts.blobs.get(link.blobKey);
    if (!stream) throw new FetchRefused({ reason: 'status', status: 404 });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const maxBytes = typeof caps.maxBytes === 'number' ? caps.maxBytes : caps.maxBytes(chunks[0] ?? chunk);
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks, size);
    return { ...probed, body: { size, read: () => Promise.resolve(bytes), discard: () => Promise.resolve() } };
  }

  #own(url: string): VerifiedUrl | undefined {
    const link = this.#parts.links.verifyUrl(url);
    // Exclude links to archives. An archive is generated on request and is not in the blob store, from which this class
    // reads.
    return link && parseArchiveKey(link.blobKey) === undefined ? link : undefined;
  }

  async #describe(url: string, { blobKey, contentType, fileName }: VerifiedUrl): Promise<ResponseHead> {
    const { blobs, uploads } = this.#parts;
    const info = (await uploads.isWithdrawn(blobKey)) ? undefined : await blobs.head(blobKey);
    if (!info) throw new FetchRefused({ reason: 'status', status: 404 });
    return { finalUrl: url, status: 200, contentType: contentType.toLowerCase(), contentLength: info.size, fileName };
  }
}
