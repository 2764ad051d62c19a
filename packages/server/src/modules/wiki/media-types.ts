import type { FormatKind } from '@sheaf/files';
import { fileFormats, mediaNumber } from '@sheaf/client/media-types';

const mb = 2 ** 20;

/**
 * How an item of a media type is added to a knowledge base: as bytes, by URL, by the id of a note or AI session, or not
 * at all.
 */
export type AddedBy = 'file' | 'web' | 'note' | 'session' | 'never';

export interface MediaType {
  readonly number: number;
  readonly name: string;
  /** File formats of this media type, by content type. */
  readonly contentTypes: Readonly<Record<string, FormatKind>>;
  /** File formats of this media type, by file name extension (without dot). */
  readonly extensions: Readonly<Record<string, FormatKind>>;
  /** Maximum size in bytes; Infinity if the type has no limit. */
  readonly maxBytes: number;
  readonly addedBy: AddedBy;
}

const file = (number: number, name: string, megabytes: number): MediaType => {
  const formats = fileFormats.filter(({ mediaType }) => mediaType === number);
  return {
    number,
    name,
    contentTypes: Object.fromEntries(formats.flatMap((one) => one.contentTypes.map((type) => [type, one.kind]))),
    extensions: Object.fromEntries(formats.map((one) => [one.extension, one.kind])),
    maxBytes: megabytes * mb,
    addedBy: 'file',
  };
};

const other = (number: number, name: string, addedBy: AddedBy): MediaType => ({
  number,
  name,
  contentTypes: {},
  extensions: {},
  maxBytes: Infinity,
  addedBy,
});

/** Media types of the API specification. The last argument of `file` is the maximum size in megabytes. */
export const mediaTypes: readonly MediaType[] = [
  file(mediaNumber.pdf, 'PDF', 200),
  other(mediaNumber.webPage, 'web page', 'web'),
  file(mediaNumber.word, 'Word', 200),
  file(mediaNumber.slides, 'PPT', 200),
  file(mediaNumber.excel, 'Excel', 10),
  other(mediaNumber.article, 'official-account article', 'web'),
  file(mediaNumber.markdown, 'Markdown', 10),
  file(mediaNumber.image, 'image', 30),
  other(mediaNumber.note, 'note', 'note'),
  other(mediaNumber.session, 'AI session', 'session'),
  file(mediaNumber.text, 'TXT', 10),
  file(mediaNumber.xmind, 'Xmind', 10),
  file(mediaNumber.audio, 'audio', 200),
  other(mediaNumber.videoPage, 'video page', 'never'),
  file(mediaNumber.html, 'HTML', 10),
];

const byNumber = new Map(mediaTypes.map((type) => [type.number, type]));
const byContentType = indexed((type) => type.contentTypes);
const byExtension = indexed((type) => type.extensions);

export interface RecognizedFormat {
  type: MediaType;
  kind: FormatKind;
}

function indexed(keys: (type: MediaType) => Readonly<Record<string, FormatKind>>): Map<string, RecognizedFormat> {
  return new Map(
    mediaTypes.flatMap((type) => Object.entries(keys(type)).map(([key, kind]) => [key, { type, kind }] as const)),
  );
}

export function mediaType(number: number): MediaType | undefined {
  return byNumber.get(number);
}

export const mediaTypeNumbers = mediaTypes.map((type) => type.number);

/** Returns a content type in lower case without parameters; '' if the text is not a content type. */
export function plainContentType(contentType: string): string {
  const plain = contentType.split(';', 1)[0]!.trim().toLowerCase();
  return /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/.test(plain) ? plain : '';
}

export function plainExtension(extension: string): string {
  return extension.trim().toLowerCase().replace(/^\./, '');
}

export function extensionOf(fileName: string): string {
  return plainExtension(/\.([^./\\]+)$/.exec(fileName.trim())?.[1] ?? '');
}

/**
 * Returns a file's media type and format, by its content type or else by its extension. Returns undefined if both are
 * unknown.
 */
export function recognize(contentType: string, extension: string): RecognizedFormat | undefined {
  const declared = byContentType.get(plainContentType(contentType));
  const named = byExtension.get(plainExtension(extension));
  return isExcelsOwnCsv(declared, named) ? named : (declared ?? named);
}

/**
 * Returns whether a .csv file is declared as an Excel workbook. Browsers do this if Excel is installed; the extension
 * is then right.
 */
function isExcelsOwnCsv(declared: RecognizedFormat | undefined, named: RecognizedFormat | undefined): boolean {
  return declared?.kind === 'xls' && named?.kind === 'csv';
}

/**
 * Returns the media type `number` and the file's format if the content type or the extension belongs to this media
 * type; undefined otherwise.
 */
export function recognizeAs(number: number, contentType: string, extension: string): RecognizedFormat | undefined {
  const named = byExtension.get(plainExtension(extension));
  return [recognize(contentType, extension), named].find((each) => each?.type.number === number);
}

/**
 * Returns the content type for serving a file of this format: the first one in `given` that belongs to the format, or
 * else the format's default content type.
 */
export function contentTypeOf(type: MediaType, kind: FormatKind, ...given: (string | undefined)[]): string {
  const known = given.map((one) => plainContentType(one ?? '')).find((plain) => type.contentTypes[plain] === kind);
  if (known !== undefined) return known;
  return Object.entries(type.contentTypes).find(([, each]) => each === kind)?.[0] ?? 'application/octet-stream';
}

/**
 * Formats of image and audio files. All image formats have the same `kind`, and so do all audio formats. Their content
 * types are therefore found by the extension.
 */
const typedByExtension = fileFormats.filter(({ kind }) => kind === 'image' || kind === 'audio');

/** Returns the content type for the extension of an image or audio file; undefined for all other extensions. */
export function contentTypeOfExtension(extension: string): string | undefined {
  return typedByExtension.find((one) => one.extension === plainExtension(extension))?.contentTypes[0];
}

export function storedExtension(type: MediaType, kind: FormatKind, contentType: string): string {
  return (
    typedByExtension.find(({ contentTypes }) => contentTypes.includes(contentType))?.extension ??
    Object.keys(type.extensions).find((each) => type.extensions[each] === kind) ??
    ''
  );
}

/** Returns whether the API specification's table of types contains this content type. */
export function isSpecified(contentType: string): boolean {
  return byContentType.has(contentType);
}

export const knownExtensions = [...byExtension.keys()];
