/**
 * Returns 32 random hexadecimal digits. Does not use crypto.randomUUID, because browsers do not offer it over plain
 * http.
 */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
