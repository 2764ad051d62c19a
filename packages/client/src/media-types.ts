/** Media types of the specification. Databases and the API use the number, code uses the name. */
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
  /** Folders in lists and search results. */
  folder: 99,
} as const;

const pageTypes: readonly number[] = [mediaNumber.webPage, mediaNumber.article];
const referenceTypes: readonly number[] = [mediaNumber.note, mediaNumber.session];

/** True for items fetched from a URL. */
export function isPage(mediaType: number): boolean {
  return pageTypes.includes(mediaType);
}

/** True for a note or an AI session: the item only refers to it, and the text is stored with its author. */
export function isReference(mediaType: number): boolean {
  return referenceTypes.includes(mediaType);
}

/** True for uploaded files, the only items with a file name. */
export function isFileType(mediaType: number): boolean {
  return !isPage(mediaType) && !isReference(mediaType) && mediaType !== mediaNumber.videoPage;
}
