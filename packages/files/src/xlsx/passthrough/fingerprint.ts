import { createHash } from 'node:crypto';

/**
 * Returns a short hash of an object. It is stored with the imported XML of the object, which an export writes only if
 * the fingerprint is unchanged.
 */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);
}
