import { hkdfSync } from 'node:crypto';

/** One purpose, one key: what is made with one of them says nothing about the others. */
export function purposeKey(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'sheaf', purpose, 32));
}
