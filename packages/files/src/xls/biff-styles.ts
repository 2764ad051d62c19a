import { mainNamespace, xmlDeclaration, xmlEscape } from '../xlsx/xml-escape.ts';
import type { BiffReader } from './biff-reader.ts';
import { BiffColors } from './biff-colors.ts';

const borderStyles = (
  'none thin medium dashed dotted thick double hair mediumDashed dashDot mediumDashDot dashDotDot ' +
  'mediumDashDotDot slantDashDot'
).split(' ');
export const fillPatterns = (
  'none solid mediumGray darkGray lightGray darkHorizontal darkVertical darkDown darkUp darkGrid darkTrellis ' +
  'lightHorizontal lightVertical lightDown lightUp lightGrid lightTrellis gray125 gray0625'
).split(' ');
const horizontalAlignments = 'general left center right fill justify centerContinuous distributed'.split(' ');
const verticalAlignments = 'top center bottom justify distributed'.split(' ');
const underlines: Readonly<Record<number, string>> = {
  0x01: 'single',
  0x02: 'double',
  0x21: 'singleAccounting',
  0x22: 'doubleAccounting',
};

interface Font {
  readonly size: number;
  readonly flags: number;
  readonly color: number;
  readonly weight: number;
  readonly script: number;
  readonly underline: number;
  readonly family: number;
  readonly charset: number;
  readonly name: string;
}

interface CellFormat {
  readonly font: number;
  readonly numberFormat: number;
  readonly flags: number;
  readonly alignment: string;
  readonly borders: readonly [left: number, right: number, top: number, bottom: number, diagonal: number];
  readonly borderColors: readonly [left: number, right: number, top: number, bottom: number, diagonal: number];
  readonly diagonals: number;
  readonly pattern: number;
  readonly fore: number;
  readonly back: number;
}

/**
 * XML of the extended colors (colors outside the palette) of a cell format by kind: 4 and 5 are fill, 7 to 11 borders,
 * 13 text.
 */
type ExtendedColors = ReadonlyMap<number, string>;

const noFill = '<fill><patternFill patternType="none"/></fill>';
const sides = ['left', 'right', 'top', 'bottom', 'diagonal'] as const;
const extendedOfSide = [9, 10, 7, 8, 11] as const;

/** Returns the XML elements of a font in the order that the schema requires. */
export function fontElements(
  font: { bold: boolean; italic: boolean; strike: boolean; underline: number; script?: number },
  size: number | undefined,
  color: string,
  rest = '',
): string {
  const line = underlines[font.underline];
  const script = font.script === 1 ? 'superscript' : font.script === 2 ? 'subscript' : undefined;
  return [
    font.bold ? '<b/>' : '',
    font.italic ? '<i/>' : '',
    font.strike ? '<strike/>' : '',
    line === undefined ? '' : `<u val="${line}"/>`,
    script === undefined ? '' : `<vertAlign val="${script}"/>`,
    size === undefined ? '' : `<sz val="${size}"/>`,
    color,
    rest,
  ].join('');
}

export function borderElement(side: string, style: number, color: string): string {
  const name = borderStyles[style];
  return name === undefined || style === 0 ? `<${side}/>` : `<${side} style="${name}">${color}</${side}>`;
}

/**
 * Collects the fonts, number formats, colors and cell formats of a workbook, and writes them as an xlsx styles part.
 */
export class BiffStyles {
  readonly colors = new BiffColors();
  readonly #fonts: Font[] = [];
  readonly #formats = new Map<number, string>();
  readonly #cellFormats: CellFormat[] = [];
  readonly #extended = new Map<number, ExtendedColors>();
  /** XML of the differential formats (`dxf`: they set only some properties) that conditional formats use. */
  readonly differential: string[] = [];

  font(reader: BiffReader): void {
    const [size, flags, color, weight, script] = [reader.u16(), reader.u16(), reader.u16(), reader.u16(), reader.u16()];
    const [underline, family, charset] = [reader.u8(), reader.u8(), reader.u8()];
    reader.skip(1);
    this.#fonts.push({ size, flags, color, weight, script, underline, family, charset, name: reader.text8() });
  }

  numberFormat(reader: BiffReader): void {
    const id = reader.u16();
    this.#formats.set(id, reader.text16());
  }

  cellFormat(reader: BiffReader): void {
    const [font, numberFormat, flags] = [reader.u16(), reader.u16(), reader.u16()];
    const [placement, rotation, indents] = [reader.u8(), reader.u8(), reader.u8()];
    reader.skip(1);
    const [edges, more, fill] = [reader.u32(), reader.u32(), reader.u16()];
    this.#cellFormats.push({
      font,
      numberFormat,
      flags,
      alignment: alignmentXml(placement, rotation, indents),
      borders: [edges & 15, (edges >> 4) & 15, (edges >> 8) & 15, (edges >> 12) & 15, (more >> 21) & 15],
      borderColors: [(edges >> 16) & 127, (edges >> 23) & 127, more & 127, (more >> 7) & 127, (more >> 14) & 127],
      diagonals: edges >>> 30,
      pattern: more >>> 26,
      fore: fill & 127,
      back: (fill >> 7) & 127,
    });
  }

  /** Reads the extended colors that Excel 2007 and later add to a cell format. The palette only approximates them. */
  extendedFormat(reader: BiffReader): void {
    reader.skip(14);
    const index = reader.u16();
    reader.skip(2);
    const colors = new Map<number, string>();
    for (let count = reader.u16(); count > 0 && reader.left >= 4; count--) {
      const kind = reader.u16();
      const fields = reader.bytes(Math.max(0, reader.u16() - 4));
      const color = fields.length >= 8 && kind >= 4 && kind <= 13 ? this.colors.extended(fields) : undefined;
      if (color !== undefined) colors.set(kind, color);
    }
    this.#extended.set(index, colors);
  }

  /**
   * Returns the XML run properties of a font for rich text. Font index 4 is never used, so later fonts are numbered
   * from 5.
   */
  runProperties(index: number): string {
    const font = this.#fontAt(index);
    return font === undefined ? '' : `<rPr>${this.#fontXml(font, 'rFont', undefined)}</rPr>`;
  }

  #fontAt(index: number): Font | undefined {
    return this.#fonts[index > 4 ? index - 1 : index];
  }

  #fontXml(font: Font, nameElement: string, color: string | undefined): string {
    const { flags, weight, underline, script, size } = font;
    const face = { bold: weight >= 600, italic: (flags & 2) !== 0, strike: (flags & 8) !== 0, underline, script };
    const named = `<${nameElement} val="${xmlEscape(font.name)}"/><family val="${font.family}"/><charset val="${font.charset}"/>`;
    return fontElements(face, size / 20, color ?? this.colors.element('color', font.color), named);
  }

  xml(): string {
    const fonts = new ElementTable();
    const fills = new ElementTable(noFill, '<fill><patternFill patternType="gray125"/></fill>');
    const borders = new ElementTable();
    const formats = this.#cellFormats.map((format, index) => {
      const own = this.#extended.get(index);
      const font = this.#fontAt(format.font) ?? this.#fonts[0];
      const ids = {
        font: fonts.indexOf(`<font>${font ? this.#fontXml(font, 'name', own?.get(13)) : ''}</font>`),
        fill: fills.indexOf(this.#fillXml(format, own)),
        border: borders.indexOf(this.#borderXml(format, own)),
      };
      return cellFormatXml(format, ids);
    });
    const list = (name: string, items: readonly string[]): string =>
      items.length === 0 ? '' : `<${name} count="${items.length}">${items.join('')}</${name}>`;
    const codes = [...this.#formats].map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${xmlEscape(code)}"/>`);
    return (
      `${xmlDeclaration}<styleSheet xmlns="${mainNamespace}">${list('numFmts', codes)}` +
      list('fonts', fonts.listOr('<font/>')) +
      list('fills', fills.listOr(noFill)) +
      list('borders', borders.listOr('<border/>')) +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      list(
        'cellXfs',
        formats.length > 0 ? formats : ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'],
      ) +
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
      `${list('dxfs', this.differential)}</styleSheet>`
    );
  }

  #fillXml({ pattern, fore, back }: CellFormat, own: ExtendedColors | undefined): string {
    const name = fillPatterns[pattern] ?? 'none';
    if (pattern === 0) return noFill;
    const front = own?.get(4)?.replace('<color', '<fgColor') ?? this.colors.element('fgColor', fore);
    const behind = own?.get(5)?.replace('<color', '<bgColor') ?? this.colors.element('bgColor', back);
    return `<fill><patternFill patternType="${name}">${front}${behind}</patternFill></fill>`;
  }

  #borderXml({ borders, borderColors, diagonals }: CellFormat, own: ExtendedColors | undefined): string {
    const marks = `${(diagonals & 1) === 0 ? '' : ' diagonalDown="1"'}${(diagonals & 2) === 0 ? '' : ' diagonalUp="1"'}`;
    const edges = sides.map((side, index) =>
      borderElement(
        side,
        borders[index]!,
        own?.get(extendedOfSide[index]!) ?? this.colors.element('color', borderColors[index]!),
      ),
    );
    return `<border${marks}>${edges.join('')}</border>`;
  }
}

/**
 * Collects the elements of one kind for the exported styles part. Equal elements are stored once and share an index.
 */
class ElementTable {
  readonly #indexes: Map<string, number>;

  constructor(...first: string[]) {
    this.#indexes = new Map(first.map((xml, index) => [xml, index]));
  }

  indexOf(xml: string): number {
    const known = this.#indexes.get(xml);
    if (known !== undefined) return known;
    this.#indexes.set(xml, this.#indexes.size);
    return this.#indexes.size - 1;
  }

  /**
   * Returns the XML of the elements in the order of their indexes. If there are none, returns only `usual`, because the
   * schema requires at least one.
   */
  listOr(usual: string): string[] {
    return this.#indexes.size === 0 ? [usual] : [...this.#indexes.keys()];
  }
}

function alignmentXml(placement: number, rotation: number, indents: number): string {
  const horizontal = horizontalAlignments[placement & 7];
  const vertical = verticalAlignments[(placement >> 4) & 7];
  const order = indents >> 6;
  const attributes = [
    horizontal === undefined || horizontal === 'general' ? '' : ` horizontal="${horizontal}"`,
    vertical === undefined || vertical === 'bottom' ? '' : ` vertical="${vertical}"`,
    rotation === 0 ? '' : ` textRotation="${rotation}"`,
    (placement & 8) === 0 ? '' : ' wrapText="1"',
    (indents & 15) === 0 ? '' : ` indent="${indents & 15}"`,
    (placement & 128) === 0 ? '' : ' justifyLastLine="1"',
    (indents & 16) === 0 ? '' : ' shrinkToFit="1"',
    order === 0 ? '' : ` readingOrder="${order}"`,
  ].join('');
  return attributes === '' ? '' : `<alignment${attributes}/>`;
}

function cellFormatXml(
  { numberFormat, flags, alignment }: CellFormat,
  { font, fill, border }: { font: number; fill: number; border: number },
): string {
  const isLocked = (flags & 1) !== 0;
  const isHidden = (flags & 2) !== 0;
  const protection =
    isLocked && !isHidden ? '' : `<protection locked="${isLocked ? 1 : 0}" hidden="${isHidden ? 1 : 0}"/>`;
  const marks = [
    numberFormat === 0 ? '' : ' applyNumberFormat="1"',
    font === 0 ? '' : ' applyFont="1"',
    fill === 0 ? '' : ' applyFill="1"',
    border === 0 ? '' : ' applyBorder="1"',
    alignment === '' ? '' : ' applyAlignment="1"',
    protection === '' ? '' : ' applyProtection="1"',
    (flags & 8) === 0 ? '' : ' quotePrefix="1"',
  ].join('');
  const ids = `numFmtId="${numberFormat}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0"`;
  const inside = alignment + protection;
  return inside === '' ? `<xf ${ids}${marks}/>` : `<xf ${ids}${marks}>${inside}</xf>`;
}
