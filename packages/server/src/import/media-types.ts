import { fileFormats, mediaNumber } from '@sheaf/client/media-types';

/**
 * Extensions to use for Office files, whose media types have several. For other media types, the first extension in
 * `fileFormats` is used.
 */
const usual: Readonly<Record<number, string>> = {
  [mediaNumber.word]: 'docx',
  [mediaNumber.slides]: 'pptx',
  [mediaNumber.excel]: 'xlsx',
};

/**
 * Returns the number of the media type that the API specification assigns to a file extension. Returns undefined if the
 * specification does not list the extension.
 */
export function mediaTypeOf(extension: string): number | undefined {
  return fileFormats.find((one) => one.extension === extension.toLowerCase())?.mediaType;
}

/**
 * Returns an extension for a media type: the given one if it fits, otherwise the preferred one. Undefined if the media
 * type is unknown.
 */
export function extensionFor(mediaType: number, given: string): string | undefined {
  const known = fileFormats.filter((one) => one.mediaType === mediaType);
  if (known.some((one) => one.extension === given.toLowerCase())) return given;
  return usual[mediaType] ?? known[0]?.extension;
}
