import { Failure, fail } from '../../operation/errors.ts';

export const bodyLimit = 16 * 2 ** 20;
const deepest = 200;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** JSON from bytes: valid UTF-8, not deeper than anything real, and never a stack overflow. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {};
  if (bytes.length > 2 * deepest) refuseDepth(bytes);
  let text: string;
  try {
    text = strict.decode(bytes);
  } catch (error) {
    throw fail('invalid_parameter', 'the request body is not valid UTF-8', { cause: error });
  }
  try {
    const parsed: unknown = JSON.parse(text);
    // No text of ours holds NUL (PostgreSQL cannot store it), so a caller hears of it here and not from a database.
    if (text.includes('\\u0000')) refuseNul(parsed, '');
    return parsed;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw fail('invalid_parameter', `the request body is not JSON: ${(error as Error).message}`, { cause: error });
  }
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

function refuseNul(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw fail('invalid_parameter', `${path === '' ? 'the request' : path}: must not contain the NUL character`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      refuseNul(key, path);
      refuseNul(inner, path === '' ? key : `${path}.${key}`);
    }
  }
}

export function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(contentType.trim());
}
