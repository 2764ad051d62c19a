import { FormatError } from '../format-error.ts';
import { guessMultiByte } from './charset-guess.ts';

export interface DecodedText {
  text: string;
  charset: string;
}

const sampleBytes = 256 * 1024;

/**
 * Decodes bytes to text. The charset is that of the byte order mark, otherwise the declared charset if the bytes are
 * valid in it, otherwise a guess. Throws if the text looks like binary data.
 */
export async function decodeBytes(bytes: Uint8Array, declared?: string): Promise<DecodedText> {
  const charset = markOf(bytes) ?? declaredIfTrue(bytes, declared) ?? (await guess(bytes));
  const text = new TextDecoder(charset).decode(bytes);
  rejectBinary(text);
  return { text, charset };
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/**
 * Returns the declared charset if the bytes are valid in it, else undefined. Servers and web pages often declare a
 * wrong charset.
 */
function declaredIfTrue(bytes: Uint8Array, declared: string | undefined): string | undefined {
  if (declared === undefined || declared === '') return undefined;
  try {
    const decoder = new TextDecoder(declared.trim(), { fatal: true });
    // In single-byte charsets such as windows-1252, any bytes are valid, so bytes that are valid UTF-8 are read as
    // UTF-8.
    if (decoder.encoding.startsWith('windows-') && isValidIn(bytes, 'utf-8')) return 'utf-8';
    decoder.decode(bytes);
    return decoder.encoding;
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

async function guess(bytes: Uint8Array): Promise<string> {
  const sample = bytes.subarray(0, sampleBytes);
  const wide = wideCharset(sample);
  if (wide !== undefined) return wide;
  if (isValidIn(bytes, 'utf-8')) return hasJapaneseEscapes(sample) ? 'iso-2022-jp' : 'utf-8';
  const eastAsian = guessMultiByte(sample, (label) => isValidIn(sample, label));
  if (eastAsian !== undefined) return eastAsian;
  // chardet is a CommonJS package, which has only a default export in the bundle.
  const { analyse } = (await import('chardet')).default;
  for (const match of analyse(sample)) {
    try {
      const { encoding } = new TextDecoder(match.name);
      if (isValidIn(sample, encoding)) return encoding;
    } catch (error) {
      // The runtime has no decoder for this charset: try the next candidate.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  // Text with a few invalid bytes is still most likely UTF-8.
  return brokenShare(sample) < 0.05 ? 'utf-8' : 'windows-1252';
}

export function isValidIn(bytes: Uint8Array, label: string): boolean {
  try {
    // The bytes may be only the start of a text and end inside a character; `stream` accepts that.
    new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return false;
    throw error;
  }
}

function brokenShare(sample: Uint8Array): number {
  const text = new TextDecoder('utf-8').decode(sample);
  let broken = 0;
  for (let at = text.indexOf('\ufffd'); at !== -1; at = text.indexOf('\ufffd', at + 1)) broken++;
  return text.length === 0 ? 0 : broken / text.length;
}

/**
 * Detects UTF-16 without a byte order mark; returns undefined for other text. In UTF-16, ASCII text has zeros in every
 * other byte, and Chinese text has high bytes from 4E to 9F.
 */
function wideCharset(sample: Uint8Array): string | undefined {
  const pairs = Math.min(sample.length >> 1, 4_096);
  if (pairs < 2 || sample.length % 2 !== 0) return undefined;
  const plausible = [0, 0];
  const zeros = [0, 0];
  for (let pair = 0; pair < pairs; pair++) {
    for (const side of [0, 1] as const) {
      const high = sample[pair * 2 + side]!;
      const low = sample[pair * 2 + 1 - side]!;
      if (high === 0) zeros[side]!++;
      if ((high === 0 && low >= 9) || (high >= 0x4e && high <= 0x9f) || high === 0x30 || high === 0xff || high === 0x20)
        plausible[side]!++;
    }
  }
  // Text counts as UTF-16 only if it has zero bytes, as in line ends and spaces. Bytes 4E to 9F alone prove nothing:
  // they are the high bytes of most Chinese characters in UTF-16, but some are also ASCII letters.
  if (zeros[1]! > zeros[0]! * 4 && zeros[1]! > pairs / 100 && plausible[1]! > pairs * 0.9) return 'utf-16le';
  if (zeros[0]! > zeros[1]! * 4 && zeros[0]! > pairs / 100 && plausible[0]! > pairs * 0.9) return 'utf-16be';
  return undefined;
}

function hasJapaneseEscapes(sample: Uint8Array): boolean {
  for (let at = sample.indexOf(0x1b); at !== -1; at = sample.indexOf(0x1b, at + 1)) {
    if (sample[at + 1] === 0x24 && (sample[at + 2] === 0x42 || sample[at + 2] === 0x40)) return true;
  }
  return false;
}

/** Returns whether the text has so many control characters that it is probably binary data. */
export function looksBinary(text: string): boolean {
  let controls = 0;
  const length = Math.min(text.length, sampleBytes);
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 && code !== 9 && code !== 10 && code !== 13 && code !== 12 && code !== 0x1b && code !== 0x1a)
      controls++;
  }
  return controls > 2 && controls > length / 100;
}

function rejectBinary(text: string): void {
  if (looksBinary(text))
    throw new FormatError(
      'unsupported',
      'The file is not text: it is full of control characters. Check that it has the right extension.',
    );
}
