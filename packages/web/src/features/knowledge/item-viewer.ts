import { mediaNumber } from '@sheaf/client/media-types';

/**
 * Viewer that displays the original file of an item in a knowledge base. An item without a viewer shows its extracted
 * text. If the item is an image or audio, the image or audio itself is shown above the text.
 */
export type ItemViewer = 'pages' | 'markdown' | 'workbook' | 'office' | 'html' | 'code' | 'mail';

/** Syntax highlighting language of each file extension that is not itself the name of its language. */
const languages: Readonly<Record<string, string>> = {
  mjs: 'js',
  cjs: 'js',
  mts: 'ts',
  cts: 'ts',
  h: 'c',
  hpp: 'cpp',
  cc: 'cpp',
  cxx: 'cpp',
  kt: 'kotlin',
  htm: 'html',
  yml: 'yaml',
  pl: 'perl',
  ex: 'elixir',
  exs: 'elixir',
};
const known = new Set(
  (
    'js jsx ts tsx java c cpp cs go rs swift kotlin scala php dart json json5 css scss py sh bash zsh rb perl r yaml toml ' +
    'ini sql lua hs xml vue elixir'
  ).split(' '),
);

export function extensionOf(title: string): string {
  return /\.([^./\\]+)$/.exec(title)?.[1]?.toLowerCase() ?? '';
}

/** Returns the syntax highlighting language of a file name, or undefined if the file is not source code. */
export function languageOf(title: string): string | undefined {
  const extension = extensionOf(title);
  const language = languages[extension] ?? extension;
  return known.has(language) ? language : undefined;
}

/**
 * Returns the viewer for an item's original file. Returns undefined if there is none, as for images and audio, which
 * are shown together with the extracted text.
 */
export function viewerOf({
  type,
  title,
  contentType,
}: {
  type: number;
  title: string;
  contentType: string | undefined;
}): ItemViewer | undefined {
  const extension = extensionOf(title);
  if (type === mediaNumber.pdf) return 'pages';
  if (type === mediaNumber.markdown) return 'markdown';
  if (type === mediaNumber.html) return 'html';
  if (type === mediaNumber.excel && contentType === undefined) return 'workbook';
  if (type === mediaNumber.word || type === mediaNumber.slides)
    return extension === 'docx' || extension === 'pptx' ? 'office' : undefined;
  if (type !== mediaNumber.text) return undefined;
  if (extension === 'eml' || extension === 'msg') return 'mail';
  return languageOf(title) === undefined ? undefined : 'code';
}
