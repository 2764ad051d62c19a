import type { CellStyle } from './tile-cache.ts';

/** Horizontal distance between a cell's edge and its text, in pixels. */
export const cellPadding = 6;
export const pixelsPerPoint = 4 / 3;
const standardPixels = 13;

const fonts = new WeakMap<CellStyle, { family: string; font: string }>();

export function cssFont(look: CellStyle, family: string): string {
  const known = fonts.get(look);
  if (known?.family === family) return known.font;
  const font = makeFont(look, family);
  fonts.set(look, { family, font });
  return font;
}

export function fontPixels(look: CellStyle): number {
  return look.fontSize === undefined ? standardPixels : look.fontSize * pixelsPerPoint;
}

function makeFont(look: CellStyle, family: string): string {
  const size = fontPixels(look);
  const own = look.fontFamily === undefined ? '' : `"${look.fontFamily.replaceAll(/["\\]/g, '')}", `;
  return `${look.italic ? 'italic ' : ''}${look.bold ? '600 ' : ''}${size}px ${own}${family}`;
}

export function lineHeightOf(look: CellStyle): number {
  return fontPixels(look) * 1.35;
}
