import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { SizeMismatch } from '../../ports/blob-store.ts';

/**
 * Yields the bytes of a blob and hashes them. Throws as soon as their number cannot match the given size. Holds the
 * last chunk back until the source has ended without an error. Otherwise a store that knows the size would save the
 * blob before the source reports a checksum error.
 */
export class HashingBody {
  readonly #body: Readable | Uint8Array;
  readonly #size: number;
  readonly #hash: Hash = createHash('md5');

  constructor(body: Readable | Uint8Array, size: number) {
    this.#body = body;
    this.#size = size;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    let got = 0;
    let last: Uint8Array | undefined;
    const source: AsyncIterable<Uint8Array> | Uint8Array[] =
      this.#body instanceof Uint8Array ? [this.#body] : this.#body;
    for await (const chunk of source) {
      got += chunk.length;
      if (got > this.#size) throw new SizeMismatch(this.#size, got);
      this.#hash.update(chunk);
      if (chunk.length === 0) continue;
      if (last) yield last;
      last = chunk;
    }
    if (got !== this.#size) throw new SizeMismatch(this.#size, got);
    if (last) yield last;
  }

  /** Returns the MD5 of all bytes in hex. Call it only after all chunks were read. */
  md5(): string {
    return this.#hash.digest('hex');
  }
}

/** Returns the etag that S3 gives to a multipart object: the MD5 of the parts' MD5s, a dash and the number of parts. */
export function multipartEtag(partEtags: readonly string[]): string {
  const all = createHash('md5');
  for (const etag of partEtags) all.update(Buffer.from(etag, 'hex'));
  return `${all.digest('hex')}-${partEtags.length}`;
}
