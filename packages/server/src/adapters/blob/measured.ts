import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { WrongSize } from '../../ports/blob-store.ts';

/**
 * Passes a body on while it is hashed and counted, and fails as soon as it cannot have the promised size. The last chunk
 * leaves only when the source has ended well: a store that was told the size keeps the object at its last byte, and what
 * checks the body (a checksum) may refuse it at its very end.
 */
export class Measured {
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
      if (got > this.#size) throw new WrongSize(this.#size, got);
      this.#hash.update(chunk);
      if (chunk.length === 0) continue;
      if (last) yield last;
      last = chunk;
    }
    if (got !== this.#size) throw new WrongSize(this.#size, got);
    if (last) yield last;
  }

  /** Hex MD5 of all bytes; only after the chunks are used up. */
  md5(): string {
    return this.#hash.digest('hex');
  }
}

/** The etag S3 gives to an object of several parts. */
export function multipartEtag(partEtags: readonly string[]): string {
  const all = createHash('md5');
  for (const etag of partEtags) all.update(Buffer.from(etag, 'hex'));
  return `${all.digest('hex')}-${partEtags.length}`;
}
