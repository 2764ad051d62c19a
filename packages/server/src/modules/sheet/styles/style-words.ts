import { invalid } from '../errors.ts';
import type { Region, StylePatch } from '@sheaf/engine/internal/document';
import { setBorder, setStyle, type Mutation } from '@sheaf/engine/internal/mutations';
import { borderStyles, buildBorders } from './borders.ts';
import { normalizeArgb, normalizeRgb } from './colors.ts';

const switches: Readonly<Record<string, StylePatch>> = {
  bold: { bold: true },
  italic: { italic: true },
  underline: { underline: 'single' },
  strike: { strikeThrough: true },
  wrap: { wrapText: true },
  left: { horizontalAlign: 'left' },
  center: { horizontalAlign: 'center' },
  right: { horizontalAlign: 'right' },
  fill: { horizontalAlign: 'fill' },
  justify: { horizontalAlign: 'justify' },
  top: { verticalAlign: 'top' },
  middle: { verticalAlign: 'center' },
  bottom: { verticalAlign: null },
};

const underlines = new Set(['single', 'double', 'single_accounting', 'double_accounting']);
const sides = ['top', 'bottom', 'left', 'right'];
const maxFontSize = 409;
const longestFont = 100;

/**
 * Returns the mutations that set a style given in words, such as `bold, fill FFEEDD, center`. The operation `read`
 * returns styles in this form. Properties that are not named stay unchanged; `plain` clears the style.
 */
export function planStyleWords(sheet: string, region: Region, words: string, field: string): Mutation[] {
  const mutations: Mutation[] = [];
  let set: StylePatch = {};
  for (const word of words.split(',').map((one) => one.trim())) {
    if (word === '') continue;
    const [name = '', ...rest] = word.split(/\s+/);
    const value = rest.join(' ');
    if (word === 'plain') mutations.push(setStyle.of({ sheet, region, clear: 'all' }));
    else if (name === 'borders' || name === 'border') mutations.push(planBorder(sheet, region, word, field));
    else set = { ...set, ...patchOf(name.toLowerCase(), value, field) };
  }
  return Object.keys(set).length > 0 ? [...mutations, setStyle.of({ sheet, region, set })] : mutations;
}

function patchOf(name: string, value: string, field: string): StylePatch {
  if (value === '' && Object.hasOwn(switches, name)) return switches[name]!;
  if (name === 'fill' && value !== '') return { bgColor: normalizeArgb(field, value) };
  if (name === 'color' && value !== '') return { fontColor: normalizeArgb(field, value) };
  if (name === 'underline' && underlines.has(value)) return { underline: value };
  if (name === 'font' && value !== '' && value.length <= longestFont) return { fontFamily: value };
  if (name === 'size' && /^\d{1,3}(\.\d)?$/.test(value) && Number(value) > 0 && Number(value) <= maxFontSize)
    return { fontSize: Number(value) };
  throw invalid(
    `${field}: ${JSON.stringify(`${name} ${value}`.trim().slice(0, 60))} is no style; there are plain, ` +
      `${Object.keys(switches).join(', ')}, fill RRGGBB, color RRGGBB, size 12, font Arial, borders thin RRGGBB`,
  );
}

const allSides = 'borders';

/** Parses `borders thin 000000` (all lines of the region) or `border top thin 000000` (the top lines of its cells). */
function planBorder(sheet: string, region: Region, word: string, field: string): Mutation {
  const [name, ...given] = word.toLowerCase().split(/\s+/);
  const side = name === allSides ? undefined : given.shift();
  const [style = 'thin', color = '000000'] = given;
  const isKnown = (borderStyles as readonly string[]).includes(style);
  if (!isKnown || (name !== allSides && !sides.includes(side ?? '')))
    throw invalid(
      `${field}: ${JSON.stringify(word.slice(0, 60))} is no border; write borders thin 000000 or border top thin 000000, ` +
        `with ${borderStyles.join(', ')}`,
    );
  const line = style === 'none' ? null : `${style}:${normalizeRgb(field, color)}`;
  const at =
    side === undefined ? [0, 1, 2, 3, 4, 5] : [sides.indexOf(side), side === 'top' || side === 'bottom' ? 5 : 4];
  return setBorder.of(buildBorders(sheet, region, at, line));
}
