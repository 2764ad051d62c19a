import { createHmac } from 'node:crypto';
import { timeTextOf, toSecretText } from '../../lib/ids.ts';
import type { LinkSecretDeriver } from '../../ports/public-link-store.ts';
import { derivePurposeKey } from './derive-key.ts';

/**
 * Derives the secret in the URL of a public link from the link's id by HMAC. The HMAC key is used only for public
 * links.
 */
export class HmacLinkSecretDeriver implements LinkSecretDeriver {
  readonly #key: Buffer;

  constructor(secret: Uint8Array) {
    this.#key = derivePurposeKey(secret, 'public link');
  }

  secretOf(linkId: string): string {
    const bytes = createHmac('sha512', this.#key).update(linkId).digest();
    return `pl_${timeTextOf(linkId)}${toSecretText(bytes)}`;
  }
}
