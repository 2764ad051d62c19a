import { maxCols, maxRows, rectName, type Rect } from '@sheaf/engine';
import { xmlEscape } from '../xlsx/xml-escape.ts';
import type { BiffReader } from './biff-reader.ts';
import { borderElement, fillPatterns, fontElements, type BiffStyles } from './biff-styles.ts';
import { formulaText, UnsupportedFormula, type FormulaScope } from './formula-text.ts';

const operators = 'between notBetween equal notEqual greaterThan lessThan greaterThanOrEqual lessThanOrEqual'.split(
  ' ',
);
const validationKinds = 'none whole decimal list date time textLength custom'.split(' ');
const errorStyles = ['stop', 'warning', 'information'];
const fontBlockBytes = 118;
const unchanged = 0xffff_ffff;

/** Reads a range. Ranges of whole columns or rows in the smaller grid of .xls are extended to the grid of xlsx. */
export function readRect(reader: BiffReader): Rect {
  const [top, bottom, left, right] = [reader.u16(), reader.u16(), reader.u16(), reader.u16()];
  return {
    top,
    bottom: top === 0 && bottom === 0xffff ? maxRows - 1 : bottom,
    left,
    right: left === 0 && right === 0xff ? maxCols - 1 : right,
  };
}

function readRects(reader: BiffReader): Rect[] {
  const rects: Rect[] = [];
  for (let count = reader.u16(); count > 0; count--) rects.push(readRect(reader));
  return rects;
}

const listOf = (rects: readonly Rect[]): string => rects.map(rectName).join(' ');

/** Collects the conditional formats and data validation of an .xls worksheet as the XML of xlsx. */
export class BiffRules {
  readonly #styles: BiffStyles;
  readonly #scope: FormulaScope;
  readonly #warn: (what: string) => void;
  readonly #formats: { rects: Rect[]; rules: string[] }[] = [];
  readonly #validations: string[] = [];
  #priority = 0;

  constructor(styles: BiffStyles, scope: FormulaScope, warn: (what: string) => void) {
    this.#styles = styles;
    this.#scope = scope;
    this.#warn = warn;
  }

  conditionalRange(reader: BiffReader): void {
    reader.skip(12);
    this.#formats.push({ rects: readRects(reader), rules: [] });
  }

  conditionalRule(reader: BiffReader): void {
    const format = this.#formats.at(-1);
    if (!format) return;
    const [kind, operator, firstSize, secondSize] = [reader.u8(), reader.u8(), reader.u16(), reader.u16()];
    const style = this.#differentialFormat(reader);
    const formulas = [firstSize, secondSize]
      .filter((size) => size > 0)
      .map((size) => this.#formula(reader.bytes(size), format.rects));
    if (formulas.includes(undefined)) {
      this.#warn('conditional formats whose formulas cannot be read');
      return;
    }
    const named = kind === 1 ? ` operator="${operators[operator - 1] ?? 'equal'}"` : '';
    const texts = formulas.map((formula) => `<formula>${xmlEscape(formula!)}</formula>`).join('');
    const id = this.#styles.differential.push(`<dxf>${style}</dxf>`) - 1;
    const type = kind === 1 ? 'cellIs' : 'expression';
    format.rules.push(`<cfRule type="${type}" dxfId="${id}" priority="${++this.#priority}"${named}>${texts}</cfRule>`);
  }

  #formula(tokens: Uint8Array, rects: readonly Rect[]): string | undefined {
    const row = Math.min(...rects.map(({ top }) => top));
    const col = Math.min(...rects.map(({ left }) => left));
    try {
      return formulaText(tokens, new Uint8Array(0), { row, col }, this.#scope);
    } catch (error) {
      if (error instanceof UnsupportedFormula) return undefined;
      throw error;
    }
  }

  /**
   * Reads a differential format (a format that sets only some properties). Its flags tell which blocks follow and which
   * of their fields are unchanged.
   */
  #differentialFormat(reader: BiffReader): string {
    const flags = reader.u32();
    const isOwnNumberFormat = (reader.u16() & 1) !== 0;
    const has = (bit: number): boolean => ((flags >>> bit) & 1) !== 0;
    if (has(25)) reader.skip(isOwnNumberFormat ? Math.max(0, reader.u16() - 2) : 2);
    const font = has(26) ? this.#differentialFont(reader.bytes(fontBlockBytes)) : '';
    if (has(27)) reader.skip(8);
    const border = has(28) ? this.#differentialBorder(reader, flags) : '';
    const fill = has(29) ? this.#differentialFill(reader, flags) : '';
    if (has(30)) reader.skip(2);
    return font + fill + border;
  }

  #differentialFont(block: Uint8Array): string {
    const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
    const [height, flags, weight, color] = [
      view.getUint32(64, true),
      view.getUint32(68, true),
      view.getUint16(72, true),
      view.getUint32(80, true),
    ];
    const ignored = view.getUint32(88, true);
    const isSet = (mask: number): boolean => (ignored & mask) === 0 && (flags & mask) !== 0;
    const elements = fontElements(
      {
        bold: view.getUint32(100, true) === 0 && weight >= 600,
        italic: isSet(0x02),
        strike: isSet(0x80),
        underline: view.getUint32(96, true) === 0 ? view.getUint8(76) : 0,
      },
      height === unchanged ? undefined : height / 20,
      color === unchanged ? '' : this.#styles.colors.element('color', color),
    );
    return elements === '' ? '' : `<font>${elements}</font>`;
  }

  #differentialBorder(reader: BiffReader, flags: number): string {
    const edges = reader.u32();
    const more = reader.u32();
    const styles = [edges & 15, (edges >> 4) & 15, (edges >> 8) & 15, (edges >> 12) & 15];
    const colors = [(edges >> 16) & 127, (edges >> 23) & 127, more & 127, (more >> 7) & 127];
    const sides = ['left', 'right', 'top', 'bottom'].map((side, index) =>
      ((flags >>> (10 + index)) & 1) === 0
        ? borderElement(side, styles[index]!, this.#styles.colors.element('color', colors[index]!))
        : '',
    );
    return `<border>${sides.join('')}</border>`;
  }

  /**
   * Reads the fill of a differential format (a format that overrides parts of a cell's style). In it, unlike in cell
   * styles, the visible color of a solid fill is the background color.
   */
  #differentialFill(reader: BiffReader, flags: number): string {
    const pattern = reader.u16() >> 10;
    const colors = reader.u16();
    const isLeft = (bit: number): boolean => ((flags >>> bit) & 1) === 0;
    const name = fillPatterns[pattern];
    const type = isLeft(16) && name !== undefined && pattern > 1 ? ` patternType="${name}"` : '';
    const front = isLeft(17) ? this.#styles.colors.element('fgColor', colors & 127) : '';
    const behind = isLeft(18) ? this.#styles.colors.element('bgColor', (colors >> 7) & 127) : '';
    return `<fill><patternFill${type}>${front}${behind}</patternFill></fill>`;
  }

  validation(reader: BiffReader): void {
    const flags = reader.u32();
    const [promptTitle, errorTitle, prompt, error] = [
      reader.text16(),
      reader.text16(),
      reader.text16(),
      reader.text16(),
    ];
    const stored = [0, 1].map(() => {
      const size = reader.u16();
      reader.skip(2);
      return reader.bytes(size);
    });
    const rects = readRects(reader);
    const formulas = stored.map((tokens) => (tokens.length === 0 ? '' : this.#formula(tokens, rects)));
    if (formulas.includes(undefined) || rects.length === 0) {
      this.#warn('data validation whose formulas cannot be read');
      return;
    }
    const kind = flags & 15;
    const isTextList = (flags & 0x80) !== 0;
    // List entries are separated by NUL characters in .xls and by commas in xlsx.
    const [first = '', second = ''] = formulas.map((one) => (isTextList ? one!.replaceAll('\u0000', ',') : one!));
    const text = (name: string, value: string): string =>
      value === '' || value === '\u0000' ? '' : ` ${name}="${xmlEscape(value)}"`;
    const mark = (name: string, bit: number): string => ((flags >>> bit) & 1 ? ` ${name}="1"` : '');
    const attributes =
      (kind === 0 ? '' : ` type="${validationKinds[kind] ?? 'custom'}"`) +
      ` errorStyle="${errorStyles[(flags >> 4) & 7] ?? 'stop'}" operator="${operators[(flags >> 20) & 15] ?? 'between'}"` +
      mark('allowBlank', 8) +
      mark('showDropDown', 9) +
      mark('showInputMessage', 18) +
      mark('showErrorMessage', 19) +
      text('errorTitle', errorTitle) +
      text('error', error) +
      text('promptTitle', promptTitle) +
      text('prompt', prompt);
    this.#validations.push(
      `<dataValidation${attributes} sqref="${listOf(rects)}">` +
        (first === '' ? '' : `<formula1>${xmlEscape(first)}</formula1>`) +
        `${second === '' ? '' : `<formula2>${xmlEscape(second)}</formula2>`}</dataValidation>`,
    );
  }

  xml(): string {
    const formats = this.#formats
      .filter(({ rects, rules }) => rects.length > 0 && rules.length > 0)
      .map(
        ({ rects, rules }) =>
          `<conditionalFormatting sqref="${listOf(rects)}">${rules.join('')}</conditionalFormatting>`,
      );
    const validations =
      this.#validations.length === 0
        ? ''
        : `<dataValidations count="${this.#validations.length}">${this.#validations.join('')}</dataValidations>`;
    return formats.join('') + validations;
  }
}
