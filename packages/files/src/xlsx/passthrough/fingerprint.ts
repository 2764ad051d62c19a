import { createHash } from 'node:crypto';

/**
 * Returns a short text that differs for different objects. It is stored with the file's XML of an object, which is
 * exported as long as the object has the same fingerprint.
 */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);
}
