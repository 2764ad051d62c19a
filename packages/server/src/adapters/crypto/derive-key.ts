import { hkdfSync } from 'node:crypto';

/**
 * Derives a key for one purpose from the installation's secret. A leaked key reveals nothing about the keys of other
 * purposes.
 */
export function derivePurposeKey(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'sheaf', purpose, 32));
}
