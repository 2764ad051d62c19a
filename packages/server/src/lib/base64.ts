import { yieldToEventLoop } from './event-loop.ts';

/** Number of characters decoded before yielding to the event loop. Decoding this many takes some milliseconds. */
const sliceLength = 128 * 1024;

/**
 * Decodes base64 or base64url. Returns undefined if the text is neither. Skips white space, and yields to the event
 * loop during long texts.
 */
export async function decodeBase64(text: string): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  let rest = '';
  for (let at = 0, end: number; at < text.length; at = end) {
    if (at > 0) await yieldToEventLoop();
    // Only the last slice may contain padding (`=`). The last slice has at least sliceLength characters, so that
    // padding is never split across two slices.
    end = text.length - at < 2 * sliceLength ? text.length : at + sliceLength;
    const plain = withoutSpace(text.slice(at, end));
    if (!(end === text.length ? last : middle).test(plain)) return undefined;
    length += plain.length;
    rest += plain;
    const whole = end === text.length ? rest.length : rest.length - (rest.length % 4);
    pieces.push(Buffer.from(rest.slice(0, whole), 'base64'));
    rest = rest.slice(whole);
  }
  return length % 4 === 1 ? undefined : Buffer.concat(pieces);
}

const middle = /^[A-Za-z0-9+/_-]*$/;
const last = /^[A-Za-z0-9+/_-]*={0,2}$/;

function withoutSpace(text: string): string {
  return /\s/.test(text) ? text.split(/\s+/).join('') : text;
}
