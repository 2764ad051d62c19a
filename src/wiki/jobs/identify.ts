import { FormatError, sniff, type FormatKind } from '../../formats/index.ts';

/** Kinds that bytes give away by themselves, the surest first. Text could be anything and is not among them. */
const telling: readonly FormatKind[] = ['pdf', 'image', 'audio', 'docx', 'pptx', 'xlsx', 'xmind'];

/** What a complete file is, whatever its sender called it; undefined for text and for what is not known. */
export async function identify(bytes: Uint8Array): Promise<FormatKind | undefined> {
  for (const kind of telling) {
    if (await isOf(bytes, kind)) return kind;
  }
  return undefined;
}

async function isOf(bytes: Uint8Array, kind: FormatKind): Promise<boolean> {
  try {
    return (await sniff(bytes, kind, { whole: true })).ok;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

/** Whether the first bytes are those of a packed or binary file, which may be larger than a page. */
export function looksPacked(head: Uint8Array): boolean {
  return marks.some((mark) => mark.every((byte, index) => head[index] === byte)) || head.subarray(0, 512).includes(0);
}

const marks: readonly (readonly number[])[] = [
  [0x25, 0x50, 0x44, 0x46, 0x2d],
  [0x50, 0x4b, 3, 4],
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x49, 0x44, 0x33],
  [0xff, 0xd8, 0xff],
];
