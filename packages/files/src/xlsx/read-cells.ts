import { damaged } from '../format-error.ts';
import type { XmlReader } from '../xml/xml-reader.ts';
import {
  errorTag,
  logicalTag,
  numberTag,
  textTag,
  type Band,
  type IndexedSheet,
  type RichText,
} from '@sheaf/engine/internal/document';
import { parseRect, type Rect, cellErrors, errorOfText } from '@sheaf/engine';
import { cleanString, readStringItem, type RichTextReader, type SharedStrings } from './read-shared-strings.ts';
import { isTrue } from '../containers/package-parts.ts';
import { parseCellTime, type CellVisitor } from './scan-cells.ts';
import { rowHeightOf } from './imported-cells.ts';
import { xmlEscape } from './xml-escape.ts';

export interface ParsedRow {
  readonly row: number;
  readonly height: number;
  /** Original XML attributes of the row, such as its height and phonetic guides. */
  readonly attributes: string;
  readonly hidden: boolean;
  readonly cellFormat: number | undefined;
  /** Outline level (1 to 7, 0 for none), plus 8 if the group is collapsed. */
  readonly outlineLevel: number;
}

export interface ParsedFormula {
  readonly row: number;
  readonly col: number;
  /** Formula text; undefined if the cell uses a shared formula defined by another cell. */
  readonly text: string | undefined;
  readonly shared: number | undefined;
  readonly array: Rect | undefined;
  /** Whether the formula is a dynamic array, which spills into the cells it needs. */
  readonly dynamic: boolean;
  /**
   * XML of the options set on the formula, such as ` ca="1"` (calculate whenever the file is opened); empty if none are
   * set.
   */
  readonly flags: string;
}

/**
 * Callbacks for the content of a worksheet's rows and cells, except plain values, which are stored directly in the
 * engine.
 */
export interface CellSink {
  row(facts: ParsedRow): void;
  cellFormat(row: number, col: number, look: number): void;
  formula(found: ParsedFormula): void;
  rich(row: number, col: number, text: RichText, showsPhonetics: boolean): void;
  /**
   * Called for a cell with a picture or another rich value. `number` is the cell's attribute `vm`, the number of its
   * entry in the list of value metadata.
   */
  metadata(row: number, col: number, number: number): void;
  dataTable(row: number, col: number, attributes: ReadonlyMap<string, string>): void;
  /** Called once per cell; throws if the workbook has too many cells. */
  count(): void;
}

export interface CellSource {
  readonly part: string;
  readonly sheet: IndexedSheet;
  readonly texts: SharedStrings;
  readonly richText: RichTextReader;
  /**
   * Returns the number of days to add to a number with the cell format `look`, to convert dates of the 1904 date
   * system. Undefined if the file uses the 1900 date system.
   */
  readonly shiftDate: ((look: number) => number) | undefined;
  readonly marksDynamic: boolean;
}

const formulaFlags = ['ca', 'aca', 'bx'];
const noAttributes: ReadonlyMap<string, string> = new Map();
/**
 * Row attributes that documents do not model completely. Their original XML is stored, so that the export can write it
 * back.
 */
const rowAttributes = ['ht', 'customHeight', 'thickTop', 'thickBot', 'ph'] as const;

/**
 * Stores the cell values of a worksheet directly in the engine, and passes everything else, such as formats and
 * formulas, to a `CellSink`.
 */
export class CellImporter implements CellVisitor {
  readonly #source: CellSource;
  readonly #sink: CellSink;
  #band: Band | undefined;
  #dynamic = false;
  #showsPhonetics = false;

  constructor(source: CellSource, sink: CellSink) {
    this.#source = source;
    this.#sink = sink;
  }

  row(row: number, reader: XmlReader): void {
    this.#band = undefined;
    let attributes = '';
    for (const name of rowAttributes) {
      const value = reader.attribute(name);
      if (value !== undefined) attributes += ` ${name}="${xmlEscape(value)}"`;
    }
    const hidden = isTrue(reader.attribute('hidden'));
    const look = isTrue(reader.attribute('customFormat')) ? Number(reader.attribute('s') ?? 0) : undefined;
    const group = outlineLevelOf(reader);
    if (!hidden && look === undefined && attributes === '' && group === 0) return;
    this.#sink.row({
      row,
      height: rowHeightOf(attributes),
      attributes,
      hidden,
      cellFormat: look,
      outlineLevel: group,
    });
  }

  cell(row: number, col: number, look: number, reader: XmlReader): void {
    // Read the attributes of phonetic guides and metadata only in workbooks that can contain them, because reading
    // attributes is slow.
    this.#showsPhonetics = this.#source.texts.rich.size > 0 && isTrue(reader.attribute('ph'));
    const value = this.#source.marksDynamic ? reader.attribute('vm') : undefined;
    if (value !== undefined) this.#sink.metadata(row, col, Number(value));
    this.#dynamic = this.#source.marksDynamic && reader.attribute('cm') !== undefined;
    this.#sink.count();
    this.#sink.cellFormat(row, col, look);
  }

  inline(row: number, col: number, reader: XmlReader): void {
    const { text, rich } = readStringItem(reader, this.#source.richText);
    this.#put(row, col, textTag, this.#source.sheet.cells.strings.intern(text));
    if (rich) this.#sink.rich(row, col, rich, this.#showsPhonetics);
  }

  formula(row: number, col: number, reader: XmlReader): void {
    const type = reader.attribute('t');
    const shared = type === 'shared' ? Number(reader.attribute('si') ?? -1) : undefined;
    const array = type === 'array' ? parseRect(reader.attribute('ref') ?? '') : undefined;
    const attributes = type === 'dataTable' ? reader.attributes(true) : noAttributes;
    const flags = formulaFlags.flatMap((name) => (isTrue(reader.attribute(name)) ? [` ${name}="1"`] : [])).join('');
    const text = reader.content();
    // A what-if data table has no formula text; its cells keep the values that the file stores for them.
    if (type === 'dataTable') this.#sink.dataTable(row, col, attributes);
    if (type === 'dataTable' || (text === '' && shared === undefined)) return;
    this.#sink.formula({
      row,
      col,
      text: text === '' ? undefined : text,
      shared,
      array,
      dynamic: this.#dynamic,
      flags,
    });
  }

  value(row: number, col: number, type: string, raw: string, look: number): void {
    switch (type) {
      case 's': {
        const { part, texts } = this.#source;
        const place = Number(raw);
        const id = texts.ids[place];
        if (id === undefined)
          throw damaged(`"${part}" names the text ${raw.slice(0, 20)}, which is missing from its list of texts`);
        this.#put(row, col, textTag, id);
        const rich = texts.rich.size > 0 ? texts.rich.get(place) : undefined;
        if (rich) this.#sink.rich(row, col, rich, this.#showsPhonetics);
        return;
      }
      case 'str':
      case 'inlineStr':
        this.#put(row, col, textTag, this.#source.sheet.cells.strings.intern(cleanString(raw)));
        return;
      case 'b':
        this.#put(row, col, logicalTag, isTrue(raw.trim()) ? 1 : 0);
        return;
      case 'e':
        this.#put(row, col, errorTag, (errorOfText(raw.trim()) ?? cellErrors.value).code);
        return;
      case 'd': {
        const time = parseCellTime(raw);
        if (Number.isFinite(time)) this.#put(row, col, numberTag, time / 86_400_000 + 25_569);
        return;
      }
      default: {
        const number = Number(raw);
        const { shiftDate } = this.#source;
        if (Number.isFinite(number)) this.#put(row, col, numberTag, shiftDate ? number + shiftDate(look) : number);
      }
    }
  }

  #put(row: number, col: number, tag: number, num: number): void {
    let band = this.#band;
    if (!band || row < band.start || row >= band.start + band.height) {
      band = this.#source.sheet.cells.ensureBand(row);
      this.#band = band;
    }
    const index = row - band.start;
    const chunk = band.chunk(col, index);
    chunk.tags[index] = tag;
    chunk.nums[index] = num;
  }
}

/** Returns the outline level of a row or column element, plus 8 if the group is collapsed. */
export function outlineLevelOf(reader: XmlReader): number {
  const level = Number(reader.attribute('outlineLevel') ?? 0);
  return (level >= 1 && level <= 7 ? Math.trunc(level) : 0) + (isTrue(reader.attribute('collapsed')) ? 8 : 0);
}
