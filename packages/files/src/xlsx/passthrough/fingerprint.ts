import { createHash } from 'node:crypto';

/**
 * Returns a short text that differs for different objects. It is stored with the file's words about an object, which
 * are exported while the object still has the same fingerprint.
 */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);
}
