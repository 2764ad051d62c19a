import type { FormatKind } from '@sheaf/files';
import { mediaNumber } from '@sheaf/client/media-types';

const mb = 2 ** 20;

/** How an item of this type is added: as bytes, by URL, by the id of a note or session, or not at all. */
export type AddedBy = 'file' | 'web' | 'note' | 'session' | 'never';

export interface MediaType {
  readonly number: number;
  readonly name: string;
  /** Content type -> decoder. */
  readonly contentTypes: Readonly<Record<string, FormatKind>>;
  /** Extension without dot -> decoder. */
  readonly extensions: Readonly<Record<string, FormatKind>>;
  /** In bytes; Infinity if the type has no limit. */
  readonly maxBytes: number;
  readonly addedBy: AddedBy;
}

const file = (
  number: number,
  name: string,
  megabytes: number,
  contentTypes: Record<string, FormatKind>,
  extensions: Record<string, FormatKind>,
): MediaType => ({
  number,
  name,
  contentTypes,
  extensions,
  maxBytes: megabytes * mb,
  addedBy: 'file',
});

const other = (number: number, name: string, addedBy: AddedBy): MediaType => ({
  number,
  name,
  contentTypes: {},
  extensions: {},
  maxBytes: Infinity,
  addedBy,
});

const office = 'application/vnd.openxmlformats-officedocument';

/** The media types of the specification. */
export const mediaTypes: readonly MediaType[] = [
  file(mediaNumber.pdf, 'PDF', 200, { 'application/pdf': 'pdf' }, { pdf: 'pdf' }),
  other(mediaNumber.webPage, 'web page', 'web'),
  file(
    mediaNumber.word,
    'Word',
    200,
    { 'application/msword': 'doc', [`${office}.wordprocessingml.document`]: 'docx' },
    { doc: 'doc', docx: 'docx' },
  ),
  file(
    mediaNumber.slides,
    'PPT',
    200,
    { 'application/vnd.ms-powerpoint': 'ppt', [`${office}.presentationml.presentation`]: 'pptx' },
    { ppt: 'ppt', pptx: 'pptx' },
  ),
  file(
    mediaNumber.excel,
    'Excel',
    10,
    { 'application/vnd.ms-excel': 'xls', [`${office}.spreadsheetml.sheet`]: 'xlsx', 'text/csv': 'csv' },
    { xls: 'xls', xlsx: 'xlsx', csv: 'csv' },
  ),
  other(mediaNumber.article, 'official-account article', 'web'),
  file(
    mediaNumber.markdown,
    'Markdown',
    10,
    {
      'text/markdown': 'markdown',
      'text/x-markdown': 'markdown',
      'application/md': 'markdown',
      'application/markdown': 'markdown',
    },
    { md: 'markdown', markdown: 'markdown' },
  ),
  file(
    mediaNumber.image,
    'image',
    30,
    { 'image/png': 'image', 'image/jpeg': 'image', 'image/webp': 'image' },
    { png: 'image', jpg: 'image', jpeg: 'image', webp: 'image' },
  ),
  other(mediaNumber.note, 'note', 'note'),
  other(mediaNumber.session, 'AI session', 'session'),
  file(mediaNumber.text, 'TXT', 10, { 'text/plain': 'text' }, { txt: 'text' }),
  file(
    mediaNumber.xmind,
    'Xmind',
    10,
    { 'application/x-xmind': 'xmind', 'application/vnd.xmind.workbook': 'xmind', 'application/zip': 'xmind' },
    { xmind: 'xmind' },
  ),
  file(
    mediaNumber.audio,
    'audio',
    200,
    { 'audio/mpeg': 'audio', 'audio/x-m4a': 'audio', 'audio/wav': 'audio', 'audio/aac': 'audio' },
    { mp3: 'audio', m4a: 'audio', wav: 'audio', aac: 'audio' },
  ),
  other(mediaNumber.videoPage, 'video page', 'never'),
  file(mediaNumber.html, 'HTML', 10, { 'text/html': 'html' }, { html: 'html', htm: 'html' }),
];

const byNumber = new Map(mediaTypes.map((type) => [type.number, type]));
const byContentType = indexed((type) => type.contentTypes);
const byExtension = indexed((type) => type.extensions);

export interface Recognized {
  type: MediaType;
  kind: FormatKind;
}

function indexed(keys: (type: MediaType) => Readonly<Record<string, FormatKind>>): Map<string, Recognized> {
  return new Map(
    mediaTypes.flatMap((type) => Object.entries(keys(type)).map(([key, kind]) => [key, { type, kind }] as const)),
  );
}

export function mediaType(number: number): MediaType | undefined {
  return byNumber.get(number);
}

export const mediaTypeNumbers = mediaTypes.map((type) => type.number);

/** The content type in lower case without parameters; '' if it is not one. */
export function plainContentType(contentType: string): string {
  const plain = contentType.split(';', 1)[0]!.trim().toLowerCase();
  return /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/.test(plain) ? plain : '';
}

/** The extension in lower case, without the dot. */
export function plainExtension(extension: string): string {
  return extension.trim().toLowerCase().replace(/^\./, '');
}

export function extensionOf(fileName: string): string {
  return plainExtension(/\.([^./\\]+)$/.exec(fileName.trim())?.[1] ?? '');
}

/** Recognizes a file by its content type, else by its extension; undefined if neither is known. */
export function recognize(contentType: string, extension: string): Recognized | undefined {
  const declared = byContentType.get(plainContentType(contentType));
  const named = byExtension.get(plainExtension(extension));
  return isExcelsOwnCsv(declared, named) ? named : (declared ?? named);
}

/** With Excel installed, browsers declare .csv files as Excel workbooks; the extension is right then. */
function isExcelsOwnCsv(declared: Recognized | undefined, named: Recognized | undefined): boolean {
  return declared?.kind === 'xls' && named?.kind === 'csv';
}

/** The requested media type, if the content type or the extension matches it. */
export function recognizeAs(number: number, contentType: string, extension: string): Recognized | undefined {
  const named = byExtension.get(plainExtension(extension));
  return [recognize(contentType, extension), named].find((each) => each?.type.number === number);
}

/** The content type to serve for bytes of this kind. `given`: candidates, most reliable first. */
export function contentTypeOf(type: MediaType, kind: FormatKind, ...given: (string | undefined)[]): string {
  const known = given.map((one) => plainContentType(one ?? '')).find((plain) => type.contentTypes[plain] === kind);
  if (known !== undefined) return known;
  return Object.entries(type.contentTypes).find(([, each]) => each === kind)?.[0] ?? 'application/octet-stream';
}

/** Extensions for kinds with several content types. */
const extensionOfType: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'audio/mpeg': 'mp3',
  'audio/x-m4a': 'm4a',
  'audio/wav': 'wav',
  'audio/aac': 'aac',
};

/** The content type of an extension, for kinds with several content types. */
export function contentTypeOfExtension(extension: string): string | undefined {
  const plain = plainExtension(extension) === 'jpeg' ? 'jpg' : plainExtension(extension);
  return Object.keys(extensionOfType).find((each) => extensionOfType[each] === plain);
}

/** The extension under which a file is stored. */
export function storedExtension(type: MediaType, kind: FormatKind, contentType: string): string {
  return (
    extensionOfType[contentType] ?? Object.keys(type.extensions).find((each) => type.extensions[each] === kind) ?? ''
  );
}

export const knownExtensions = [...byExtension.keys()];
