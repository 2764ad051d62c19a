import type { Style, StyleTable } from '../engine/document.ts';
import { head, main, xmlEscape } from './xml-text.ts';

const underlines: Readonly<Record<string, string>> = {
  single: 'single',
  double: 'double',
  single_accounting: 'singleAccounting',
  double_accounting: 'doubleAccounting',
};
const defaultFont = '<font><sz val="11"/><name val="Calibri"/><family val="2"/></font>';
const firstOwnFormat = 164;

/** Every distinct piece once, known by its place. */
class Pieces {
  readonly list: string[];
  readonly #places = new Map<string, number>();

  constructor(first: readonly string[]) {
    this.list = [...first];
    first.forEach((piece, place) => this.#places.set(piece, place));
  }

  place(piece: string): number {
    let place = this.#places.get(piece);
    if (place === undefined) {
      place = this.list.length;
      this.list.push(piece);
      this.#places.set(piece, place);
    }
    return place;
  }
}

/** Collects the looks that sheets use and writes the part that describes them. */
export class StyleWriter {
  readonly #table: StyleTable;
  readonly #fonts = new Pieces([defaultFont]);
  readonly #fills = new Pieces([
    '<fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill>',
  ]);
  readonly #borders = new Pieces(['<border><left/><right/><top/><bottom/><diagonal/></border>']);
  readonly #formats = new Pieces([]);
  readonly #looks = new Pieces(['<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>']);
  readonly #known: (number | undefined)[][] = [[], []];

  constructor(table: StyleTable) {
    this.#table = table;
  }

  /** The number by which cells name a style. `open`: may be changed although the sheet is protected. */
  look(style: number, open: boolean): number {
    const known = this.#known[open ? 1 : 0] as (number | undefined)[];
    let place = known[style];
    if (place === undefined) {
      place = this.#looks.place(this.#lookOf(this.#table.get(style), open));
      known[style] = place;
    }
    return place;
  }

  #lookOf(style: Style, open: boolean): string {
    const font = this.#fonts.place(fontOf(style));
    const fill = style.bgColor
      ? this.#fills.place(
          `<fill><patternFill patternType="solid"><fgColor rgb="${style.bgColor}"/><bgColor indexed="64"/></patternFill></fill>`,
        )
      : 0;
    const border = this.#borders.place(borderOf(style));
    const format = style.numberFormat ? firstOwnFormat + this.#formats.place(style.numberFormat) : 0;
    const aligned = alignmentOf(style);
    const inside = aligned + (open ? '<protection locked="0"/>' : '');
    const flags =
      (format ? ' applyNumberFormat="1"' : '') +
      (font ? ' applyFont="1"' : '') +
      (fill ? ' applyFill="1"' : '') +
      (border ? ' applyBorder="1"' : '') +
      (aligned ? ' applyAlignment="1"' : '') +
      (open ? ' applyProtection="1"' : '');
    const start = `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0"${flags}`;
    return inside ? `${start}>${inside}</xf>` : `${start}/>`;
  }

  xml(): string {
    const fonts = this.#fonts;
    const fills = this.#fills;
    const borders = this.#borders;
    const formats = this.#formats;
    const looks = this.#looks;
    const numberFormats = formats.list.map(
      (code, i) => `<numFmt numFmtId="${firstOwnFormat + i}" formatCode="${xmlEscape(code)}"/>`,
    );
    return (
      `${head}<styleSheet xmlns="${main}">` +
      (numberFormats.length > 0 ? listed('numFmts', numberFormats) : '') +
      listed('fonts', fonts.list) +
      listed('fills', fills.list) +
      listed('borders', borders.list) +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      listed('cellXfs', looks.list) +
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    );
  }
}

function listed(name: string, items: readonly string[]): string {
  return `<${name} count="${items.length}">${items.join('')}</${name}>`;
}

function fontOf(style: Style): string {
  const { bold, italic, strikeThrough, underline, fontSize, fontColor, fontFamily } = style;
  if (!bold && !italic && !strikeThrough && !underline && !fontSize && !fontColor && !fontFamily) return defaultFont;
  return `<font>${fontProperties(style, 'name')}</font>`;
}

/** Properties of a font, also of a run of rich text, which names its font by another word. */
export function fontProperties(style: Style, nameTag: 'name' | 'rFont'): string {
  const line = style.underline ? underlines[style.underline] : undefined;
  return (
    (style.bold ? '<b/>' : '') +
    (style.italic ? '<i/>' : '') +
    (style.strikeThrough ? '<strike/>' : '') +
    (line ? `<u val="${line}"/>` : '') +
    `<sz val="${style.fontSize ?? 11}"/>` +
    (style.fontColor ? `<color rgb="${style.fontColor}"/>` : '') +
    `<${nameTag} val="${xmlEscape(style.fontFamily ?? 'Calibri')}"/><family val="2"/>`
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
  const { horizontalAlign, verticalAlign, wrapText } = style;
  if (!horizontalAlign && !verticalAlign && !wrapText) return '';
  const across = horizontalAlign ? ` horizontal="${xmlEscape(horizontalAlign)}"` : '';
  const upright = verticalAlign ? ` vertical="${xmlEscape(verticalAlign)}"` : '';
  return `<alignment${across}${upright}${wrapText ? ' wrapText="1"' : ''}/>`;
}
