import { fileFormats, mediaNumber } from '@sheaf/client/media-types';

/** Extensions of today's Office files; for other media types, the first of the table is the usual one. */
const usual: Readonly<Record<number, string>> = {
  [mediaNumber.word]: 'docx',
  [mediaNumber.slides]: 'pptx',
  [mediaNumber.excel]: 'xlsx',
};

/** Media type by extension, as the server decides. The server rejects files with an unknown extension by their name. */
export function mediaTypeOf(extension: string): number {
  return fileFormats.find((one) => one.extension === extension.toLowerCase())?.mediaType ?? mediaNumber.pdf;
}

/** An extension for a media type: the given one if it fits, otherwise the usual one. */
export function extensionFor(mediaType: number, given: string): string | undefined {
  const known = fileFormats.filter((one) => one.mediaType === mediaType);
  if (known.some((one) => one.extension === given.toLowerCase())) return given;
  return usual[mediaType] ?? known[0]?.extension;
}
