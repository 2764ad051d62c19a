/** Thirty-two signs that nobody else has. Without randomUUID, which browsers offer to secure addresses only. */
export function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
