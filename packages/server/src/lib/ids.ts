import { randomFillSync } from 'node:crypto';
import { sha256 } from './hash.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Random bytes drawn in advance, because a system call for each id would cost more than the rest of a request. */
const pool = new Uint8Array(4096);
let used = pool.length;

const letters = Buffer.from(alphabet, 'latin1');
const scratch = Buffer.alloc(64);

/**
 * Returns a random text of the given length (up to 64) with 5 bits per character. No two characters of the alphabet
 * look alike.
 */
export function randomText(length: number): string {
  if (used + length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  for (let i = 0; i < length; i++, used++) {
    scratch[i] = letters[pool[used]! & 31]!;
    pool[used] = 0;
  }
  const text = scratch.toString('latin1', 0, length);
  // Clear the text from `scratch`, which stays in memory, because the text may be a secret. Its bytes in `pool` are
  // already cleared.
  scratch.fill(0, 0, length);
  return text;
}

const timeLength = 9;
let lastTime = { at: 0, text: '' };

function timeText(): string {
  const at = Date.now();
  if (lastTime.at !== at) lastTime = { at, text: timeTextAt(at) };
  return lastTime.text;
}

/**
 * Returns the time part of ids created at time `at` (Unix milliseconds). Ids created at that time or later sort after
 * it.
 */
export function timeTextAt(at: number): string {
  let rest = at;
  let text = '';
  for (let i = 0; i < timeLength; i++) {
    text = alphabet[rest % 32]! + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/**
 * Makes an id such as `note_01hf...`. It consists of the time and 75 random bits, so that it can neither be guessed nor
 * collide. The time prefix makes new ids adjacent in an index, so that inserts are cheap.
 */
export function newId(prefix: string): string {
  return `${prefix}_${timeText()}${randomText(15)}`;
}

/** Returns the part of an id that holds its creation time. */
export function timeTextOf(id: string): string {
  const start = id.lastIndexOf('_') + 1;
  return id.slice(start, start + timeLength);
}

/** Returns the creation time of an id in Unix milliseconds, or NaN if the id was not made by `newId`. */
export function timeOfId(id: string): number {
  const text = timeTextOf(id);
  if (text.length < timeLength) return Number.NaN;
  let time = 0;
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return Number.NaN;
    time = time * 32 + digit;
  }
  return time;
}

const secretLength = 52;

/**
 * Encodes bytes as the random part of a secret, for secrets that are derived from a key instead of drawn at random.
 * Needs at least `secretLength` bytes.
 */
export function toSecretText(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, secretLength), (byte) => alphabet[byte & 31]!).join('');
}

/** Makes a secret for API keys, sessions and one-time links: the creation time, then 260 random bits. */
export function newSecret(prefix: string): string {
  return `${prefix}_${timeText()}${randomText(secretLength)}`;
}

/**
 * Returns the stored form of a secret: its time prefix, which is not secret, and its hash. The prefix makes new rows
 * adjacent in the index; without it, inserts would cost twice as much. Secrets of earlier versions have no time prefix
 * and are stored as the hash alone.
 */
export function hashSecret(secret: string): string {
  const time = secret.slice(secret.indexOf('_') + 1, -secretLength);
  return (time.length === timeLength ? time : '') + sha256(secret);
}
