import type { Look } from './tiles.ts';

/** Distance between a cell's edge and its text. */
export const padding = 6;
export const pixelsPerPoint = 4 / 3;
const standardPixels = 13;

const fonts = new WeakMap<Look, { family: string; font: string }>();

export function fontOf(look: Look, family: string): string {
  const known = fonts.get(look);
  if (known?.family === family) return known.font;
  const font = makeFont(look, family);
  fonts.set(look, { family, font });
  return font;
}

/** Returns the font size in pixels. */
export function pixelsOf(look: Look): number {
  return look.fontSize === undefined ? standardPixels : look.fontSize * pixelsPerPoint;
}

function makeFont(look: Look, family: string): string {
  const size = pixelsOf(look);
  const own = look.fontFamily === undefined ? '' : `"${look.fontFamily.replaceAll(/["\\]/g, '')}", `;
  return `${look.italic ? 'italic ' : ''}${look.bold ? '600 ' : ''}${size}px ${own}${family}`;
}

export function lineHeightOf(look: Look): number {
  return pixelsOf(look) * 1.35;
}
