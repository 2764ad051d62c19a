import { damaged } from '../format-error.ts';
import { closeToken, endToken, openToken, type XmlReader } from '../xml/xml-reader.ts';
import {
  errorTag,
  logicalTag,
  numberTag,
  textTag,
  type Band,
  type Sheet,
  type RichText,
} from '@sheaf/engine/internal/document';
import { parseRect, type Rect, cellErrors, maxCols, maxRows, errorOfText } from '@sheaf/engine';
import type { Theme } from './colors.ts';
import { cleanString, readStringItem, type SharedStrings } from './read-shared-strings.ts';
import { isTrue } from './read-package-parts.ts';

export interface ParsedRow {
  readonly row: number;
  readonly height: number | undefined;
  readonly hidden: boolean;
  readonly cellFormat: number | undefined;
  /** Outline level, plus 8 if the group is collapsed. */
  readonly outlineLevel: number;
}

export interface ParsedFormula {
  readonly row: number;
  readonly col: number;
  /** Undefined for a cell that continues a shared formula. */
  readonly text: string | undefined;
  readonly shared: number | undefined;
  readonly array: Rect | undefined;
  /** True if the formula is a dynamic array, which spills. */
  readonly dynamic: boolean;
}

export interface CellVisitor {
  row(facts: ParsedRow): void;
  cellFormat(row: number, col: number, look: number): void;
  formula(found: ParsedFormula): void;
  rich(row: number, col: number, text: RichText): void;
  /** Called for each cell; the visitor may throw to stop. */
  count(): void;
}

const highestPoints = 409;

/** Reads the cells of a worksheet directly into the store; this is the only loop over the text of all cells. */
export class CellReader {
  readonly #reader: XmlReader;
  readonly #part: string;
  readonly #sheet: Sheet;
  readonly #texts: SharedStrings;
  readonly #theme: Theme;
  readonly #visitor: CellVisitor;
  readonly #shiftDate: ((look: number) => number) | undefined;
  readonly #marksDynamic: boolean;
  #row = -1;
  #col = -1;
  #band: Band | undefined;

  constructor(
    reader: XmlReader,
    part: string,
    sheet: Sheet,
    texts: SharedStrings,
    theme: Theme,
    visitor: CellVisitor,
    shiftDate: ((look: number) => number) | undefined,
    marksDynamic: boolean,
  ) {
    this.#reader = reader;
    this.#part = part;
    this.#sheet = sheet;
    this.#texts = texts;
    this.#theme = theme;
    this.#visitor = visitor;
    this.#shiftDate = shiftDate;
    this.#marksDynamic = marksDynamic;
  }

  /** Reads the content of the element just opened, up to its end. */
  read(): void {
    const reader = this.#reader;
    const outside = reader.depth - 1;
    for (;;) {
      const token = reader.next();
      if (token === openToken) {
        const { name } = reader;
        if (name === 'c') this.#cell();
        else if (name === 'row') this.#startRow();
      } else if (token === closeToken) {
        if (reader.depth === outside) return;
      } else if (token === endToken) throw damaged(`"${this.#part}" is truncated`);
    }
  }

  #startRow(): void {
    const reader = this.#reader;
    const named = reader.attribute('r');
    const row = named === undefined ? this.#row + 1 : Number(named) - 1;
    if (!Number.isInteger(row) || row < 0 || row >= maxRows) {
      throw damaged(
        `"${this.#part}" names the row ${(named ?? String(row + 1)).slice(0, 20)}, outside 1 to ${maxRows}`,
      );
    }
    this.#row = row;
    this.#col = -1;
    this.#band = undefined;
    const height = isTrue(reader.attribute('customHeight')) ? Number(reader.attribute('ht') ?? Number.NaN) : Number.NaN;
    const hidden = isTrue(reader.attribute('hidden'));
    const look = isTrue(reader.attribute('customFormat')) ? Number(reader.attribute('s') ?? 0) : undefined;
    const group = outlineLevelOf(reader);
    if (!hidden && look === undefined && !(height > 0) && group === 0) return;
    this.#visitor.row({
      row,
      height: height > 0 ? Math.min(height, highestPoints) : undefined,
      hidden,
      cellFormat: look,
      outlineLevel: group,
    });
  }

  #cell(): void {
    const reader = this.#reader;
    const visitor = this.#visitor;
    const ref = reader.attribute('r');
    if (ref === undefined) this.#col++;
    else this.#place(ref);
    const row = this.#row;
    const col = this.#col;
    if (row < 0 || col >= maxCols)
      throw damaged(`"${this.#part}" names a cell in row ${row + 1}, column ${col + 1}, past the limits of a sheet`);
    const style = reader.attribute('s');
    const look = style === undefined ? 0 : Number(style);
    const type = reader.attribute('t') ?? 'n';
    const dynamic = this.#marksDynamic && reader.attribute('cm') !== undefined;
    visitor.count();
    visitor.cellFormat(row, col, look);
    if (reader.isEmpty) return;
    const outside = reader.depth - 1;
    let value = '';
    let isComputed = false;
    for (;;) {
      const token = reader.next();
      if (token === openToken) {
        const { name } = reader;
        if (name === 'v') value = reader.content();
        else if (name === 'f') {
          isComputed = true;
          this.#formula(row, col, dynamic);
        } else if (name === 'is') this.#inline(row, col);
        else reader.skip();
      } else if (token === closeToken) {
        if (reader.depth === outside) break;
      } else if (token === endToken) throw damaged(`"${this.#part}" is truncated inside a cell`);
    }
    // Store the empty text that a formula returned: the value stays if the formula cannot be imported.
    if (value !== '' || (isComputed && type === 'str')) this.#value(row, col, type, value, look);
  }

  #place(ref: string): void {
    let col = 0;
    let row = 0;
    let i = 0;
    // Letters of either case.
    for (let code = ref.charCodeAt(0) & 0xdf; code >= 65 && code <= 90; code = ref.charCodeAt(++i) & 0xdf)
      col = col * 26 + code - 64;
    const digits = i;
    for (let code = ref.charCodeAt(i); code >= 48 && code <= 57; code = ref.charCodeAt(++i)) row = row * 10 + code - 48;
    if (i !== ref.length || i === digits || col === 0 || row === 0 || col > maxCols || row > maxRows) {
      throw damaged(`"${this.#part}" names the cell "${ref.slice(0, 20)}", which is not a cell of a sheet`);
    }
    this.#row = row - 1;
    this.#col = col - 1;
  }

  #inline(row: number, col: number): void {
    const { text, rich } = readStringItem(this.#reader, this.#theme);
    this.#put(row, col, textTag, this.#sheet.cells.strings.intern(text));
    if (rich) this.#visitor.rich(row, col, rich);
  }

  #formula(row: number, col: number, dynamic: boolean): void {
    const reader = this.#reader;
    const type = reader.attribute('t');
    const shared = type === 'shared' ? Number(reader.attribute('si') ?? -1) : undefined;
    const array = type === 'array' ? parseRect(reader.attribute('ref') ?? '') : undefined;
    const text = reader.content();
    // Data tables have no formula text.
    if (type === 'dataTable' || (text === '' && shared === undefined)) return;
    this.#visitor.formula({ row, col, text: text === '' ? undefined : text, shared, array, dynamic });
  }

  #value(row: number, col: number, type: string, raw: string, look: number): void {
    switch (type) {
      case 's': {
        const place = Number(raw);
        const id = this.#texts.ids[place];
        if (id === undefined)
          throw damaged(`"${this.#part}" names the text ${raw.slice(0, 20)}, which is missing from its list of texts`);
        this.#put(row, col, textTag, id);
        const rich = this.#texts.rich.size > 0 ? this.#texts.rich.get(place) : undefined;
        if (rich) this.#visitor.rich(row, col, rich);
        return;
      }
      case 'str':
      case 'inlineStr':
        this.#put(row, col, textTag, this.#sheet.cells.strings.intern(cleanString(raw)));
        return;
      case 'b':
        this.#put(row, col, logicalTag, isTrue(raw.trim()) ? 1 : 0);
        return;
      case 'e':
        this.#put(row, col, errorTag, (errorOfText(raw.trim()) ?? cellErrors.value).code);
        return;
      case 'd': {
        const time = Date.parse(/[zZ]|[+-]\d\d:\d\d$/.test(raw) ? raw : `${raw}${raw.includes('T') ? '' : 'T00:00'}Z`);
        if (Number.isFinite(time)) this.#put(row, col, numberTag, time / 86_400_000 + 25_569);
        return;
      }
      default: {
        const number = Number(raw);
        if (Number.isFinite(number))
          this.#put(row, col, numberTag, this.#shiftDate ? number + this.#shiftDate(look) : number);
      }
    }
  }

  #put(row: number, col: number, tag: number, num: number): void {
    let band = this.#band;
    if (!band || row < band.start || row >= band.start + band.height) {
      band = this.#sheet.cells.ensureBand(row);
      this.#band = band;
    }
    const index = row - band.start;
    const chunk = band.chunk(col, index);
    chunk.tags[index] = tag;
    chunk.nums[index] = num;
  }
}

/** Returns the outline level of a row or column range. */
export function outlineLevelOf(reader: XmlReader): number {
  const level = Number(reader.attribute('outlineLevel') ?? 0);
  return (level >= 1 && level <= 7 ? Math.trunc(level) : 0) + (isTrue(reader.attribute('collapsed')) ? 8 : 0);
}
