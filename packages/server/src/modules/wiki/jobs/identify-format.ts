import { FormatError, checkFormat, type FormatKind } from '@sheaf/files';
import { mediaNumber } from '@sheaf/client/media-types';
import { mediaType } from '../media-types.ts';

/**
 * Formats that `identifyFormat` can recognize from a file's bytes, most reliable first. Text formats cannot be
 * recognized in this way.
 */
const recognizableKinds: readonly FormatKind[] = ['pdf', 'image', 'audio', 'docx', 'pptx', 'xlsx', 'xmind'];

/** Returns the format of a complete file, detected from its bytes; undefined for text and unknown formats. */
export async function identifyFormat(bytes: Uint8Array): Promise<FormatKind | undefined> {
  for (const kind of recognizableKinds) {
    if (await isOf(bytes, kind)) return kind;
  }
  return undefined;
}

async function isOf(bytes: Uint8Array, kind: FormatKind): Promise<boolean> {
  try {
    return (await checkFormat(bytes, kind, { whole: true })).ok;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

/**
 * Returns the maximum allowed size in bytes of a file that starts with the bytes `head`. If several media types have
 * this signature, returns the largest of their limits. Returns undefined if the signature is unknown, as for a web
 * page.
 */
export function maxBytesForHead(head: Uint8Array): number | undefined {
  const found = magicNumbers.find(({ mark, at = 0 }) => mark.every((byte, index) => head[at + index] === byte));
  if (found) return Math.max(...found.types.map((number) => mediaType(number)!.maxBytes));
  return isUnmarkedAudio(head) ? mediaType(mediaNumber.audio)!.maxBytes : undefined;
}

interface MagicNumber {
  readonly mark: readonly number[];
  readonly at?: number;
  /** Numbers of the media types whose files have this signature. */
  readonly types: readonly number[];
}

const magicNumbers: readonly MagicNumber[] = [
  { mark: [0x25, 0x50, 0x44, 0x46, 0x2d], types: [mediaNumber.pdf] },
  { mark: [0x50, 0x4b, 3, 4], types: [mediaNumber.word, mediaNumber.slides, mediaNumber.excel, mediaNumber.xmind] },
  { mark: [0xd0, 0xcf, 0x11, 0xe0], types: [mediaNumber.word, mediaNumber.slides, mediaNumber.excel] },
  { mark: [0x49, 0x44, 0x33], types: [mediaNumber.audio] },
  { mark: [0x52, 0x49, 0x46, 0x46], types: [mediaNumber.audio, mediaNumber.image] },
  { mark: [0x66, 0x74, 0x79, 0x70], at: 4, types: [mediaNumber.audio] },
  { mark: [0xff, 0xd8, 0xff], types: [mediaNumber.image] },
  { mark: [0x89, 0x50, 0x4e, 0x47], types: [mediaNumber.image] },
];

/**
 * Returns whether the bytes start with the 11-bit frame sync of MPEG audio, as audio files without metadata tags do.
 */
function isUnmarkedAudio(head: Uint8Array): boolean {
  return head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0 && head[1] !== 0xff && head[1] !== 0xfe;
}
