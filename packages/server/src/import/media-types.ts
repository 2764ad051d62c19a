import { mediaNumber } from '@sheaf/client/media-types';

/** File extensions of each media type, the usual one first. */
const extensions: readonly (readonly [mediaType: number, ...extensions: string[]])[] = [
  [mediaNumber.pdf, 'pdf'],
  [mediaNumber.word, 'docx', 'doc'],
  [mediaNumber.slides, 'pptx', 'ppt'],
  [mediaNumber.excel, 'xlsx', 'xls', 'csv'],
  [mediaNumber.markdown, 'md', 'markdown'],
  [mediaNumber.image, 'png', 'jpg', 'jpeg', 'webp'],
  [mediaNumber.text, 'txt'],
  [mediaNumber.xmind, 'xmind'],
  [mediaNumber.audio, 'mp3', 'm4a', 'wav', 'aac'],
  [mediaNumber.html, 'html', 'htm'],
];

/** Media type by extension, as the server decides. The server rejects files with an unknown extension by their name. */
export function mediaTypeOf(extension: string): number {
  return extensions.find(([, ...known]) => known.includes(extension.toLowerCase()))?.[0] ?? mediaNumber.pdf;
}

/** An extension for a media type: the given one if it fits, otherwise the usual one. */
export function extensionFor(mediaType: number, given: string): string | undefined {
  const known = extensions.find(([type]) => type === mediaType)?.slice(1) as string[] | undefined;
  return known?.includes(given.toLowerCase()) ? given : known?.[0];
}
