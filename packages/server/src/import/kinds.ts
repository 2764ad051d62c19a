import { mediaNumber } from '@sheaf/client/media-number';

/** The extensions of each type of file, the usual one first. */
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

/** As the server would decide; what it does not know it refuses by name. */
export function mediaTypeOf(extension: string): number {
  return extensions.find(([, ...known]) => known.includes(extension.toLowerCase()))?.[0] ?? mediaNumber.pdf;
}

/** Where only the type is known, not the name: an extension that the type has, the given one if it is one of them. */
export function extensionFor(mediaType: number, given: string): string | undefined {
  const known = extensions.find(([type]) => type === mediaType)?.slice(1) as string[] | undefined;
  return known?.includes(given.toLowerCase()) ? given : known?.[0];
}
