import type { KeptBook, KeptLook, KeptStyle, Style, StyleTable } from '@sheaf/engine/internal/document';
import { xmlDeclaration, mainNamespace, xmlEscape } from './xml-escape.ts';

const underlines: Readonly<Record<string, string>> = {
  single: 'single',
  double: 'double',
  single_accounting: 'singleAccounting',
  double_accounting: 'doubleAccounting',
};
const defaultFont: Style = { fontFamily: 'Calibri', fontSize: 11 };
const firstCustomFormat = 164;

/** Style properties by the part of a cell format that stores them. */
const styleParts = {
  font: ['bold', 'italic', 'fontFamily', 'fontSize', 'fontColor', 'strikeThrough', 'underline'],
  fill: ['bgColor', 'fill'],
  border: ['borderTop', 'borderBottom', 'borderLeft', 'borderRight'],
  format: ['numberFormat'],
  alignment: ['horizontalAlign', 'verticalAlign', 'wrapText', 'indent', 'rotation', 'shrinkToFit'],
} as const satisfies Readonly<Record<string, readonly (keyof Style)[]>>;

/** Whether a cell is editable on a protected sheet: as in the imported file, unlocked or locked. */
export type CellLock = 'imported' | 'open' | 'locked';
const lockOrder: readonly CellLock[] = ['imported', 'open', 'locked'];

/** List of distinct strings. `indexOf` returns the index of a string and adds it if missing. */
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
  readonly #looks = new IndexedList([]);
  readonly #known: (number | undefined)[][] = lockOrder.map(() => []);
  readonly #sources: readonly KeptLook[];
  readonly #words: readonly string[];
  readonly #formatsOfRules: IndexedList;
  /** Base formats of the named styles (index 0 is Normal). */
  readonly #bases: string[] = [];
  readonly #baseOf = new Map<string, number>();
  readonly #named: string[] = [];
  readonly #elements: Readonly<Record<string, string>>;

  constructor(table: StyleTable, kept?: KeptBook) {
    this.#table = table;
    this.#font = { ...defaultFont, ...kept?.font };
    this.#elements = kept?.styleElements ?? {};
    this.#formatsOfRules = new IndexedList(kept?.formats ?? []);
    this.#sources = kept?.looks ?? [];
    this.#words = kept?.words ?? [];
    const usual = kept?.styles?.find(({ attributes }) => attributes.includes(' builtinId="0"'));
    const [first] = this.#sources;
    this.#usualFont =
      (first && this.#words[first.font - 1]) ||
      (usual && this.#piece(usual.font)) ||
      `<font>${fontProperties({}, 'name', this.#font)}</font>`;
    this.#fonts = new IndexedList([this.#usualFont]);
    if (usual) this.#addNamed(usual);
    else {
      this.#bases.push('<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>');
      this.#named.push('<cellStyle name="Normal" xfId="0" builtinId="0"/>');
    }
    for (const one of kept?.styles ?? []) if (one !== usual) this.#addNamed(one);
    this.cellFormat(0, 'imported');
  }

  #addNamed({ name, attributes, format, ...parts }: KeptStyle): void {
    const number = this.#bases.length;
    const look = this.#piece(parts.look);
    const font = this.#piece(parts.font);
    const fill = this.#piece(parts.fill);
    const border = this.#piece(parts.border);
    const split = look.indexOf('>');
    const inside = look.slice(split + 1);
    const code = format === undefined ? 0 : /^\d+$/.test(format) ? Number(format) : this.numberFormat(format);
    const start =
      `<xf numFmtId="${code}" fontId="${font ? this.#fonts.indexOf(font) : 0}" ` +
      `fillId="${fill ? this.#fills.indexOf(fill) : 0}" borderId="${border ? this.#borders.indexOf(border) : 0}"` +
      look.slice(0, split);
    this.#bases.push(inside ? `${start}>${inside}</xf>` : `${start}/>`);
    this.#named.push(`<cellStyle name="${xmlEscape(name)}" xfId="${number}"${attributes}/>`);
    this.#baseOf.set(name, number);
  }

  #piece(xml: string | number): string {
    return typeof xml === 'string' ? xml : (this.#words[xml - 1] ?? '');
  }

  /** Returns the number (`numFmtId`) of a number format in the exported file. Adds the format if missing. */
  numberFormat(code: string): number {
    return firstCustomFormat + this.#formats.indexOf(code);
  }

  /**
   * Returns the index (`dxfId`) of a differential format, that is, the style of a conditional format. Adds the format
   * if missing.
   */
  format(xml: string): number {
    return this.#formatsOfRules.indexOf(xml);
  }

  /** Returns the index in the exported file of the cell format for a document's style id and a lock state. */
  cellFormat(style: number, lock: CellLock): number {
    const known = this.#known[lockOrder.indexOf(lock)] as (number | undefined)[];
    let place = known[style];
    if (place === undefined) {
      place = this.#looks.indexOf(this.#lookOf(this.#styleAt(style), lock));
      known[style] = place;
    }
    return place;
  }

  #styleAt(style: number): Style {
    return style === 0 ? this.#unstyled() : this.#table.get(style);
  }

  /**
   * Returns the style with which cells without a style are written. It is the file's first cell format, because the
   * import gives no style to cells with that format.
   */
  #unstyled(): Style {
    const [first] = this.#sources;
    return first ? { ...first.style, source: 1 } : {};
  }

  /**
   * Returns the index in the exported file of an imported cell format. `number` is its 1-based number in the document.
   */
  imported(number: number): number {
    const source = this.#sources[number - 1];
    return source ? this.#looks.indexOf(this.#lookOf({ ...source.style, source: number }, 'imported')) : 0;
  }

  /** Returns the index of the cell format for a style, with `numberFormat` instead of the style's own number format. */
  formatted(style: number, numberFormat: string, lock: CellLock): number {
    return this.#looks.indexOf(this.#lookOf({ ...this.#styleAt(style), numberFormat }, lock));
  }

  /**
   * Returns the XML of a cell format. Unchanged parts are written with their imported XML, to preserve theme colors,
   * built-in formats and settings that documents do not model.
   */
  #lookOf(style: Style, lock: CellLock): string {
    const source = style.source === undefined ? undefined : this.#sources[style.source - 1];
    const isKept = (part: keyof typeof styleParts): boolean =>
      source !== undefined && styleParts[part].every((key) => source.style[key] === style[key]);
    const word = (number: number | undefined): string => this.#words[(number ?? 0) - 1] ?? '';
    const font = this.#fonts.indexOf((isKept('font') && word(source?.font)) || this.#fontOf(style));
    const fill = this.#fills.indexOf((isKept('fill') && word(source?.fill)) || fillOf(style));
    const border = this.#borders.indexOf((isKept('border') && word(source?.border)) || borderOf(style));
    const format = isKept('format') ? this.#formatOf(source?.format) : this.#formatOf(style.numberFormat);
    const base = style.cellStyle === undefined ? 0 : (this.#baseOf.get(style.cellStyle) ?? 0);
    const aligned = isKept('alignment') ? (source?.alignment ?? '') : alignmentOf(style);
    const guarded = protectionOf(source?.protection ?? '', lock);
    const applied = {
      applyNumberFormat: isKept('format') ? undefined : format !== 0,
      applyFont: isKept('font') ? undefined : font !== 0,
      applyFill: isKept('fill') ? undefined : fill !== 0,
      applyBorder: isKept('border') ? undefined : border !== 0,
      applyAlignment: isKept('alignment') ? undefined : aligned !== '',
      applyProtection: guarded === (source?.protection ?? '') ? undefined : guarded !== '',
    };
    const start =
      `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="${base}"` +
      withFlags(source?.attributes ?? '', applied);
    return aligned + guarded ? `${start}>${aligned}${guarded}</xf>` : `${start}/>`;
  }

  #formatOf(format: number | string | undefined): number {
    return typeof format === 'string' ? this.numberFormat(format) : (format ?? 0);
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
      `${this.#elements['tableStyles'] ?? ''}${this.#elements['colors'] ?? ''}${this.#elements['extLst'] ?? ''}</styleSheet>`
    );
  }

  #fontOf(style: Style): string {
    const { bold, italic, strikeThrough, underline, fontSize, fontColor, fontFamily } = style;
    if (!bold && !italic && !strikeThrough && !underline && !fontSize && !fontColor && !fontFamily)
      return this.#usualFont;
    return `<font>${fontProperties(style, 'name', this.#font)}</font>`;
  }
}

/**
 * Sets flags that are true in `flags` and removes those that are false. Flags that are undefined and other attributes
 * stay unchanged.
 */
function withFlags(attributes: string, flags: Readonly<Record<string, boolean | undefined>>): string {
  return Object.entries(flags).reduce((text, [name, isSet]) => {
    if (isSet === undefined) return text;
    return text.replace(new RegExp(` ${name}="[^"]*"`), '') + (isSet ? ` ${name}="1"` : '');
  }, attributes);
}

/** Returns the XML of a cell format's protection. `imported` is the XML in the imported file. */
function protectionOf(imported: string, lock: CellLock): string {
  if (lock === 'imported') return imported;
  const isHidden = / hidden="(?:1|true)"/.test(imported);
  return lock === 'open' || isHidden
    ? `<protection${lock === 'open' ? ' locked="0"' : ''}${isHidden ? ' hidden="1"' : ''}/>`
    : '';
}

function fillOf({ fill, bgColor }: Style): string {
  if (fill) return fill;
  return bgColor
    ? `<fill><patternFill patternType="solid"><fgColor rgb="${bgColor}"/><bgColor indexed="64"/></patternFill></fill>`
    : '<fill><patternFill patternType="none"/></fill>';
}

function listed(name: string, items: readonly string[]): string {
  return `<${name} count="${items.length}">${items.join('')}</${name}>`;
}

/**
 * Returns the XML of the font properties. Rich-text runs name the font in `rFont`, cell styles in `name`. Size, color
 * and font that `style` does not set are taken from `usual`.
 */
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

/** Returns the XML of the font properties set by a conditional format. */
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
