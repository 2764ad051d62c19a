import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Sealer } from '../../ports/upload-credentials.ts';
import { derivePurposeKey } from './derive-key.ts';

const nonceLength = 12;
const tagLength = 16;

/**
 * Encrypts with AES-256-GCM, with a separate key for each purpose. `unseal` returns undefined for values that were
 * altered or encrypted for another purpose.
 */
export class SecretSealer implements Sealer {
  readonly #key: Buffer;

  constructor(secret: Uint8Array, purpose: string) {
    this.#key = derivePurposeKey(secret, purpose);
  }

  seal(secret: string): string {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  unseal(sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    // Accept only the canonical base64url text. Several texts decode to the same bytes, so an altered text could
    // otherwise be accepted.
    if (bytes.length < nonceLength + tagLength || bytes.toString('base64url') !== sealed) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, nonceLength));
    decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
    const opened = decipher.update(bytes.subarray(nonceLength + tagLength));
    try {
      return Buffer.concat([opened, decipher.final()]).toString('utf8');
    } catch (error) {
      if (error instanceof Error) return undefined;
      throw error;
    }
  }
}
