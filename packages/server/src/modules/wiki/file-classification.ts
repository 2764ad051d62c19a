import { FormatError, identify, checkFormat, type FormatKind } from '@sheaf/files';
import { fileFormats, mediaNumber, otherFormats } from '@sheaf/client/media-types';
import {
  contentTypeOf,
  extensionOf,
  knownExtensions,
  mediaType,
  plainContentType,
  recognize,
  storedExtension,
  type MediaType,
} from './media-types.ts';

/** Result of the classification of a file: the media type and format under which it is stored. */
export interface ClassifiedFile {
  type: MediaType;
  kind: FormatKind;
  contentType: string;
  /** Extension of the key under which the file is stored in the blob store, without dot. */
  extension: string;
}

/** Thrown if the bytes of a file contradict the format that its name or content type declares. */
export class FormatMismatch extends Error {}

export interface GivenFile {
  /**
   * The file's bytes. If the file is too large to be read completely, `whole` is false, and these are only as many of
   * its first bytes as format checks need (`formatCheckBytes`).
   */
  bytes: Uint8Array;
  whole: boolean;
  fileName: string;
  contentType: string;
}

/**
 * Maps a format to other formats whose files some programs save with its extension. For example, RTF files named
 * `.doc`, which Word opens.
 */
const disguises: Readonly<Partial<Record<FormatKind, readonly FormatKind[]>>> = {
  doc: ['rtf'],
  docx: ['rtf'],
};

/**
 * Determines the media type and format under which a file is stored. If the file name or content type declares a format
 * of the API specification, the bytes must have that format; otherwise throws FormatMismatch. Any other file is stored
 * in the format that its name and bytes show, as plain text, or as a file whose content is not read.
 */
export async function classifyFile(file: GivenFile): Promise<ClassifiedFile> {
  const declared = recognize(file.contentType, extensionOf(file.fileName));
  // A specific extension, such as .odt, takes precedence over a content type that only says zip or plain text: files of
  // the specific format are zip archives or texts too.
  const other = otherFormat(file, declared === undefined ? 'either' : 'extension');
  if (other && (await isOf(file, other.kind)))
    return unspecified(file, other.kind, other.mediaType, other.contentTypes[0]);
  if (!declared || other) return identified(file);
  try {
    return await specified(file, declared.type, declared.kind);
  } catch (error) {
    // Ignore the mismatch if the extension is unknown. The declared format then comes from the content type only, and
    // the program that sent the file may have guessed it.
    const extension = extensionOf(file.fileName);
    if (error instanceof FormatMismatch && extension !== '' && !knownExtensions.includes(extension))
      return identified(file);
    throw error;
  }
}

/**
 * Classifies a mail attachment. Unlike `classifyFile`, accepts a file that contradicts its name, because the sender of
 * the mail chose the name.
 */
export async function classifyAttachment(file: GivenFile): Promise<ClassifiedFile> {
  try {
    return await classifyFile(file);
  } catch (error) {
    if (error instanceof FormatMismatch) return identified(file);
    throw error;
  }
}

function otherFormat(
  { fileName, contentType }: GivenFile,
  by: 'either' | 'extension',
): (typeof otherFormats)[number] | undefined {
  const extension = extensionOf(fileName);
  const type = plainContentType(contentType);
  return (
    otherFormats.find(({ extensions }) => extensions.includes(extension)) ??
    (by === 'either' ? otherFormats.find(({ contentTypes }) => contentTypes.includes(type)) : undefined)
  );
}

async function specified(file: GivenFile, type: MediaType, kind: FormatKind): Promise<ClassifiedFile> {
  let message: string;
  try {
    const verdict = await checkFormat(file.bytes, kind, { whole: file.whole });
    if (verdict.ok) {
      const contentType = contentTypeOf(type, kind, verdict.contentType, file.contentType);
      return { type, kind, contentType, extension: storedExtension(type, kind, contentType) };
    }
    message = verdict.message;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    message = error.message;
  }
  for (const disguise of disguises[kind] ?? [])
    if (await isOf(file, disguise)) {
      const { mediaType: number, contentTypes } = otherFormats.find((one) => one.kind === disguise)!;
      return unspecified(file, disguise, number, contentTypes[0]);
    }
  throw new FormatMismatch(message);
}

async function identified(file: GivenFile): Promise<ClassifiedFile> {
  const kind = file.whole ? await identify(file.bytes) : undefined;
  if (kind !== undefined) {
    const known = fileFormats.find((one) => one.kind === kind);
    if (known) return specified(file, mediaType(known.mediaType)!, kind);
    const other = otherFormats.find((one) => one.kind === kind)!;
    return unspecified(file, kind, other.mediaType, other.contentTypes[0]);
  }
  if (await isOf(file, 'text')) return unspecified(file, 'text', mediaNumber.text, 'text/plain');
  const verdict = await checkFormat(file.bytes, 'file');
  const found = verdict.ok ? verdict.contentType : undefined;
  return unspecified(file, 'file', mediaNumber.text, found ?? plainContentType(file.contentType));
}

function unspecified(
  { fileName }: GivenFile,
  kind: FormatKind,
  number: number,
  contentType: string | undefined,
): ClassifiedFile {
  const extension = extensionOf(fileName);
  return {
    type: mediaType(number)!,
    kind,
    contentType: contentType || 'application/octet-stream',
    extension: /^[a-z0-9]{1,16}$/.test(extension) ? extension : 'bin',
  };
}

async function isOf({ bytes, whole }: GivenFile, kind: FormatKind): Promise<boolean> {
  try {
    return (await checkFormat(bytes, kind, { whole })).ok;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}
