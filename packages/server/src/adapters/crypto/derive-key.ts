import { hkdfSync } from 'node:crypto';

/** Derives a separate key for each purpose, so that one key reveals nothing about the others. */
export function derivePurposeKey(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'sheaf', purpose, 32));
}
