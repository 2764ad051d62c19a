import { hkdfSync } from 'node:crypto';

/** Derives a separate key per purpose, so that data made with one reveals nothing about the others. */
export function derivePurposeKey(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'sheaf', purpose, 32));
}
