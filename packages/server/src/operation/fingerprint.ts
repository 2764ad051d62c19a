import { createHash } from 'node:crypto';
import { sha256 } from '../lib/hash.ts';
import { randomText } from '../lib/ids.ts';

/** Written and hashed in one go: about a millisecond. */
const sliceLength = 64 * 1024;

/** Known to this process alone. */
const processSalt = randomText(52);

/**
 * SHA-256 of an operation's name and its input as JSON, by which a repeated call is told from another one. Of a large input in
 * slices, with turns for others in between: the same value.
 */
export function fingerprintOf(name: string, raw: unknown): string | Promise<string> {
  return isSmall(raw) ? sha256(`${name}\n${JSON.stringify(raw, veiled)}`) : hashInTurns(name, raw);
}

/** A fingerprint is stored, and a password could be found from it by trying. After a restart such a call is no repeat but a conflict. */
function veiled(name: string, value: unknown): unknown {
  return name === 'password' ? sha256(processSalt + String(value)) : value;
}

async function hashInTurns(name: string, raw: unknown): Promise<string> {
  const hash = createHash('sha256').update(`${name}\n`);
  let text = '';
  for (const piece of jsonOf(raw)) {
    text += piece;
    if (text.length < sliceLength) continue;
    hash.update(text);
    text = '';
    await new Promise((resolve) => setImmediate(resolve));
  }
  return hash.update(text).digest('hex');
}

/** What `JSON.stringify(value, veiled)` gives, in short pieces. */
function* jsonOf(value: unknown): Generator<string> {
  if (isSmall(value)) yield JSON.stringify(value, veiled) ?? 'null';
  else if (typeof value === 'string') yield* textOf(value);
  else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      yield index === 0 ? '[' : ',';
      yield* jsonOf(value[index]);
    }
    yield ']';
  } else {
    let before = '{';
    for (const [name, given] of Object.entries(value as object)) {
      if (given === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonOf(veiled(name, given));
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}

function* textOf(value: string): Generator<string> {
  yield '"';
  for (let at = 0, end: number; at < value.length; at = end) {
    end = at + sliceLength;
    // Half of a surrogate pair would be written as an escape.
    if ((value.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
    yield JSON.stringify(value.slice(at, end)).slice(1, -1);
  }
  yield '"';
}

function isSmall(value: unknown): boolean {
  return lengthLeft(value, sliceLength) > 0;
}

/** What is left of a length that the value is part of; not looked at to its end where nothing is. */
function lengthLeft(value: unknown, most: number): number {
  if (typeof value === 'string') return most - value.length - 2;
  if (typeof value !== 'object' || value === null) return most - 8;
  let left = most - 2;
  if (Array.isArray(value))
    for (let index = 0; index < value.length && left > 0; index++) left = lengthLeft(value[index], left);
  else
    for (const name in value) {
      if (left <= 0) break;
      left = lengthLeft((value as Record<string, unknown>)[name], left - name.length);
    }
  return left;
}
