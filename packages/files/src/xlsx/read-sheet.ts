import { FormatError, damaged } from '../format-error.ts';
import { endToken, openToken, type XmlReader } from '../xml/xml-reader.ts';
import type { ZipArchive } from '../zip/reader.ts';
import {
  hiddenRows,
  type Filter,
  type FilterColumn,
  type Link,
  type RichText,
  meets,
  rectOf,
  regionOf,
  Runs,
  type Run,
  newCols,
  newRows,
  shownTexts,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { foldText, parseRect, rectName, type Rect, isDatePattern, maxCols } from '@sheaf/engine';
import { readLink } from './hyperlinks.ts';
import { RunBuilder } from './run-builder.ts';
import { StyleLayers } from './read-style-layers.ts';
import { SheetPassthrough, type SheetTab } from './passthrough/sheet-passthrough.ts';
import { readStartTag, type NamespaceScope } from './xml-tree.ts';
import { dropOverlappingMerges, clipRuns } from './sheet-ranges.ts';
import { CellImporter, outlineLevelOf, type ParsedFormula } from './read-cells.ts';
import { CellScanner } from './scan-cells.ts';
import { readFilter, type ParsedFilter } from './read-filter.ts';
import { setFormulas } from './set-formulas.ts';
import { isTimePattern } from './number-formats.ts';
import { LockedCells } from './locked-cells.ts';
import { isTrue, type Relationship } from '../containers/package-parts.ts';
import type { ImportContext } from './import-context.ts';
import { runStyle } from './read-styles.ts';
import { columnWidthOf } from './write-columns.ts';
import { deepestLevel } from './write-sheet.ts';
import { criteriaFingerprint, filterFingerprint } from './write-filter.ts';
import { phoneticsMark } from './shared-strings-writer.ts';
import type { PassthroughReader } from './passthrough/passthrough-reader.ts';
import { unprefixedAttributesXml } from './xml-escape.ts';
import { fingerprint } from './passthrough/fingerprint.ts';
import { placeholder } from './passthrough/placeholders.ts';

const days1904 = 1462;
const maxMerges = 100_000;
/** Maximum number of runs of adjacent rows with equal stored attributes. A run takes about 100 bytes during the import. */
const maxRowSources = 500_000;
/**
 * Number, as text, under which the file's first cell format is stored. Cells without a format of their own have this
 * one.
 */
const firstLook = '1';

/** Returns the text with its stored XML marked, so that the export knows that the cell displays the phonetic guide. */
function withPhonetics(text: RichText, keeper: PassthroughReader): RichText {
  const [first, ...rest] = text;
  const words = keeper.words[(first?.source ?? 0) - 1];
  return first && words !== undefined ? [{ ...first, source: keeper.word(phoneticsMark + words) }, ...rest] : text;
}

export class SheetReader {
  readonly #book: ImportContext;
  readonly #sub: SubSheet;
  readonly #part: string;
  readonly #relations: ReadonlyMap<string, Relationship>;
  readonly #styles = new StyleLayers();
  readonly #formulas: ParsedFormula[] = [];
  readonly #filters: ParsedFilter[] = [];
  readonly #links: [number, number, Link][] = [];
  readonly #rich: [number, number, RichText][] = [];
  readonly #richValues: [row: number, col: number, number: number][] = [];
  readonly #merges: Rect[] = [];
  /** Merged ranges that the file spells differently than the export would, such as `A:A`. */
  readonly #spelledMerges: string[] = [];
  readonly #foundSizes = new RunBuilder();
  readonly #foundHidden = new RunBuilder();
  readonly #foundSources = new RunBuilder();
  #hasRowAttributes = false;
  readonly #colSizes = new Runs();
  readonly #colSources = new Runs();
  /** Last column that has its own width, excluding widths that extend to the end of the sheet. */
  #lastSized = -1;
  #hiddenRows = new Runs();
  readonly #hiddenCols = new Runs();
  readonly #locked: LockedCells;
  readonly #foundGroups = new RunBuilder();
  readonly #colGroups = new Runs();
  readonly #kept: SheetPassthrough;
  #isProtected = false;
  #protection: string | undefined;
  #lastRow = -1;
  #lastCol = -1;

  constructor(book: ImportContext, sub: SubSheet, part: string, relations: ReadonlyMap<string, Relationship>) {
    this.#book = book;
    this.#sub = sub;
    this.#part = part;
    this.#relations = relations;
    // Store the file's first cell format before all others, so that its number is always 1 (`firstLook`). Cells without
    // a style use this format.
    this.#styleOf(0);
    this.#locked = new LockedCells(book.cellFormats);
    this.#kept = new SheetPassthrough(book, relations, sub.name);
  }

  /**
   * Reads the values, styles and settings of a sheet. Formulas are set after the cells of all sub-sheets have been
   * read.
   */
  read(reader: XmlReader, tables: readonly XmlReader[], archive: ZipArchive, tab: SheetTab): void {
    let hasCells = false;
    this.#kept.tab(tab);
    for (let token = reader.next(); token !== endToken; token = reader.next()) {
      if (token !== openToken) continue;
      if (reader.name === 'sheetData') {
        hasCells = true;
        this.#cells(reader);
      } else if (reader.name === 'worksheet' && reader.depth === 1) this.#kept.open(reader);
      else if (reader.depth !== 2 || !this.#kept.readElement(reader)) this.#around(reader);
    }
    if (!hasCells) throw damaged(`"${this.#part}" has no cells`);
    if (reader.depth > 0) throw damaged(`"${this.#part}" is truncated`);
    for (const table of tables) {
      let scope: NamespaceScope = new Map();
      for (let token = table.next(); token !== endToken; token = table.next()) {
        if (token !== openToken) continue;
        if (table.depth === 1) scope = readStartTag(table, scope).scope;
        else if (table.name === 'autoFilter') this.#filter(table, scope);
      }
    }
    this.#kept.parts(archive);
    this.#finish();
  }

  #styleOf(look: number): number {
    const { styleIds, cellFormats, passthrough, document } = this.#book;
    const known = styleIds[look];
    if (known !== undefined) return known;
    const format = cellFormats[look];
    if (!format) return 0;
    const source = format.words ? passthrough.look(format.words, format.style) : 0;
    const isPlain = (look === 0 || String(source) === firstLook) && Object.keys(format.style).length === 0;
    const id = isPlain ? 0 : document.styles.intern(source > 0 ? { ...format.style, source } : format.style);
    styleIds[look] = id;
    return id;
  }

  /**
   * Returns the number under which a cell format is stored for export, as text. Returns an empty string if it was not
   * stored.
   */
  #lookNumber(index: number): string {
    const format = this.#book.cellFormats[index];
    const number = format?.words ? this.#book.passthrough.look(format.words, format.style) : 0;
    return number === 0 ? '' : String(number);
  }

  /** Returns the stored attributes of the rows; none if there are so many that they would exhaust memory. */
  #rowSources(): readonly Run[] {
    if (this.#foundSources.count <= maxRowSources) return this.#foundSources.list();
    if (this.#hasRowAttributes)
      this.#book.warnings.add(
        `the rows of '${this.#sub.name}' change their settings more than ${maxRowSources} times; their heights are kept, other settings of rows are not`,
      );
    return [];
  }

  #cells(xml: XmlReader): void {
    const book = this.#book;
    const sub = this.#sub;
    const dates = book.date1904
      ? book.cellFormats.map(({ style: { numberFormat } }) =>
          numberFormat && isDatePattern(numberFormat) && !isTimePattern(numberFormat) ? days1904 : 0,
        )
      : undefined;
    // In the file, the protection element comes after the cells. The locked cells are therefore recorded before it is
    // known whether the sheet is protected. If no style is unlocked, all cells are locked and recording is not needed.
    const tracksLocks = book.cellFormats.some((look) => !look.locked);
    const cells = new CellImporter(
      {
        part: this.#part,
        sheet: sub.sheet,
        texts: book.sharedStrings,
        richText: {
          styleOf: (properties) => runStyle(properties, book.theme),
          word: (xml) => book.passthrough.word(xml),
          scope: this.#kept.scope,
        },
        shiftDate: dates && ((look) => dates[look] ?? 0),
        marksDynamic: book.marksDynamic,
      },
      {
        count: () => {
          if (++book.cells > book.maxCells)
            throw new FormatError(
              'too_large',
              `The workbook contains more than ${book.maxCells} cells. Split it and import the parts.`,
            );
        },
        row: (facts) => {
          this.#hasRowAttributes ||= facts.attributes !== '';
          if (facts.height > 0) this.#foundSizes.add(facts.row, facts.height);
          const look = facts.cellFormat === undefined ? '' : this.#lookNumber(facts.cellFormat);
          if (facts.attributes !== '' || look !== '') {
            const source = book.passthrough.word(`${look}${facts.attributes}`);
            if (source > 0 && this.#foundSources.count <= maxRowSources) this.#foundSources.add(facts.row, source);
          }
          if (facts.hidden) this.#foundHidden.add(facts.row, 1);
          if (facts.outlineLevel !== 0) this.#foundGroups.add(facts.row, facts.outlineLevel);
          if (facts.cellFormat === undefined) return;
          if (tracksLocks) this.#locked.row(facts.row, facts.cellFormat);
          this.#styles.row(facts.row, this.#styleOf(facts.cellFormat));
        },
        cellFormat: (row, col, look) => {
          if (row > this.#lastRow) this.#lastRow = row;
          if (col > this.#lastCol) this.#lastCol = col;
          if (tracksLocks) this.#locked.cell(row, col, look);
          this.#styles.cell(row, col, this.#styleOf(look));
        },
        formula: (found) => this.#formulas.push(found),
        rich: (row, col, text, showsPhonetics) =>
          this.#rich.push([row, col, showsPhonetics ? withPhonetics(text, book.passthrough) : text]),
        metadata: (row, col, number) => this.#richValues.push([row, col, number]),
        dataTable: (row, col, attributes) => this.#kept.dataTable(row, col, attributes),
      },
    );
    new CellScanner(xml, this.#part, cells).read();
  }

  /** Reads a worksheet element that precedes or follows the cell data. */
  #around(reader: XmlReader): void {
    switch (reader.name) {
      case 'col':
        this.#column(reader);
        break;
      case 'sheetProtection':
        this.#isProtected ||= isTrue(reader.attribute('sheet'));
        this.#protection ??= unprefixedAttributesXml(reader.attributes());
        break;
      case 'mergeCell':
        this.#merge(reader.attribute('ref') ?? '');
        break;
      case 'hyperlink':
        this.#link(reader.attributes(true));
        break;
      case 'autoFilter':
        this.#filter(reader, this.#kept.scope);
        break;
      // Skip custom views and extensions, because elements inside them, such as filters, are not those of the sheet
      // itself.
      case 'customSheetViews':
      case 'extLst':
        reader.skip();
        break;
      default:
    }
  }

  #column(reader: XmlReader): void {
    const number = (key: string): number => Number(reader.attribute(key) ?? 0);
    const first = Math.max(0, number('min') - 1);
    const last = Math.min(maxCols - 1, number('max') - 1);
    if (!Number.isInteger(first) || !(last >= first)) return;
    // Sort the attributes and drop false ones, so that columns with equal settings share one stored text.
    const said = [...reader.attributes()].filter(([name, value]) => name === 'width' || !/^(?:0|false)$/.test(value));
    const sorted = said.sort(([a], [b]) => (a < b ? -1 : 1));
    const attributes = unprefixedAttributesXml(new Map(sorted), ['min', 'max', 'style']);
    const width = columnWidthOf(attributes, this.#kept.setup.colWidth ?? 0);
    if (width > 0) this.#colSizes.set(first, last, width);
    if (width > 0 && isTrue(reader.attribute('customWidth')) && last < maxCols - 1)
      this.#lastSized = Math.max(this.#lastSized, last);
    const own = this.#lookNumber(number('style'));
    const look = own === firstLook ? '' : own;
    this.#colSources.set(first, last, this.#book.passthrough.word(`${look}${attributes}`));
    if (isTrue(reader.attribute('hidden'))) this.#hiddenCols.set(first, last, 1);
    const group = outlineLevelOf(reader);
    if (group !== 0) this.#colGroups.set(first, last, group);
    this.#locked.column(first, last, number('style'));
    this.#styles.column(first, last, this.#styleOf(number('style')));
  }

  #filter(reader: XmlReader, scope: NamespaceScope): void {
    const found = readFilter(reader, scope, this.#book.formats);
    if (!found || this.#filters.some((other) => meets(other.rect, found.rect))) return;
    this.#filters.push(found);
    if (found.sort) this.#kept.sort(found.sort);
  }

  #merge(ref: string): void {
    const rect = parseRect(ref);
    if (!rect) throw damaged(`"${this.#part}" merges "${ref.slice(0, 40)}", which is not a range of a sheet`);
    if (this.#merges.length >= maxMerges)
      throw new FormatError('too_large', `A sheet merges more than ${maxMerges} ranges.`);
    if (rect.top === rect.bottom && rect.left === rect.right) return;
    this.#merges.push(rect);
    if (rectName(rect) !== ref) this.#spelledMerges.push(ref);
  }

  #link(attributes: ReadonlyMap<string, string>): void {
    const { document, passthrough, newId } = this.#book;
    const found = readLink(attributes, this.#relations, document, this.#sub, passthrough);
    if (!found) return;
    if ('link' in found) this.#links.push([...found.at, { id: newId('link'), ...found.link }]);
    else {
      this.#kept.put(found.carried);
      this.#book.warnings.add(
        'links other than http, https, mailto and places in the document do not open here; they are kept for export',
      );
    }
  }

  #finish(): void {
    const sub = this.#sub;
    const book = this.#book;
    for (const rect of [...this.#merges, ...this.#filters.map((filter) => filter.rect)]) {
      this.#lastRow = Math.max(this.#lastRow, rect.bottom);
      this.#lastCol = Math.max(this.#lastCol, rect.right);
    }
    const rowSizes = this.#foundSizes.list();
    const hiddenRows = this.#foundHidden.list();
    this.#hiddenRows = Runs.from(hiddenRows);
    const rows = Math.max(newRows, this.#lastRow + 1, (rowSizes.at(-1)?.[1] ?? -1) + 1, this.#hiddenRows.last + 1);
    const cols = Math.max(newCols, this.#lastCol + 1, this.#lastSized + 1);
    this.#kept.emptyCells(this.#styles.applyTo(sub, rows, cols, book.warnings));
    for (let col = 0; col <= this.#lastCol; col++) sub.sheet.cells.touch(col);
    const protections = this.#isProtected
      ? this.#locked.protections(rows, cols, book.owner, book.newId, book.warnings)
      : [];
    for (const [row, col, number] of this.#richValues) this.#kept.richValue(row, col, number);
    this.#kept.outline(deepestLevel(Runs.from(this.#foundGroups.list())), deepestLevel(this.#colGroups));
    if (this.#spelledMerges.length > 0) this.#kept.spellMerges(this.#spelledMerges);
    if (this.#protection !== undefined)
      this.#kept.protect(
        this.#protection,
        protections.map(({ id }) => id),
      );
    sub.restore({
      size: [rows, cols],
      merges: dropOverlappingMerges(this.#merges).map(regionOf),
      rowSizes,
      colSizes: clipRuns(this.#colSizes, cols),
      hiddenRows,
      hiddenCols: clipRuns(this.#hiddenCols, cols),
      freeze: this.#kept.freeze,
      links: this.#links,
      rich: this.#rich,
      rowGroups: this.#foundGroups.list(),
      colGroups: this.#colGroups.list(),
      setup: this.#kept.setup,
      carried: this.#kept.carried,
      rowSources: this.#rowSources(),
      colSources: this.#colSources.list(),
      formats: this.#kept.formats,
      validations: this.#kept.validations,
      comments: this.#kept.comments,
      tables: this.#kept.tables,
      protections,
    });
  }

  /**
   * Stores the reference to a drawing part that contains no objects, because the export would not generate such a part.
   */
  keepEmptyDrawing(relation: Relationship): void {
    const { passthrough } = this.#book;
    const kept = passthrough.relation(relation);
    const text = kept && passthrough.text({ xml: `<drawing r:id="${placeholder('r', 0)}"/>`, relations: [kept] });
    if (text !== undefined) this.#sub.restore({ carried: [...this.#sub.carried, { kind: 'emptyDrawing', text }] });
  }

  /** Sets the sheet's formulas. Must be called after all sub-sheets and names exist. */
  placeFormulas(): void {
    setFormulas(this.#book, this.#sub, this.#formulas);
  }

  /** Returns the distinct texts of a column in the visible rows of a filter's range. */
  #visibleTexts(rect: Rect, col: number): string[] {
    const texts = new Set<string>();
    const last = Math.min(rect.bottom, Math.max(rect.top, this.#sub.sheet.lastRow));
    for (let row = rect.top + 1; row <= last; row++)
      if (this.#hiddenRows.get(row) === 0) texts.add(this.#book.document.text(this.#sub, row, col));
    return [...texts];
  }

  /**
   * Returns a column's criteria with all letter cases in which the cells have the listed values. Files list a value
   * once, whatever its letter case, but a document's filter matches it exactly.
   */
  #withLetterCases(rect: Rect, column: FilterColumn): FilterColumn {
    const listed = new Set(column.visible.map(foldText));
    const visible = new Set(column.visible);
    shownTexts(this.#book.document, this.#sub, column.col, rect.top + 1, rect.bottom, (text) => {
      if (listed.has(foldText(text))) visible.add(text);
    });
    return { ...column, visible: [...visible] };
  }

  /**
   * Records the values of cells with rich values, such as pictures, so that the export can tell whether they have
   * changed. Must be called after calculation.
   */
  recordRichValues(): void {
    for (const { kind, text, regions } of this.#kept.carried)
      if (kind === 'richValue')
        this.#book.passthrough.recordRead(text, fingerprint(this.#sub.sheet.read(regions![0]![0], regions![0]![1])));
  }

  /** Sets the sheet's filters. Must be called after calculation, because filters match displayed texts. */
  placeFilters(): void {
    const book = this.#book;
    const sub = this.#sub;
    if (this.#filters.length === 0) return;
    const filters = this.#filters.map(({ rect, columns, element }): Filter => {
      const region = regionOf(rect);
      const text = book.passthrough.source(element, [rect.top, rect.left], book.formats);
      const sourceOf = (filter: Filter): Filter => {
        book.passthrough.recordRead(text, filterFingerprint(filter), [criteriaFingerprint(filter)]);
        return text === undefined ? filter : { ...filter, source: text };
      };
      if (!columns.some((one) => one.rule !== undefined)) {
        const matching = columns.map((one) => this.#withLetterCases(rect, one));
        const hidden = hiddenRows(book.document, sub, region, matching);
        return sourceOf({ id: book.newId('filter'), region, columns: matching, hidden });
      }
      // If the document does not model a column's filter condition, list the values that the condition leaves visible.
      // The condition's XML is kept in `rule`.
      const shown = columns.map((one) => {
        if (one.rule === undefined) return this.#withLetterCases(rect, one);
        const { rule, ...rest } = { ...one, visible: this.#visibleTexts(rect, one.col) };
        return rule === '' ? rest : { ...rest, rule };
      });
      const hidden = this.#hiddenRows
        .list(rect.top + 1, Math.min(rect.bottom, this.#hiddenRows.last))
        .map(([first, last]): [number, number] => [first, last]);
      return sourceOf({ id: book.newId('filter'), region, columns: shown, hidden });
    });
    // The file marks filtered rows as hidden. Remove them from the manually hidden rows, because the filter hides them
    // again.
    for (const filter of filters) {
      if (filter.columns.length === 0) continue;
      for (const [first, last] of filter.hidden)
        if (meets(rectOf(filter.region), { top: first, bottom: last, left: 0, right: maxCols }))
          this.#hiddenRows.set(first, last, 0);
    }
    sub.restore({ filters, hiddenRows: this.#hiddenRows.list() });
  }
}
