import { createHmac } from 'node:crypto';
import { equalInConstantTime } from '../../lib/timing-safe-equal.ts';
import type { PublicUrl } from '../../lib/public-url.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SignedUrlOptions, UrlSigner, VerifiedUrl } from '../../ports/url-signer.ts';
import { derivePurposeKey } from './derive-key.ts';

/**
 * Signs links of the form `/files/<key>?expires&name&type&signature`. The signature covers the key and all other
 * parameters.
 */
export class HmacUrlSigner implements UrlSigner {
  readonly #key: Buffer;
  readonly #address: PublicUrl;
  readonly #clock: Clock;

  constructor(secret: Uint8Array, address: PublicUrl, clock: Clock) {
    this.#key = derivePurposeKey(secret, 'file link');
    this.#address = address;
    this.#clock = clock;
  }

  sign(blobKey: string, options: SignedUrlOptions): string {
    const expires = String(Math.floor(this.#clock.now() / 1000) + options.seconds);
    const query = new URLSearchParams({ expires, name: options.fileName, type: options.contentType });
    query.set('signature', this.#sign(blobKey, expires, options.fileName, options.contentType).toString('base64url'));
    return `${this.#address.url}/files/${blobKey}?${query.toString()}`;
  }

  verify(blobKey: string, query: URLSearchParams): VerifiedUrl | undefined {
    const [expires, name, type, signature] = ['expires', 'name', 'type', 'signature'].map((field) =>
      query.getAll(field),
    );
    if (expires?.length !== 1 || name?.length !== 1 || type?.length !== 1 || signature?.length !== 1) return undefined;
    const expected = this.#sign(blobKey, expires[0]!, name[0]!, type[0]!).toString('base64url');
    if (!equalInConstantTime(expected, signature[0]!)) return undefined;
    if (this.#clock.now() > Number(expires[0]) * 1000) return undefined;
    return { blobKey, fileName: name[0]!, contentType: type[0]! };
  }

  verifyUrl(url: string): VerifiedUrl | undefined {
    const start = `${this.#address.url}/files/`;
    if (!url.startsWith(start) || !URL.canParse(url)) return undefined;
    const [key = ''] = url.slice(start.length).split(/[?#]/, 1);
    return this.verify(key, new URL(url).searchParams);
  }

  /**
   * Computes the HMAC of the parts. Each part is prefixed with its length, so that different lists of parts never give
   * the same bytes.
   */
  #sign(...parts: string[]): Buffer {
    const hmac = createHmac('sha256', this.#key);
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
    return hmac.digest();
  }
}
