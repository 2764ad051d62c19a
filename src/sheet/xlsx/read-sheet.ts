import { FormatError, damaged } from '../../formats/format-error.ts';
import { parseCell, parseRect } from '../engine/address.ts';
import type { Rect } from '../engine/address.ts';
import type { SheetDocument } from '../engine/document.ts';
import { FormulaSyntaxError } from '../engine/formula/lexer.ts';
import type { Template } from '../engine/formula/template.ts';
import { hiddenRows } from '../engine/filter.ts';
import { isDatePattern } from '../engine/number-format.ts';
import type { Filter, FilterColumn, Freeze, Link, RichText } from '../engine/state/objects.ts';
import { meets, rectOf, regionOf } from '../engine/state/rect.ts';
import { Runs } from '../engine/state/runs.ts';
import { NEW_COLS, NEW_ROWS } from '../engine/state/sub-sheet.ts';
import type { SubSheet } from '../engine/state/sub-sheet.ts';
import { MAX_COLS } from '../engine/values.ts';
import { checkLink } from '../parts/links.ts';
import { fromFile } from './formula-text.ts';
import type { Theme } from './colors.ts';
import { CellReader } from './read-cells.ts';
import type { FoundFormula } from './read-cells.ts';
import { LockedCells } from './read-protection.ts';
import type { PartText } from './part-text.ts';
import type { Look } from './read-styles.ts';
import type { Texts } from './read-texts.ts';
import { eachElement, isOn } from './read-xml.ts';
import type { Relation } from './read-xml.ts';
import type { Tables } from './table-references.ts';
import { CELL_PADDING, PIXELS_PER_CHARACTER } from './write-sheet.ts';

export interface ReadingBook {
  readonly document: SheetDocument;
  readonly looks: readonly Look[];
  readonly texts: Texts;
  readonly theme: Theme;
  readonly date1904: boolean;
  readonly owner: string;
  readonly newId: (prefix: string) => string;
  readonly maxCells: number;
  /** What could not be taken over, in words for a person. */
  readonly warnings: Set<string>;
  readonly tables: Tables;
  cells: number;
}

const DAYS_1904 = 1462;
const MOST_MERGES = 100_000;

/** A style of cells one below the other, while they are read. */
interface OpenRun {
  start: number;
  end: number;
  style: number;
  readonly done: [start: number, end: number, style: number][];
}

export class SheetReader {
  private readonly book: ReadingBook;
  private readonly sub: SubSheet;
  private readonly part: string;
  private readonly text: PartText;
  private readonly relations: ReadonlyMap<string, Relation>;
  private readonly styleIds: number[];
  private readonly runs: (OpenRun | undefined)[] = [];
  private readonly columnStyles = new Runs();
  private readonly rowStyles: [row: number, style: number][] = [];
  private readonly formulas: FoundFormula[] = [];
  private readonly filters: { rect: Rect; columns: FilterColumn[] }[] = [];
  private readonly links: [number, number, Link][] = [];
  private readonly rich: [number, number, RichText][] = [];
  private readonly merges: Rect[] = [];
  private readonly rowSizes = new Runs();
  private readonly colSizes = new Runs();
  private readonly hiddenRows = new Runs();
  private readonly hiddenCols = new Runs();
  private readonly locked: LockedCells;
  private freeze: Freeze = { rows: 0, cols: 0 };
  private isProtected = false;
  private lastRow = -1;
  private lastCol = -1;
  private rowHasLook = false;

  constructor(book: ReadingBook, sub: SubSheet, part: string, text: PartText, relations: ReadonlyMap<string, Relation>) {
    this.book = book;
    this.sub = sub;
    this.part = part;
    this.text = text;
    this.relations = relations;
    this.styleIds = book.looks.map((look) => book.document.styles.intern(look.style));
    this.locked = new LockedCells(book.looks);
  }

  /** Values, looks and all around them; formulas wait until every sub-sheet has its cells. Tables are given as XML. */
  read(tables: readonly string[]): void {
    const { text } = this;
    this.isProtected = /<sheetProtection\s[^>]*\bsheet="(?:1|true)"/.test(text.after('</sheetData'));
    const { xml, start } = this.beginning();
    const from = start.index + start[0].length;
    this.head(xml.slice(0, start.index));
    let rest = start[1] === '/' ? xml.slice(from) : this.cells(xml, from);
    for (let more = text.next(); more !== undefined; more = text.next()) rest += more;
    this.tail(rest);
    for (const table of tables) this.tail(table);
    this.finish();
  }

  /** As much of the text as tells where the cells begin. */
  private beginning(): { xml: string; start: RegExpExecArray } {
    let xml = '';
    for (let more = this.text.next(); more !== undefined; more = this.text.next()) {
      xml += more;
      const start = /<sheetData(?:\s[^>]*)?(\/)?>/.exec(xml);
      if (start) return { xml, start };
    }
    throw damaged(`"${this.part}" has no cells`);
  }

  private styleOf(look: number): number {
    return this.styleIds[look] ?? 0;
  }

  /** Reads the cells and returns the text after them, as far as it was taken. */
  private cells(xml: string, from: number): string {
    const { book, sub } = this;
    const dates = book.date1904 ? book.looks.map((look) => (look.style.numberFormat && isDatePattern(look.style.numberFormat) ? DAYS_1904 : 0)) : undefined;
    const hasColumnStyles = !this.columnStyles.isEmpty;
    const reader = new CellReader(xml, from, this.text, this.part, sub.sheet, book.texts, book.theme, {
      count: () => {
        if (++book.cells > book.maxCells) throw new FormatError('too_large', `The workbook holds more than ${book.maxCells} cells. Split it and import the parts.`);
      },
      row: (facts) => {
        if (facts.height !== undefined) this.rowSizes.set(facts.row, facts.row, facts.height);
        if (facts.hidden) this.hiddenRows.set(facts.row, facts.row, 1);
        const style = facts.look === undefined ? 0 : this.styleOf(facts.look);
        this.rowHasLook = style !== 0;
        if (style !== 0) this.rowStyles.push([facts.row, style]);
      },
      look: (row, col, look) => {
        if (row > this.lastRow) this.lastRow = row;
        if (col > this.lastCol) this.lastCol = col;
        if (this.isProtected) this.locked.cell(row, col, look);
        const style = look === 0 ? 0 : this.styleOf(look);
        if (style !== 0 || hasColumnStyles || this.rowHasLook || this.rowStyles.length > 0) this.style(row, col, style);
      },
      formula: (found) => this.formulas.push(found),
      rich: (row, col, text) => this.rich.push([row, col, text]),
    }, dates && ((look) => dates[look] ?? 0));
    return reader.read();
  }

  private style(row: number, col: number, style: number): void {
    const run = this.runs[col];
    if (!run) this.runs[col] = { start: row, end: row, style, done: [] };
    else if (run.style === style && row === run.end + 1) run.end = row;
    else {
      run.done.push([run.start, run.end, run.style]);
      run.start = row;
      run.end = row;
      run.style = style;
    }
  }

  private head(xml: string): void {
    eachElement(xml, this.part, {
      open: ({ name, attributes }) => {
        const number = (key: string): number => Number(attributes.get(key) ?? 0);
        if (name === 'pane' && (attributes.get('state') ?? '').startsWith('frozen')) {
          const count = (value: number): number => (Number.isInteger(value) && value > 0 && value <= 1000 ? value : 0);
          this.freeze = { rows: count(number('ySplit')), cols: count(number('xSplit')) };
        } else if (name === 'col') {
          const first = Math.max(0, number('min') - 1);
          const last = Math.min(MAX_COLS - 1, number('max') - 1);
          if (!(last >= first)) return;
          const width = number('width');
          if (width > 0 && isOn(attributes.get('customWidth'))) this.colSizes.set(first, last, Math.min(10_000, Math.round(width * PIXELS_PER_CHARACTER + CELL_PADDING)));
          if (isOn(attributes.get('hidden'))) this.hiddenCols.set(first, last, 1);
          this.locked.column(first, last, number('style'));
          const style = this.styleOf(number('style'));
          if (style !== 0) this.columnStyles.set(first, last, style);
        }
      },
    });
  }

  private tail(xml: string): void {
    let filter: { rect: Rect; columns: FilterColumn[] } | undefined;
    let column: { col: number; visible: string[] } | undefined;
    eachElement(xml, this.part, {
      open: ({ name, attributes }) => {
        if (name === 'mergeCell') this.merge(attributes.get('ref') ?? '');
        else if (name === 'hyperlink') this.link(attributes);
        else if (name === 'autoFilter') {
          const rect = parseRect(attributes.get('ref') ?? '');
          if (rect && !this.filters.some((other) => meets(other.rect, rect))) {
            filter = { rect, columns: [] };
            this.filters.push(filter);
          }
        } else if (name === 'filterColumn' && filter) column = { col: filter.rect.left + Number(attributes.get('colId') ?? 0), visible: [] };
        else if (name === 'filters' && column && isOn(attributes.get('blank'))) column.visible.push('');
        else if (name === 'filter' && column) column.visible.push(attributes.get('val') ?? '');
        else if (name === 'customFilters' || name === 'dynamicFilter' || name === 'top10' || name === 'colorFilter' || name === 'dateGroupItem') {
          if (column) this.book.warnings.add('filters other than lists of values were left out; their rows stay hidden');
          column = undefined;
        }
      },
      close: (name) => {
        if (name === 'filterColumn') {
          if (column && filter && column.col <= filter.rect.right && column.visible.length > 0) filter.columns.push(column);
          column = undefined;
        } else if (name === 'autoFilter') filter = undefined;
      },
    });
  }

  private merge(ref: string): void {
    const rect = parseRect(ref);
    if (!rect) throw damaged(`"${this.part}" merges "${ref.slice(0, 40)}", which is no range of a sheet`);
    if (this.merges.length >= MOST_MERGES) throw new FormatError('too_large', `A sheet merges more than ${MOST_MERGES} ranges.`);
    if (rect.top !== rect.bottom || rect.left !== rect.right) this.merges.push(rect);
  }

  private link(attributes: ReadonlyMap<string, string>): void {
    const rect = parseRect(attributes.get('ref') ?? '');
    if (!rect) return;
    const id = attributes.get('id');
    const location = attributes.get('location');
    const url = id !== undefined ? this.relations.get(id)?.target : location === undefined ? undefined : this.place(location);
    if (url === undefined) return;
    try {
      this.links.push([rect.top, rect.left, { id: this.book.newId('link'), url: checkLink(url) }]);
    } catch (failure) {
      if (!(failure instanceof Error)) throw failure;
      this.book.warnings.add('links other than http, https, mailto and places in the document were left out');
    }
  }

  /** A place in the file as documents say it, with the sub-sheet's id. */
  private place(location: string): string | undefined {
    const split = location.lastIndexOf('!');
    const name = location.slice(0, Math.max(0, split)).replace(/^'([\s\S]*)'$/, '$1').replaceAll("''", "'");
    const sheet = split < 0 ? this.sub : this.book.document.byName(name);
    const cell = location.slice(split + 1).replaceAll('$', '');
    return sheet && (parseRect(cell) ?? parseCell(cell)) ? `#${sheet.id}!${cell}` : undefined;
  }

  private finish(): void {
    const { sub, book } = this;
    for (const rect of [...this.merges, ...this.filters.map((filter) => filter.rect)]) {
      this.lastRow = Math.max(this.lastRow, rect.bottom);
      this.lastCol = Math.max(this.lastCol, rect.right);
    }
    const rows = Math.max(NEW_ROWS, this.lastRow + 1, this.rowSizes.last + 1, this.hiddenRows.last + 1);
    const widths = this.colSizes.list().filter(([, end]) => end < MAX_COLS - 1).at(-1)?.[1] ?? -1;
    const cols = Math.max(NEW_COLS, this.lastCol + 1, widths + 1);
    this.columnStyles.each(0, cols - 1, (start, end, style) => {
      if (style !== 0) for (let col = start; col <= end; col++) sub.styles.set(col, 0, rows - 1, style);
    });
    for (const [row, style] of this.rowStyles) for (let col = 0; col < cols; col++) sub.styles.set(col, row, row, style);
    this.runs.forEach((run, col) => {
      if (!run) return;
      for (const [start, end, style] of run.done) sub.styles.set(col, start, end, style);
      sub.styles.set(col, run.start, run.end, run.style);
    });
    for (let col = 0; col <= this.lastCol; col++) sub.sheet.cells.touch(col);
    sub.restore({
      size: [rows, cols],
      merges: apart(this.merges).map(regionOf),
      rowSizes: this.rowSizes.list(),
      colSizes: clip(this.colSizes, cols),
      hiddenRows: this.hiddenRows.list(),
      hiddenCols: clip(this.hiddenCols, cols),
      freeze: this.freeze,
      links: this.links,
      rich: this.rich,
      protections: this.isProtected ? this.locked.protections(rows, cols, book.owner, book.newId, book.warnings) : [],
    });
    // Cells under a merge hold nothing of their own.
    for (const rect of sub.merges.list()) this.clearUnder(rect);
  }

  private clearUnder(rect: Rect): void {
    for (let col = rect.left; col <= rect.right; col++) {
      eachFilledRow(this.sub, col, rect, (row) => {
        if (row !== rect.top || col !== rect.left) this.book.document.workbook.setValue(this.sub.sheet, row, col, null);
      });
    }
  }

  /** After all sub-sheets and names are there. */
  placeFormulas(): void {
    const { book, sub } = this;
    const { workbook } = book.document;
    const shared = new Map<number, Template>();
    let lost = 0;
    for (const { row, col, text, shared: key, array } of this.formulas) {
      const under = sub.merges.size > 0 ? sub.merges.at(row, col) : undefined;
      if (under && (under.top !== row || under.left !== col)) continue;
      try {
        const template = text === undefined ? shared.get(key as number) : workbook.templates.of(fromFile(book.tables.replace(text, { sheet: sub.name, row, col })), row, col, array !== undefined);
        if (!template) continue;
        if (key !== undefined && text !== undefined) shared.set(key, template);
        if (array) this.clearArray(array, row, col);
        workbook.setTemplate(sub.sheet, row, col, template);
      } catch (failure) {
        if (!(failure instanceof FormulaSyntaxError)) throw failure;
        lost++;
      }
    }
    if (lost > 0) book.warnings.add(`${lost} formulas of '${sub.name}' are not understood; their values were kept`);
  }

  /** What an array filled is computed again. */
  private clearArray(rect: Rect, row: number, col: number): void {
    for (let c = rect.left; c <= rect.right; c++) {
      eachFilledRow(this.sub, c, rect, (r) => {
        if (r !== row || c !== col) this.book.document.workbook.setValue(this.sub.sheet, r, c, null);
      });
    }
  }

  /** After all formulas have their values: what filters hide follows from what cells show. */
  placeFilters(): void {
    const { book, sub } = this;
    if (this.filters.length === 0) return;
    const filters = this.filters.map(({ rect, columns }): Filter => {
      const region = regionOf(rect);
      const hidden = hiddenRows(book.document, sub, region, columns);
      return { id: book.newId('filter'), region, columns, hidden };
    });
    // Rows that a filter hides are its own; the file marks both alike.
    for (const filter of filters) {
      if (filter.columns.length === 0) continue;
      for (const [first, last] of filter.hidden) if (meets(rectOf(filter.region), { top: first, bottom: last, left: 0, right: MAX_COLS })) this.hiddenRows.set(first, last, 0);
    }
    sub.restore({ filters, hiddenRows: this.hiddenRows.list() });
  }
}

/** Merges that lie on one another are not believed: the first stays. */
function apart(merges: readonly Rect[]): Rect[] {
  const reached = new Int32Array(MAX_COLS).fill(-1);
  return [...merges]
    .sort((a, b) => a.top - b.top || a.left - b.left)
    .filter((rect) => {
      for (let col = rect.left; col <= rect.right; col++) if ((reached[col] as number) >= rect.top) return false;
      reached.fill(rect.bottom, rect.left, rect.right + 1);
      return true;
    });
}

function clip(runs: Runs, count: number): (readonly [number, number, number])[] {
  return runs.list().flatMap(([start, end, value]) => (start < count ? [[start, Math.min(end, count - 1), value] as const] : []));
}

/** Rows of a rectangle in which a column holds something; taken first, because the visitor changes them. */
function eachFilledRow(sub: SubSheet, col: number, rect: Rect, visit: (row: number) => void): void {
  const rows: number[] = [];
  sub.sheet.cells.eachPiece(col, rect.top, rect.bottom, (chunk, from, to, start) => {
    for (let i = from; i <= to; i++) if (chunk.tags[i] !== 0) rows.push(start + i);
  });
  for (const row of rows) visit(row);
}
