import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Random bytes are drawn by the page: asking the system for a few at a time costs more than the rest of a call. */
const pool = new Uint8Array(4096);
let used = pool.length;

/** Random text of the given length, 5 bits a character, from an alphabet without look-alikes. */
export function randomText(length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    text += alphabet[pool[used]! & 31];
    // A byte is used once: what was handed out must not be found in memory later.
    pool[used++] = 0;
  }
  return text;
}

const timeLength = 9;

function timeText(): string {
  let rest = Date.now();
  let text = '';
  for (let i = 0; i < timeLength; i++) {
    text = alphabet[rest % 32]! + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/**
 * An id such as `note_01hf...`: the time, then 75 random bits, so that it can neither be guessed nor collide. Ids made
 * together stand together in an index, which makes inserting them cheap.
 */
export function newId(prefix: string): string {
  return `${prefix}_${timeText()}${randomText(15)}`;
}

/** When an id was made, in Unix milliseconds; NaN when it is not one of ours. */
export function timeOfId(id: string): number {
  const text = id.slice(id.lastIndexOf('_') + 1, id.lastIndexOf('_') + 1 + timeLength);
  if (text.length < timeLength) return Number.NaN;
  let time = 0;
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return Number.NaN;
    time = time * 32 + digit;
  }
  return time;
}

/** A secret of 260 bits, for API keys, sessions and one-time links. */
export function newSecret(prefix: string): string {
  return `${prefix}_${randomText(52)}`;
}
