import { yieldToEventLoop } from '../lib/event-loop.ts';
import { createHash } from 'node:crypto';
import { sha256 } from '../lib/hash.ts';
import { randomText } from '../lib/ids.ts';

/** Number of characters hashed at a time. Serializing and hashing this many takes about a millisecond. */
const sliceLength = 64 * 1024;

/** Salt of the hash that replaces a password in a call's fingerprint. It is random per process and never stored. */
const processSalt = randomText(52);

/**
 * Returns the SHA-256 of an operation's name and its JSON input. The hash distinguishes a retry from a different call
 * with the same idempotency key. A large input is hashed in slices, and the event loop can run other work in between.
 */
export function fingerprintCall(name: string, raw: unknown): string | Promise<string> {
  return isSmall(raw) ? sha256(`${name}\n${JSON.stringify(raw, redactPassword)}`) : hashInSlices(name, raw);
}

/**
 * Replaces a password in a call's input by a salted hash. The fingerprint of the input is stored, and without the salt
 * a password could be found from it by brute force. The salt changes at restart, so a retry of a call with a password
 * is refused as a conflict after a restart.
 */
function redactPassword(name: string, value: unknown): unknown {
  return name === 'password' ? sha256(processSalt + String(value)) : value;
}

async function hashInSlices(name: string, raw: unknown): Promise<string> {
  const hash = createHash('sha256').update(`${name}\n`);
  let text = '';
  for (const piece of jsonPieces(raw)) {
    text += piece;
    if (text.length < sliceLength) continue;
    hash.update(text);
    text = '';
    await yieldToEventLoop();
  }
  return hash.update(text).digest('hex');
}

/** Yields the output of `JSON.stringify(value, redactPassword)` in short pieces. */
function* jsonPieces(value: unknown): Generator<string> {
  if (isSmall(value)) yield JSON.stringify(value, redactPassword) ?? 'null';
  else if (typeof value === 'string') yield* stringPieces(value);
  else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      yield index === 0 ? '[' : ',';
      yield* jsonPieces(value[index]);
    }
    yield ']';
  } else {
    let before = '{';
    for (const [name, given] of Object.entries(value as object)) {
      if (given === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonPieces(redactPassword(name, given));
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}

function* stringPieces(value: string): Generator<string> {
  yield '"';
  for (let at = 0, end: number; at < value.length; at = end) {
    end = at + sliceLength;
    // Do not split a surrogate pair, because JSON.stringify would escape each half.
    if ((value.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
    yield JSON.stringify(value.slice(at, end)).slice(1, -1);
  }
  yield '"';
}

function isSmall(value: unknown): boolean {
  return remainingLength(value, sliceLength) > 0;
}

/** Returns `most` minus the approximate JSON length of the value. Stops early once the result is not positive. */
function remainingLength(value: unknown, most: number): number {
  if (typeof value === 'string') return most - value.length - 2;
  if (typeof value !== 'object' || value === null) return most - 8;
  let left = most - 2;
  if (Array.isArray(value))
    for (let index = 0; index < value.length && left > 0; index++) left = remainingLength(value[index], left);
  else
    for (const name in value) {
      if (left <= 0) break;
      left = remainingLength((value as Record<string, unknown>)[name], left - name.length);
    }
  return left;
}
