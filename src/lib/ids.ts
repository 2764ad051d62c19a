import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Random text of the given length, 5 bits a character, from an alphabet without look-alikes. */
export function randomText(length: number): string {
  const bytes = randomBytes(length);
  let text = '';
  for (const byte of bytes) text += alphabet[byte & 31];
  return text;
}

/** An id such as `note_4f...`: 100 random bits, so it can neither be guessed nor collide. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(20)}`;
}

/** A secret of 256 bits, for API keys, sessions and one-time links. */
export function newSecret(prefix: string): string {
  return `${prefix}_${randomText(52)}`;
}
