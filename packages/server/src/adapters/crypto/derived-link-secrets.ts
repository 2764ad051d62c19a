import { createHmac } from 'node:crypto';
import type { PublicLinkSecrets } from '../../ports/public-link-store.ts';
import { derivePurposeKey } from './derive-key.ts';

/** Derives the secret of a public link by HMAC with a key that only links use. */
export class DerivedLinkSecrets implements PublicLinkSecrets {
  readonly #key: Buffer;

  constructor(secret: Uint8Array) {
    this.#key = derivePurposeKey(secret, 'public link');
  }

  secretOf(linkId: string): string {
    return `pl_${createHmac('sha256', this.#key).update(linkId).digest('base64url')}`;
  }
}
