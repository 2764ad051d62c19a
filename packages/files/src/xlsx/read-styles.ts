import type { Style, StylePatch } from '@sheaf/engine/internal/document';
import { isValidPattern } from '@sheaf/engine';
import { colorOf, indexedColors, type Theme } from './colors.ts';
import { readStylePassthrough, type CellFormatXml, type StylePassthrough } from './passthrough/style-passthrough.ts';
import { builtInFormats } from './number-formats.ts';
import { eachElement, isTrue, type SaxElement } from '../containers/package-parts.ts';
import { localNameOf, type XmlElement } from './xml-tree.ts';

type Loose = { -readonly [Key in keyof Style]?: Style[Key] };

export interface CellFormat {
  readonly style: StylePatch;
  /** Whether the cell is read-only while the sheet is protected. */
  readonly locked: boolean;
  /** XML of the format in the file, for export; undefined if the styles part could not be parsed. */
  readonly words?: CellFormatXml;
}

const maxFillText = 4_000;

const borderLines: Readonly<Record<string, string>> = {
  thin: 'thin',
  medium: 'medium',
  dashed: 'dashed',
  dotted: 'dotted',
  thick: 'thick',
  double: 'double',
  hair: 'hair',
  mediumDashed: 'dashed',
  dashDot: 'dashed',
  mediumDashDot: 'dashed',
  dashDotDot: 'dotted',
  mediumDashDotDot: 'dotted',
  slantDashDot: 'dashed',
};
const horizontalAlignments: Readonly<Record<string, string>> = {
  left: 'left',
  center: 'center',
  right: 'right',
  fill: 'fill',
  justify: 'justify',
  centerContinuous: 'center',
  distributed: 'justify',
};
const verticalAlignments: Readonly<Record<string, string>> = {
  top: 'top',
  center: 'center',
  bottom: 'bottom',
  justify: 'justify',
  distributed: 'justify',
};
const underlines: Readonly<Record<string, string>> = {
  single: 'single',
  double: 'double',
  singleAccounting: 'single_accounting',
  doubleAccounting: 'double_accounting',
};

const borderEdges = { left: 'borderLeft', right: 'borderRight', top: 'borderTop', bottom: 'borderBottom' } as const;

/** Reads one font property into `into`, from the styles part or a rich-text run. */
export function readFont(into: Loose, { name, attributes }: SaxElement, theme: Theme): void {
  const value = attributes.get('val');
  const on = value === undefined || isTrue(value);
  switch (name) {
    case 'b':
      if (on) into.bold = true;
      break;
    case 'i':
      if (on) into.italic = true;
      break;
    case 'strike':
      if (on) into.strikeThrough = true;
      break;
    case 'u': {
      const line = underlines[value ?? 'single'];
      if (line) into.underline = line;
      break;
    }
    case 'sz':
      if (Number(value) > 0 && Number(value) <= 409) into.fontSize = Number(value);
      break;
    case 'name':
    case 'rFont':
      if (value) into.fontFamily = value.slice(0, 100);
      break;
    case 'color': {
      const color = colorOf(attributes, theme);
      if (color) into.fontColor = color;
      break;
    }
    default:
  }
}

/** Returns the style of a rich-text run from its properties. */
export function runStyle(properties: XmlElement, theme: Theme): Loose {
  const style: Loose = {};
  for (const one of properties.children)
    if (typeof one !== 'string')
      readFont(style, { name: localNameOf(one.tag), attributes: one.attributes, path: ['rPr'] }, theme);
  return style;
}

/** Returns the indexed colors that the styles part defines. The list is empty if it defines none. */
export function readPalette(xml: string): string[] {
  const colors: string[] = [];
  if (xml.includes('indexedColors'))
    eachElement(xml, 'styles', {
      open({ name, attributes, path }) {
        const rgb = attributes.get('rgb') ?? '';
        if (name === 'rgbColor' && path.at(-1) === 'indexedColors')
          colors.push(
            /^([0-9A-Fa-f]{2})?[0-9A-Fa-f]{6}$/.test(rgb) ? rgb.slice(-6) : (indexedColors[colors.length] ?? '000000'),
          );
      },
    });
  return colors;
}

export interface ParsedStyles {
  /** Cell formats by index, as cells refer to them. */
  readonly cellFormats: readonly CellFormat[];
  readonly passthrough: StylePassthrough | undefined;
}

const defaultFont: Style = { fontFamily: 'Calibri', fontSize: 11 };

/** Reads the cell formats of the styles part. The XML that the export needs is returned too (`passthrough`). */
export function readStyles(xml: string, theme: Theme): ParsedStyles {
  let kept: StylePassthrough | undefined;
  const special = readStylePassthrough(xml, undefined);
  const formats = new Map<number, string>();
  const fonts: Loose[] = [];
  const fills: (string | undefined)[] = [];
  const borders: Loose[] = [];
  const looks: { style: Loose; locked: boolean }[] = [];
  let pattern = '';
  let edge: (typeof borderEdges)[keyof typeof borderEdges] | undefined;
  let line = '';
  /** Font of the file's first cell format, which applies to cells without a format. */
  let usual: Loose | undefined;
  eachElement(xml, 'styles', {
    open(element) {
      const { name, attributes, path } = element;
      const group = path[1];
      if (name === 'numFmt' && group === 'numFmts')
        formats.set(Number(attributes.get('numFmtId')), attributes.get('formatCode') ?? '');
      else if (group === 'fonts') {
        if (name === 'font') fonts.push({});
        else readFont(fonts.at(-1) ?? {}, element, theme);
      } else if (group === 'fills') {
        if (name === 'fill') fills.push(undefined);
        else if (name === 'patternFill') pattern = attributes.get('patternType') ?? 'none';
        else if (name === 'fgColor' && pattern !== 'none' && pattern !== 'gray125')
          fills[fills.length - 1] = colorOf(attributes, theme);
      } else if (group === 'borders') {
        if (name === 'border') borders.push({});
        else if (path.length === 3) {
          edge = borderEdges[name as keyof typeof borderEdges];
          line = borderLines[attributes.get('style') ?? ''] ?? '';
          const border = borders.at(-1);
          if (edge && line && border) border[edge] = `${line}:000000`;
        } else if (name === 'color' && edge && line) {
          const border = borders.at(-1);
          if (border) border[edge] = `${line}:${(colorOf(attributes, theme) ?? 'FF000000').slice(2)}`;
        }
      } else if (group === 'cellXfs') {
        if (name === 'xf') looks.push({ style: lookOf(attributes), locked: true });
        else if (name === 'alignment') align(looks.at(-1)?.style ?? {}, attributes);
        else if (name === 'protection' && attributes.has('locked') && !isTrue(attributes.get('locked'))) {
          const last = looks.at(-1);
          if (last) last.locked = false;
        }
      }
    },
  });
  function lookOf(attributes: ReadonlyMap<string, string>): Loose {
    const number = (key: string): number => Number(attributes.get(key) ?? 0);
    usual ??= fonts[number('fontId')] ?? {};
    const base = usual;
    const own = Object.entries(fonts[number('fontId')] ?? {}).filter(
      ([key, value]) => base[key as keyof Style] !== value,
    );
    const style: Loose = { ...Object.fromEntries(own), ...borders[number('borderId')] };
    const fill = fills[number('fillId')];
    if (fill) style.bgColor = fill;
    const pattern = special?.fills.get(number('fillId'));
    if (pattern !== undefined && pattern.length <= maxFillText) style.fill = pattern;
    const name = special?.nameOf.get(number('xfId'));
    if (name !== undefined) style.cellStyle = name;
    const format = number('numFmtId');
    const code = formats.get(format) ?? builtInFormats[format];
    if (code && code !== 'General' && code.length <= 255 && isValidPattern(code)) style.numberFormat = code;
    return style;
  }
  if (special) {
    const { fontColor, ...font } = usual ?? {};
    const differs = { ...font, ...(fontColor === undefined || fontColor === 'FF000000' ? {} : { fontColor }) };
    const isOwn = JSON.stringify({ ...defaultFont, ...differs }) === JSON.stringify(defaultFont);
    kept = { ...special, font: isOwn ? undefined : (differs as Style) };
  }
  const cellFormats = looks.map((look, i): CellFormat => {
    const words = special?.looks[i];
    return words ? { ...look, words } : look;
  });
  return { cellFormats, passthrough: kept };
}

function align(style: Loose, attributes: ReadonlyMap<string, string>): void {
  const across = horizontalAlignments[attributes.get('horizontal') ?? ''];
  const upright = verticalAlignments[attributes.get('vertical') ?? ''];
  if (across) style.horizontalAlign = across;
  if (upright) style.verticalAlign = upright;
  if (isTrue(attributes.get('wrapText'))) style.wrapText = true;
  if (isTrue(attributes.get('shrinkToFit'))) style.shrinkToFit = true;
  const whole = (key: string, most: number): number => {
    const value = Number(attributes.get(key) ?? 0);
    return Number.isInteger(value) && value > 0 && value <= most ? value : 0;
  };
  const indent = whole('indent', 250);
  const rotation = whole('textRotation', 255);
  if (indent > 0) style.indent = indent;
  if (rotation > 0) style.rotation = rotation;
}
