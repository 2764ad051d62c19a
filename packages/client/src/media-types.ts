/**
 * Numbers of the media types in the API specification. The database and the API use the number, the code uses the name.
 */
export const mediaNumber = {
  pdf: 1,
  webPage: 2,
  word: 3,
  slides: 4,
  excel: 5,
  article: 6,
  markdown: 7,
  image: 9,
  note: 11,
  session: 12,
  text: 13,
  xmind: 14,
  audio: 15,
  videoPage: 16,
  html: 20,
  /** Marks a folder in lists and search results. No stored item has this type. */
  folder: 99,
} as const;

const office = 'application/vnd.openxmlformats-officedocument';
const markdown = 'text/markdown text/x-markdown application/md application/markdown';

/**
 * Formats that can be uploaded: file extension, media type, decoder in `@sheaf/files`, and accepted content types (the
 * preferred one first).
 */
export const fileFormats = (
  [
    ['pdf', 'pdf', 'pdf', 'application/pdf'],
    ['doc', 'word', 'doc', 'application/msword'],
    ['docx', 'word', 'docx', `${office}.wordprocessingml.document`],
    ['ppt', 'slides', 'ppt', 'application/vnd.ms-powerpoint'],
    ['pptx', 'slides', 'pptx', `${office}.presentationml.presentation`],
    ['xls', 'excel', 'xls', 'application/vnd.ms-excel'],
    ['xlsx', 'excel', 'xlsx', `${office}.spreadsheetml.sheet`],
    ['csv', 'excel', 'csv', 'text/csv'],
    ['md', 'markdown', 'markdown', markdown],
    ['markdown', 'markdown', 'markdown', markdown],
    ['png', 'image', 'image', 'image/png'],
    ['jpg', 'image', 'image', 'image/jpeg'],
    ['jpeg', 'image', 'image', 'image/jpeg'],
    ['webp', 'image', 'image', 'image/webp'],
    ['txt', 'text', 'text', 'text/plain'],
    ['xmind', 'xmind', 'xmind', 'application/x-xmind application/vnd.xmind.workbook application/zip'],
    ['mp3', 'audio', 'audio', 'audio/mpeg'],
    ['m4a', 'audio', 'audio', 'audio/x-m4a'],
    ['wav', 'audio', 'audio', 'audio/wav'],
    ['aac', 'audio', 'audio', 'audio/aac'],
    ['html', 'html', 'html', 'text/html'],
    ['htm', 'html', 'html', 'text/html'],
  ] as const
).map(([extension, media, kind, contentTypes]) => ({
  extension,
  mediaType: mediaNumber[media],
  kind,
  contentTypes: contentTypes.split(' '),
}));

const openDocument = 'application/vnd.oasis.opendocument';

/**
 * Formats that are accepted for upload in addition to those of the API specification. Each entry holds the file
 * extensions, the nearest media type of the specification, the decoder, and the content types.
 */
export const otherFormats = (
  [
    ['odt ott', 'word', 'odt', `${openDocument}.text ${openDocument}.text-template`],
    ['rtf', 'word', 'rtf', 'application/rtf text/rtf text/richtext'],
    ['odp otp', 'slides', 'odp', `${openDocument}.presentation ${openDocument}.presentation-template`],
    ['ods ots', 'excel', 'ods', `${openDocument}.spreadsheet ${openDocument}.spreadsheet-template`],
    ['xlsb', 'excel', 'xlsb', 'application/vnd.ms-excel.sheet.binary.macroenabled.12'],
    ['epub', 'text', 'epub', 'application/epub+zip'],
    ['eml', 'text', 'eml', 'message/rfc822'],
    ['msg', 'text', 'msg', 'application/vnd.ms-outlook'],
    ['mbox mbx', 'text', 'mbox', 'application/mbox'],
    ['svg', 'text', 'svg', 'image/svg+xml'],
    ['zip', 'text', 'zip', 'application/zip application/x-zip-compressed'],
    ['json', 'text', 'text', 'application/json'],
  ] as const
).map(([extensions, media, kind, contentTypes]) => ({
  extensions: extensions.split(' '),
  mediaType: mediaNumber[media],
  kind,
  contentTypes: contentTypes.split(' '),
}));

const pageTypes: readonly number[] = [mediaNumber.webPage, mediaNumber.article];
const referenceTypes: readonly number[] = [mediaNumber.note, mediaNumber.session];

/** Returns whether items of this media type are web pages, whose content is fetched from a URL. */
export function isPage(mediaType: number): boolean {
  return pageTypes.includes(mediaType);
}

/**
 * Returns whether items of this media type are notes or AI sessions. Such an item only references text that is stored
 * elsewhere.
 */
export function isReference(mediaType: number): boolean {
  return referenceTypes.includes(mediaType);
}

/** Returns whether items of this media type are uploaded files. Only those have a file name. */
export function isFileType(mediaType: number): boolean {
  return !isPage(mediaType) && !isReference(mediaType) && mediaType !== mediaNumber.videoPage;
}
