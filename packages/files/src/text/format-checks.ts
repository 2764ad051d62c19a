import { fileTypeFromBuffer } from 'file-type';
import { detectAudioFormat } from './audio-duration.ts';
import { looksBinary } from './charset.ts';
import { isCompoundFile, openCompound } from '../containers/compound-file.ts';
import { isEncryptedPackage } from '../containers/ooxml-crypto.ts';
import { defaultLimits } from '../decode-types.ts';
import { isMsg, isRtf } from './file-signatures.ts';
import { isXmindArchive } from './xmind.ts';
import { isZip, openZip, type ZipArchive } from '../zip/reader.ts';

/** Result of a format check. `contentType` is set for kinds that cover several content types. */
export type FormatCheckResult = { ok: true; contentType?: string } | { ok: false; message: string };

/** Number of leading bytes that a format check needs if it does not get the whole file. */
export const formatCheckBytes = 8_192;

const okay: FormatCheckResult = { ok: true };

/**
 * Function that checks whether bytes have the expected format. If `whole` is true, the bytes are the complete file, and
 * the contents of an archive or compound file are checked too.
 */
export type FormatCheck = (bytes: Uint8Array, whole: boolean) => Promise<FormatCheckResult>;

export const checkPdf: FormatCheck = async (bytes) => (startsPdf(bytes) ? okay : refuse(bytes, 'a PDF'));

export const checkImage: FormatCheck = async (bytes) => {
  const found = await fileTypeFromBuffer(bytes.subarray(0, formatCheckBytes));
  return found !== undefined && ['image/png', 'image/jpeg', 'image/webp'].includes(found.mime)
    ? { ok: true, contentType: found.mime }
    : refuse(bytes, 'a png, jpeg or webp picture');
};

/**
 * Returns whether the first kilobyte contains the PDF marker. PDF readers accept some bytes before the marker, and such
 * files exist.
 */
export function hasPdfMark(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 1_024)).includes('%PDF-') && !isZip(bytes);
}

/** Returns whether bytes have the PDF marker, or start with an object of a PDF because the marker was lost. */
export function startsPdf(bytes: Uint8Array): boolean {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024));
  return hasPdfMark(bytes) || /^\s*(?:%[^\r\n]*[\r\n]\s*)?\d+\s+\d+\s+obj\b/.test(start);
}

async function refuse(bytes: Uint8Array, expected: string): Promise<FormatCheckResult> {
  const found = await typeOf(bytes);
  const actual = found === undefined ? '' : ` They look like ${found}.`;
  return { ok: false, message: `The file contents are not ${expected}.${actual} Check the file and its extension.` };
}

async function typeOf(bytes: Uint8Array): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(bytes.subarray(0, formatCheckBytes)))?.mime;
  } catch (error) {
    // The library throws if the file ends unexpectedly. Its type is then unknown.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/**
 * Checks for an Office format. A ZIP archive (OOXML) must contain entries in `folder`; a compound file must contain one
 * of `streams` or an encrypted OOXML package. If only the start of a file is given, the check is less strict.
 */
export async function checkOffice(
  bytes: Uint8Array,
  whole: boolean,
  expected: string,
  folder: string,
  streams: readonly string[],
): Promise<FormatCheckResult> {
  if (isZip(bytes)) {
    const names = whole ? zipNames(bytes) : undefined;
    if (names === undefined) return headNames(bytes).some(foreignTo(folder)) ? refuse(bytes, expected) : okay;
    return names.some((name) => name.startsWith(folder)) ? okay : refuse(bytes, expected);
  }
  if (!isCompoundFile(bytes)) return refuse(bytes, expected);
  if (!whole) return okay;
  const file = openCompound(bytes);
  return isEncryptedPackage(file) || streams.some((name) => file.has(name)) ? okay : refuse(bytes, expected);
}

/**
 * Returns a function that tells whether a ZIP entry name belongs to another program than the one with the folder `own`.
 * Shared entries such as docProps/ belong to no program.
 */
function foreignTo(own: string): (name: string) => boolean {
  const others = ['word/', 'ppt/', 'xl/'].filter((folder) => folder !== own);
  return (name) =>
    others.some((folder) => name.startsWith(folder)) || name === 'content.json' || name === 'content.xml';
}

function zipNames(bytes: Uint8Array): string[] {
  return [...openZip(bytes, defaultLimits).entries.keys()];
}

/**
 * Returns the entry names in the ZIP local headers at the start of a file. Stops after an entry without a stated size,
 * because the position of the next header is then unknown.
 */
function headNames(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names: string[] = [];
  for (let at = 0; at + 30 <= bytes.length && view.getUint32(at, true) === 0x04034b50;) {
    const nameEnd = at + 30 + view.getUint16(at + 26, true);
    names.push(new TextDecoder().decode(bytes.subarray(at + 30, nameEnd)));
    if ((view.getUint16(at + 6, true) & 8) !== 0) break;
    at = nameEnd + view.getUint16(at + 28, true) + view.getUint32(at + 18, true);
  }
  return names;
}

export const checkXmind: FormatCheck = async (bytes, whole) => {
  if (!isZip(bytes)) return refuse(bytes, 'an Xmind file');
  if (!whole)
    return headNames(bytes).some((name) => /^(?:word|ppt|xl)\//.test(name)) ? refuse(bytes, 'an Xmind file') : okay;
  if (isXmindArchive(openZip(bytes, defaultLimits))) return okay;
  return {
    ok: false,
    message:
      'The archive is not an Xmind file: it contains neither content.json nor content.xml. Other zip files cannot be added.',
  };
};

/**
 * Creates a check for a format that is a ZIP archive. `isOne` recognizes the format by the archive's entries. If only
 * the start of a file is given, any ZIP archive is accepted.
 */
export function archiveCheck(expected: string, isOne: (archive: ZipArchive) => boolean): FormatCheck {
  return async (bytes, whole) =>
    isZip(bytes) && (!whole || isOne(openZip(bytes, defaultLimits))) ? okay : refuse(bytes, expected);
}

export const checkZip: FormatCheck = async (bytes) => (isZip(bytes) ? okay : refuse(bytes, 'a zip archive'));

export const checkRtf: FormatCheck = async (bytes) => (isRtf(bytes) ? okay : refuse(bytes, 'an RTF document'));

export const checkMsg: FormatCheck = async (bytes, whole) =>
  isCompoundFile(bytes) && (!whole || isMsg(openCompound(bytes))) ? okay : refuse(bytes, 'an Outlook mail');

/** Creates a check for a text format. The text, without leading white space, must match `start`. */
export function textStartCheck(expected: string, start: RegExp): FormatCheck {
  return async (bytes) => {
    const verdict = await checkText(bytes, expected);
    if (!verdict.ok) return verdict;
    const head = new TextDecoder('latin1')
      .decode(bytes.subarray(0, formatCheckBytes))
      .replace(/^(?:\u00ef\u00bb\u00bf)?\s*/, '');
    return start.test(head) ? okay : refuse(bytes, expected);
  };
}

/** Accepts any file, and returns its content type if its first bytes show it. */
export const acceptAny: FormatCheck = async (bytes) => {
  const found = await typeOf(bytes);
  return found === undefined ? okay : { ok: true, contentType: found };
};

const soundTypes = { mp3: 'audio/mpeg', m4a: 'audio/x-m4a', wav: 'audio/wav', aac: 'audio/aac' } as const;

export const checkAudio: FormatCheck = async (bytes) => {
  const form = detectAudioFormat(bytes);
  return form === undefined
    ? refuse(bytes, 'an mp3, m4a, wav or aac recording')
    : { ok: true, contentType: soundTypes[form] };
};

const binaryMarks: ReadonlyArray<readonly number[]> = [
  [0x25, 0x50, 0x44, 0x46, 0x2d],
  [0x50, 0x4b, 3, 4],
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x47, 0x49, 0x46, 0x38],
  [0x1f, 0x8b],
  [0x7f, 0x45, 0x4c, 0x46],
  [0x37, 0x7a, 0xbc, 0xaf],
  [0x52, 0x61, 0x72, 0x21],
  [0x7b, 0x5c, 0x72, 0x74, 0x66],
];

export async function checkText(bytes: Uint8Array, expected: string): Promise<FormatCheckResult> {
  if (binaryMarks.some((mark) => mark.every((byte, index) => bytes[index] === byte)) || detectAudioFormat(bytes))
    return refuse(bytes, expected);
  const head = bytes.subarray(0, formatCheckBytes);
  if (hasWideMark(head)) return okay;
  const text = new TextDecoder('latin1').decode(head);
  if (!looksBinary(text) || mostlyWide(head)) return okay;
  return refuse(bytes, expected);
}

function hasWideMark(head: Uint8Array): boolean {
  return (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
}

/** Returns whether the bytes look like UTF-16 without a byte order mark: many zeros, nearly all in every other byte. */
function mostlyWide(head: Uint8Array): boolean {
  const zeros = [0, 0];
  head.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2]!++;
  });
  return Math.max(...zeros) > head.length / 8 && Math.min(...zeros) < head.length / 100;
}
