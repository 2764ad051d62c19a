import { hkdfSync } from 'node:crypto';

/**
 * Derives a key for one purpose from the installation's secret. Neither the secret nor the keys of other purposes can
 * be computed from this key.
 */
export function derivePurposeKey(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'sheaf', purpose, 32));
}
