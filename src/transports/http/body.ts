import { isUtf8 } from 'node:buffer';
import { Failure, fail } from '../../operation/errors.ts';
import { refuseNul } from '../nul.ts';

export const bodyLimit = 16 * 2 ** 20;
const deepest = 200;

const byteOrderMark = 0xfeff;
const unreadable = '\ufffd';

/** JSON from bytes: valid UTF-8, not deeper than anything real, and never a stack overflow. */
export function parseJson(bytes: Uint8Array, nulAllowed = false): unknown {
  if (bytes.length === 0) return {};
  let text = (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).toString('utf8');
  // What is no UTF-8 is read as this character, which may be meant as well.
  if (text.includes(unreadable) && !isUtf8(bytes)) throw fail('invalid_parameter', 'the request body is not valid UTF-8');
  if (text.charCodeAt(0) === byteOrderMark) text = text.slice(1);
  if (text.length > 2 * deepest && !isShallow(text)) refuseDepth(bytes);
  try {
    const parsed: unknown = JSON.parse(text);
    if (!nulAllowed && text.includes('\\u0000')) refuseNul(parsed);
    return parsed;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw fail('invalid_parameter', `the request body is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Whether the text cannot be deep: few arrays, and objects only as their entries. Large bodies are such lists, and looking at
 * each byte of them in JavaScript takes as long as half their parsing.
 */
function isShallow(text: string): boolean {
  let arrays = 0;
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) if (2 * ++arrays >= deepest) return false;
  return !/[:\s]\{/.test(text);
}

function refuseDepth(bytes: Uint8Array): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (inString) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > deepest) throw fail('invalid_parameter', `the request body is nested deeper than ${deepest} levels`);
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
}

export function isJson(contentType: string | undefined): boolean {
  return contentType === 'application/json' || contentType !== undefined && /^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(contentType.trim());
}
