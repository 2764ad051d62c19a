import { damaged } from '../../formats/format-error.ts';
import { decodeXmlEntities } from '../../formats/xml.ts';
import { parseRect } from '../engine/address.ts';
import type { Rect } from '../engine/address.ts';
import { ERROR, LOGICAL, NUMBER, TEXT } from '../engine/store/chunk.ts';
import type { Band } from '../engine/store/chunk.ts';
import type { Sheet } from '../engine/sheet.ts';
import { ERRORS, MAX_COLS, MAX_ROWS, errorOfText } from '../engine/values.ts';
import type { RichText } from '../engine/state/objects.ts';
import type { Theme } from './colors.ts';
import type { PartText } from './part-text.ts';
import { clean, readRuns } from './read-texts.ts';
import type { Texts } from './read-texts.ts';

export interface RowFacts {
  readonly row: number;
  readonly height: number | undefined;
  readonly hidden: boolean;
  readonly look: number | undefined;
}

export interface FoundFormula {
  readonly row: number;
  readonly col: number;
  /** Undefined where a shared formula goes on. */
  readonly text: string | undefined;
  readonly shared: number | undefined;
  readonly array: Rect | undefined;
}

export interface CellVisitor {
  row(facts: RowFacts): void;
  look(row: number, col: number, look: number): void;
  formula(found: FoundFormula): void;
  rich(row: number, col: number, text: RichText): void;
  /** A cell was met; the visitor ends the reading by throwing. */
  count(): void;
}

/**
 * Reads the cells of a worksheet straight into the store. Written for speed: this loop is all that looks at the text of a
 * million cells. Of a large sheet it holds a few rows' text at a time, cut where a row ends.
 */
export class CellReader {
  private xml: string;
  /** Behind this a row may go on in the next piece. */
  private safe: number;
  private pieces = 1;
  private readonly text: PartText;
  private readonly part: string;
  private readonly sheet: Sheet;
  private readonly texts: Texts;
  private readonly theme: Theme;
  private readonly visitor: CellVisitor;
  private readonly shiftDate: ((look: number) => number) | undefined;
  private at: number;
  private row = -1;
  private col = -1;
  private band: Band | undefined;
  /** Of the tag read last. */
  private refRow = -1;
  private refCol = -1;
  private look = 0;
  private type = '';
  private isClosed = false;

  constructor(xml: string, from: number, text: PartText, part: string, sheet: Sheet, texts: Texts, theme: Theme, visitor: CellVisitor, shiftDate?: (look: number) => number) {
    this.xml = xml;
    this.at = from;
    this.safe = endOfRows(xml);
    this.text = text;
    this.part = part;
    this.sheet = sheet;
    this.texts = texts;
    this.theme = theme;
    this.visitor = visitor;
    this.shiftDate = shiftDate;
  }

  /** Reads up to the end of the data and returns the text from there on, as far as it was taken. */
  read(): string {
    for (;;) {
      const { xml } = this;
      const open = xml.indexOf('<', this.at);
      if ((open < 0 || open >= this.safe) && this.refill()) continue;
      if (open < 0) throw damaged(`"${this.part}" is cut off`);
      const first = xml.charCodeAt(open + 1);
      const second = xml.charCodeAt(open + 2);
      if (first === 99 && (second === 32 || second === 62 || second === 47 || second === 10 || second === 9 || second === 13)) this.cell(open + 2);
      else if (first === 114 && xml.startsWith('row', open + 1)) this.startRow(open + 4);
      else if (first === 47 && xml.startsWith('/sheetData', open + 1)) return xml.slice(open);
      else this.at = open + 1;
    }
  }

  /** Takes more text; false when there is none. */
  private refill(): boolean {
    if (this.safe === Number.POSITIVE_INFINITY) return false;
    const more = this.text.next(this.pieces);
    if (more === undefined) {
      this.safe = Number.POSITIVE_INFINITY;
      return true;
    }
    this.xml = this.xml.slice(this.at) + more;
    this.at = 0;
    this.safe = endOfRows(more) === 0 ? 0 : endOfRows(this.xml);
    // A row longer than a piece: what was joined in vain is not joined again and again.
    this.pieces = this.safe === 0 ? this.pieces * 2 : 1;
    return true;
  }

  private tagEnd(from: number): number {
    const end = this.xml.indexOf('>', from);
    if (end < 0) throw damaged(`"${this.part}" ends inside a tag`);
    return end;
  }

  private startRow(from: number): void {
    const end = this.tagEnd(from);
    const attributes = this.xml.slice(from, end);
    const named = /\sr="(\d{1,15})"/.exec(attributes)?.[1];
    const row = named === undefined ? this.row + 1 : Number(named) - 1;
    if (row < 0 || row >= MAX_ROWS) throw damaged(`"${this.part}" names the row ${row + 1}, outside 1 to ${MAX_ROWS}`);
    this.row = row;
    this.col = -1;
    this.band = undefined;
    this.at = end + 1;
    if (attributes.length < 12) return;
    const height = /\scustomHeight="(?:1|true)"/.test(attributes) ? Number(/\sht="([\d.]{1,12})"/.exec(attributes)?.[1] ?? Number.NaN) : Number.NaN;
    const hidden = /\shidden="(?:1|true)"/.test(attributes);
    const look = /\scustomFormat="(?:1|true)"/.test(attributes) ? Number(/\ss="(\d{1,7})"/.exec(attributes)?.[1] ?? 0) : undefined;
    if (hidden || look !== undefined || height > 0) this.visitor.row({ row, height: height > 0 ? Math.min(height, 409) : undefined, hidden, look });
  }

  private cell(from: number): void {
    const { xml, visitor } = this;
    this.attributes(from);
    const row = this.refRow < 0 ? this.row : this.refRow;
    const col = this.refCol < 0 ? this.col + 1 : this.refCol;
    if (row < 0 || row >= MAX_ROWS || col >= MAX_COLS) throw damaged(`"${this.part}" names a cell in row ${row + 1}, column ${col + 1}, past the limits of a sheet`);
    this.col = col;
    visitor.count();
    visitor.look(row, col, this.look);
    if (this.isClosed) return;
    const { type, look } = this;
    let value: string | undefined;
    for (;;) {
      const open = xml.indexOf('<', this.at);
      if (open < 0) throw damaged(`"${this.part}" is cut off`);
      const first = xml.charCodeAt(open + 1);
      if (first === 118) value = this.inner(open, '</v>');
      else if (first === 102) this.formula(open, row, col);
      else if (first === 105 && xml.charCodeAt(open + 2) === 115) {
        const runs = readRuns(`<is>${this.inner(open, '</is>') ?? ''}</is>`, this.theme);
        this.put(row, col, TEXT, this.sheet.cells.strings.intern(runs.map((run) => run.text).join('').slice(0, 32_767)));
        if (runs.some((run) => run.style)) visitor.rich(row, col, runs);
      } else if (first === 47) {
        this.at = open + 3;
        break;
      } else this.at = open + 1;
    }
    if (value !== undefined && value !== '') this.value(row, col, type, value, look);
  }

  /** Text of a simple element; the reading goes on after it. */
  private inner(open: number, closing: string): string | undefined {
    const start = this.tagEnd(open);
    if (this.xml.charCodeAt(start - 1) === 47) {
      this.at = start + 1;
      return undefined;
    }
    const end = this.xml.indexOf(closing, start);
    if (end < 0) throw damaged(`"${this.part}" is cut off inside a cell`);
    this.at = end + closing.length;
    return this.xml.slice(start + 1, end);
  }

  private attributes(from: number): void {
    const { xml } = this;
    this.refRow = -1;
    this.refCol = -1;
    this.look = 0;
    this.type = 'n';
    let i = from;
    for (;;) {
      const code = xml.charCodeAt(i);
      if (code === 62) {
        this.isClosed = xml.charCodeAt(i - 1) === 47;
        this.at = i + 1;
        return;
      }
      if (Number.isNaN(code)) throw damaged(`"${this.part}" ends inside a tag`);
      const next = xml.charCodeAt(i + 1);
      if (next === 61 && (code === 114 || code === 115 || code === 116) && xml.charCodeAt(i - 1) <= 32) {
        const quote = xml.charCodeAt(i + 2);
        i += 3;
        if (code === 114) {
          let col = 0;
          let row = 0;
          let c = xml.charCodeAt(i);
          const start = i;
          for (; c >= 65 && c <= 90; c = xml.charCodeAt(++i)) col = col * 26 + c - 64;
          for (; c >= 48 && c <= 57; c = xml.charCodeAt(++i)) row = row * 10 + c - 48;
          if (c !== quote || col === 0 || row === 0 || col > MAX_COLS || row > MAX_ROWS) {
            throw damaged(`"${this.part}" names the cell "${xml.slice(start, start + 20).split(/["']/)[0] ?? ''}", which is no cell of a sheet`);
          }
          this.refCol = col - 1;
          this.refRow = row - 1;
        } else if (code === 115) {
          let look = 0;
          for (let c = xml.charCodeAt(i); c >= 48 && c <= 57 && look < 1e7; c = xml.charCodeAt(++i)) look = look * 10 + c - 48;
          this.look = look;
        } else {
          const start = i;
          while (i < xml.length && xml.charCodeAt(i) !== quote) i++;
          this.type = xml.slice(start, i);
        }
      }
      i++;
    }
  }

  private formula(open: number, row: number, col: number): void {
    const end = this.tagEnd(open);
    const attributes = this.xml.slice(open + 2, end);
    const text = this.inner(open, '</f>');
    if (attributes.length < 4) {
      if (text) this.visitor.formula({ row, col, text: decodeXmlEntities(text), shared: undefined, array: undefined });
      return;
    }
    const type = /\st="(\w+)"/.exec(attributes)?.[1];
    if (type === 'dataTable') return;
    const shared = type === 'shared' ? Number(/\ssi="(\d{1,9})"/.exec(attributes)?.[1] ?? -1) : undefined;
    const array = type === 'array' ? parseRect(/\sref="([^"]{1,40})"/.exec(attributes)?.[1] ?? '') : undefined;
    if (text || shared !== undefined) this.visitor.formula({ row, col, text: text ? decodeXmlEntities(text) : undefined, shared, array });
  }

  private value(row: number, col: number, type: string, raw: string, look: number): void {
    switch (type) {
      case 's': {
        const place = Number(raw);
        const id = this.texts.ids[place];
        if (id === undefined) throw damaged(`"${this.part}" names the text ${raw.slice(0, 20)}, which its list of texts lacks`);
        this.put(row, col, TEXT, id);
        const rich = this.texts.rich.size > 0 ? this.texts.rich.get(place) : undefined;
        if (rich) this.visitor.rich(row, col, rich);
        return;
      }
      case 'str':
      case 'inlineStr':
        this.put(row, col, TEXT, this.sheet.cells.strings.intern(clean(raw)));
        return;
      case 'b':
        this.put(row, col, LOGICAL, raw === '1' || raw === 'true' ? 1 : 0);
        return;
      case 'e':
        this.put(row, col, ERROR, (errorOfText(decodeXmlEntities(raw)) ?? ERRORS.value).code);
        return;
      case 'd': {
        const time = Date.parse(/[zZ]|[+-]\d\d:\d\d$/.test(raw) ? raw : `${raw}${raw.includes('T') ? '' : 'T00:00'}Z`);
        if (Number.isFinite(time)) this.put(row, col, NUMBER, time / 86_400_000 + 25_569);
        return;
      }
      default: {
        const number = Number(raw);
        if (Number.isFinite(number)) this.put(row, col, NUMBER, this.shiftDate ? number + this.shiftDate(look) : number);
      }
    }
  }

  private put(row: number, col: number, tag: number, num: number): void {
    let { band } = this;
    if (!band || row < band.start || row >= band.start + band.height) {
      band = this.sheet.cells.needBand(row);
      this.band = band;
    }
    const index = row - band.start;
    const chunk = band.chunk(col, index);
    chunk.tags[index] = tag;
    chunk.nums[index] = num;
  }
}

function endOfRows(xml: string): number {
  return xml.lastIndexOf('</row>') + 1;
}
