/** The media types of the specification by name: stores keep the number, the wire shows it, code reads the name. */
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
  /** Folders in lists and results. */
  folder: 99,
} as const;

const pages: readonly number[] = [mediaNumber.webPage, mediaNumber.article];
const elsewhere: readonly number[] = [mediaNumber.note, mediaNumber.session];

/** Read from an address. */
export function isPage(mediaType: number): boolean {
  return pages.includes(mediaType);
}

/** A note or an AI session: its text lives with its author, the item only points to it. */
export function isReference(mediaType: number): boolean {
  return elsewhere.includes(mediaType);
}

/** Only what was uploaded as a file has a file's name. */
export function isFileType(mediaType: number): boolean {
  return !isPage(mediaType) && !isReference(mediaType) && mediaType !== mediaNumber.videoPage;
}
