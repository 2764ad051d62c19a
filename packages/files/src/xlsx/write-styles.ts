import type { KeptBook, KeptStyle, Style, StyleTable } from '@sheaf/engine/internal/document';
import { xmlDeclaration, mainNamespace, xmlEscape } from './xml-escape.ts';

const underlines: Readonly<Record<string, string>> = {
  single: 'single',
  double: 'double',
  single_accounting: 'singleAccounting',
  double_accounting: 'doubleAccounting',
};
const defaultFont: Style = { fontFamily: 'Calibri', fontSize: 11 };
const firstCustomFormat = 164;

/** List of distinct strings; `indexOf` adds a missing one and returns its index. */
class IndexedList {
  readonly list: string[];
  readonly #indexes = new Map<string, number>();

  constructor(first: readonly string[]) {
    this.list = [...first];
    first.forEach((piece, place) => this.#indexes.set(piece, place));
  }

  indexOf(piece: string): number {
    let place = this.#indexes.get(piece);
    if (place === undefined) {
      place = this.list.length;
      this.list.push(piece);
      this.#indexes.set(piece, place);
    }
    return place;
  }
}

/** Collects the cell formats used by the exported sheets and writes the styles part. */
export class StyleWriter {
  readonly #table: StyleTable;
  readonly #font: Style;
  readonly #usualFont: string;
  readonly #fonts: IndexedList;
  readonly #fills = new IndexedList([
    '<fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill>',
  ]);
  readonly #borders = new IndexedList(['<border><left/><right/><top/><bottom/><diagonal/></border>']);
  readonly #formats = new IndexedList([]);
  readonly #looks = new IndexedList(['<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>']);
  readonly #known: (number | undefined)[][] = [[], []];
  readonly #formatsOfRules: IndexedList;
  /** Base formats of the named styles (index 0 is Normal), and their indexes by style name. */
  readonly #bases: string[] = [];
  readonly #baseOf = new Map<string, number>();
  readonly #named: string[] = [];
  readonly #elements: Readonly<Record<string, string>>;

  constructor(table: StyleTable, kept?: KeptBook) {
    this.#table = table;
    this.#font = { ...defaultFont, ...kept?.font };
    this.#elements = kept?.styleElements ?? {};
    this.#formatsOfRules = new IndexedList(kept?.formats ?? []);
    const usual = kept?.styles?.find(({ attributes }) => attributes.includes(' builtinId="0"'));
    this.#usualFont = usual?.font || `<font>${fontProperties({}, 'name', this.#font)}</font>`;
    this.#fonts = new IndexedList([this.#usualFont]);
    if (usual) this.#addNamed(usual);
    else {
      this.#bases.push('<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>');
      this.#named.push('<cellStyle name="Normal" xfId="0" builtinId="0"/>');
    }
    for (const one of kept?.styles ?? []) if (one !== usual) this.#addNamed(one);
  }

  #addNamed({ name, attributes, look, font, fill, border, format }: KeptStyle): void {
    const number = this.#bases.length;
    const split = look.indexOf('>');
    const inside = look.slice(split + 1);
    const code = format === undefined ? 0 : /^\d+$/.test(format) ? Number(format) : this.#format(format);
    const start =
      `<xf numFmtId="${code}" fontId="${font ? this.#fonts.indexOf(font) : 0}" ` +
      `fillId="${fill ? this.#fills.indexOf(fill) : 0}" borderId="${border ? this.#borders.indexOf(border) : 0}"` +
      look.slice(0, split);
    this.#bases.push(inside ? `${start}>${inside}</xf>` : `${start}/>`);
    this.#named.push(`<cellStyle name="${xmlEscape(name)}" xfId="${number}"${attributes}/>`);
    this.#baseOf.set(name, number);
  }

  #format(code: string): number {
    return firstCustomFormat + this.#formats.indexOf(code);
  }

  /** Returns the index (`dxfId`) of a differential format. */
  format(xml: string): number {
    return this.#formatsOfRules.indexOf(xml);
  }

  /** Returns the index of a cell format. If `open` is set, the cell stays editable on a protected sheet. */
  cellFormat(style: number, open: boolean): number {
    const known = this.#known[open ? 1 : 0] as (number | undefined)[];
    let place = known[style];
    if (place === undefined) {
      place = this.#looks.indexOf(this.#lookOf(this.#table.get(style), open));
      known[style] = place;
    }
    return place;
  }

  /** Returns the index of the cell format with its number format replaced by `numberFormat`. */
  formatted(style: number, numberFormat: string, open: boolean): number {
    return this.#looks.indexOf(this.#lookOf({ ...this.#table.get(style), numberFormat }, open));
  }

  #lookOf(style: Style, open: boolean): string {
    const font = this.#fonts.indexOf(this.#fontOf(style));
    const fill = style.fill
      ? this.#fills.indexOf(style.fill)
      : style.bgColor
        ? this.#fills.indexOf(
            `<fill><patternFill patternType="solid"><fgColor rgb="${style.bgColor}"/><bgColor indexed="64"/></patternFill></fill>`,
          )
        : 0;
    const border = this.#borders.indexOf(borderOf(style));
    const format = style.numberFormat ? this.#format(style.numberFormat) : 0;
    const base = style.cellStyle === undefined ? 0 : (this.#baseOf.get(style.cellStyle) ?? 0);
    const aligned = alignmentOf(style);
    const inside = aligned + (open ? '<protection locked="0"/>' : '');
    const flags =
      (format ? ' applyNumberFormat="1"' : '') +
      (font ? ' applyFont="1"' : '') +
      (fill ? ' applyFill="1"' : '') +
      (border ? ' applyBorder="1"' : '') +
      (aligned ? ' applyAlignment="1"' : '') +
      (open ? ' applyProtection="1"' : '');
    const start = `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="${base}"${flags}`;
    return inside ? `${start}>${inside}</xf>` : `${start}/>`;
  }

  xml(): string {
    const fonts = this.#fonts;
    const fills = this.#fills;
    const borders = this.#borders;
    const formats = this.#formats;
    const looks = this.#looks;
    const numberFormats = formats.list.map(
      (code, i) => `<numFmt numFmtId="${firstCustomFormat + i}" formatCode="${xmlEscape(code)}"/>`,
    );
    return (
      `${xmlDeclaration}<styleSheet xmlns="${mainNamespace}">` +
      (numberFormats.length > 0 ? listed('numFmts', numberFormats) : '') +
      listed('fonts', fonts.list) +
      listed('fills', fills.list) +
      listed('borders', borders.list) +
      listed('cellStyleXfs', this.#bases) +
      listed('cellXfs', looks.list) +
      listed('cellStyles', this.#named) +
      (this.#formatsOfRules.list.length > 0 ? listed('dxfs', this.#formatsOfRules.list) : '') +
      `${this.#elements['tableStyles'] ?? ''}${this.#elements['colors'] ?? ''}</styleSheet>`
    );
  }

  #fontOf(style: Style): string {
    const { bold, italic, strikeThrough, underline, fontSize, fontColor, fontFamily } = style;
    if (!bold && !italic && !strikeThrough && !underline && !fontSize && !fontColor && !fontFamily)
      return this.#usualFont;
    return `<font>${fontProperties(style, 'name', this.#font)}</font>`;
  }
}

function listed(name: string, items: readonly string[]): string {
  return `<${name} count="${items.length}">${items.join('')}</${name}>`;
}

/** Returns the XML of the font properties. Rich-text runs name the font in `rFont`, cell styles in `name`. */
export function fontProperties(style: Style, nameTag: 'name' | 'rFont', usual: Style = defaultFont): string {
  const line = style.underline ? underlines[style.underline] : undefined;
  return (
    (style.bold ? '<b/>' : '') +
    (style.italic ? '<i/>' : '') +
    (style.strikeThrough ? '<strike/>' : '') +
    (line ? `<u val="${line}"/>` : '') +
    `<sz val="${style.fontSize ?? usual.fontSize ?? 11}"/>` +
    (style.fontColor || usual.fontColor ? `<color rgb="${style.fontColor ?? usual.fontColor}"/>` : '') +
    `<${nameTag} val="${xmlEscape(style.fontFamily ?? usual.fontFamily ?? 'Calibri')}"/><family val="2"/>`
  );
}

/** Returns the XML of the font properties that a conditional format sets. */
export function fontDifference({ bold, italic, strikeThrough, underline, fontColor }: Style): string {
  const line = underline ? underlines[underline] : undefined;
  return (
    (bold ? '<b/>' : '') +
    (italic ? '<i/>' : '') +
    (strikeThrough ? '<strike/>' : '') +
    (line ? `<u val="${line}"/>` : '') +
    (fontColor ? `<color rgb="${fontColor}"/>` : '')
  );
}

function borderOf(style: Style): string {
  const edge = (name: string, line: string | undefined): string => {
    if (!line) return `<${name}/>`;
    const [kind = 'thin', color = '000000'] = line.split(':');
    return `<${name} style="${kind}"><color rgb="FF${color}"/></${name}>`;
  };
  return (
    '<border>' +
    `${edge('left', style.borderLeft)}${edge('right', style.borderRight)}${edge('top', style.borderTop)}` +
    `${edge('bottom', style.borderBottom)}<diagonal/></border>`
  );
}

function alignmentOf(style: Style): string {
  const { horizontalAlign, verticalAlign, wrapText, shrinkToFit, indent, rotation } = style;
  if (!horizontalAlign && !verticalAlign && !wrapText && !shrinkToFit && !indent && !rotation) return '';
  const across = horizontalAlign ? ` horizontal="${xmlEscape(horizontalAlign)}"` : '';
  const upright = verticalAlign ? ` vertical="${xmlEscape(verticalAlign)}"` : '';
  return (
    `<alignment${across}${upright}${rotation ? ` textRotation="${rotation}"` : ''}${wrapText ? ' wrapText="1"' : ''}` +
    `${indent ? ` indent="${indent}"` : ''}${shrinkToFit ? ' shrinkToFit="1"' : ''}/>`
  );
}
