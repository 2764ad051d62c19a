import {
  blankTag,
  errorTag,
  logicalTag,
  newRows,
  numberTag,
  textTag,
  type Band,
  type SheetDocument,
  rectOf,
  type Runs,
  type SheetNames,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { columnName, errorOfCode } from '@sheaf/engine';
import { createDefinedNameTest, namesForFileFormulas } from './names-for-file-formulas.ts';
import { spellingsOf, type FormulaSpelling } from './formula-spelling.ts';
import {
  importedEmptyCells,
  hasImportedLocks,
  rowHeightOf,
  importedCells,
  splitStoredAttributes,
  type ImportedCell,
} from './imported-cells.ts';
import { needsArrayFormula, toFileSyntax } from './formula-file-syntax.ts';
import type { PassthroughWriter } from './passthrough/passthrough-writer.ts';
import type { RelationshipsWriter } from './relationships-writer.ts';
import type { SharedStringsWriter } from './shared-strings-writer.ts';
import type { CellLock, StyleWriter } from './write-styles.ts';
import { escapeCellText, textValueElement } from './xml-escape.ts';
import { groupAttributes } from './write-columns.ts';
import { pivotLabels } from './write-pivot.ts';
import type { ZipWriter } from '../zip/writer.ts';

/** Number of the imported file's first cell format, which applies to cells without a style. */
const firstLook = 1;
const blockRows = 1024;
const pieceCharacters = 65_536;

interface ColumnBlock {
  readonly name: string;
  readonly col: number;
  readonly tags: Uint8Array | undefined;
  readonly nums: Float64Array | undefined;
  readonly formulas: Int32Array | undefined;
  /** Cell format of each row in the block; undefined if all rows have the column's format `own`. */
  readonly looks: Int32Array | undefined;
  readonly own: number;
}

/**
 * Objects that the cell writer shares with the writers of other parts of the file, because cells refer to these parts.
 */
export interface CellParts {
  readonly styles: StyleWriter;
  readonly texts: SharedStringsWriter;
  readonly relations: RelationshipsWriter;
  readonly kept: PassthroughWriter;
  readonly dynamicMark: number;
}

export interface ColumnFormat {
  readonly style: number;
  readonly look: number;
}

/**
 * Writes the rows of a sub-sheet in blocks. A style that covers a whole column is written only once, in the column
 * element.
 */
export class CellWriter {
  readonly #document: SheetDocument;
  readonly #sub: SubSheet;
  readonly #styles: StyleWriter;
  readonly #texts: SharedStringsWriter;
  /**
   * True if only some ranges are protected and they are not exactly the imported ones. Cells outside these ranges are
   * then written as unlocked.
   */
  readonly #isPartlyOpen: boolean;
  /** Lock state of the cells outside the protected ranges. */
  readonly #lock: CellLock;
  readonly #names: SheetNames;
  readonly #isDefinedName: (name: string) => boolean;
  readonly #dynamicMark: string;
  readonly #spellings: ReadonlyMap<string, FormulaSpelling>;
  readonly #imported: ReadonlyMap<string, ImportedCell>;
  /** For each column, the rows in which the imported file has empty cells that must be written again. */
  readonly #empty: ReadonlyMap<number, Runs>;
  readonly columnLooks = new Map<number, ColumnFormat>();
  readonly otherLook: number;

  constructor(document: SheetDocument, sub: SubSheet, { styles, texts, kept, relations, dynamicMark }: CellParts) {
    this.#dynamicMark = ` cm="${dynamicMark}"`;
    this.#spellings = spellingsOf(document, sub);
    this.#imported = importedCells(document, sub, kept, relations);
    this.#empty = importedEmptyCells(sub);
    this.#document = document;
    this.#names = namesForFileFormulas(document);
    this.#isDefinedName = createDefinedNameTest(document, sub);
    this.#sub = sub;
    this.#styles = styles;
    this.#texts = texts;
    this.#isPartlyOpen =
      !hasImportedLocks(sub) && sub.protections.length > 0 && sub.protections.every((one) => one.region !== null);
    this.#lock = hasImportedLocks(sub) ? 'imported' : this.#isPartlyOpen ? 'open' : 'locked';
    this.otherLook = styles.cellFormat(0, this.#lock);
    const cols = new Set(sub.styles.used());
    for (const { region } of sub.protections)
      if (region) for (let col = region[1]; col <= Math.min(region[3], sub.cols - 1); col++) cols.add(col);
    for (const col of cols) {
      const last = sub.styles.column(col)?.list().at(-1);
      const reachesEnd = last !== undefined && last[1] >= sub.rows - 1;
      const style = reachesEnd && this.#isColumnStyle(col, last[2]) ? last[2] : 0;
      const imported = reachesEnd && style === 0 && this.#lock === 'imported' ? this.#columnWords(col).look : 0;
      const isLocked = sub.protections.some(
        ({ region }) =>
          region !== null && region[1] <= col && region[3] >= col && region[0] === 0 && region[2] >= sub.rows - 1,
      );
      const lock = this.#isPartlyOpen && isLocked ? 'locked' : this.#lock;
      // If the style at the end of the column is that of imported rows or cells, use the imported column format, which
      // applies to the cells below the document's last row.
      this.columnLooks.set(col, {
        style,
        look: imported > 0 ? styles.imported(imported) : styles.cellFormat(style, lock),
      });
    }
  }

  /**
   * Returns whether a style that extends to the document's last row is the style of the whole column. This is true if
   * the style was set in the document (it then has no `source`, the number of an imported cell format), or if the
   * imported column element has the same cell format. Otherwise the style was imported from rows or cells.
   */
  #isColumnStyle(col: number, style: number): boolean {
    const { source } = this.#document.styles.get(style);
    return source === undefined || source === this.#columnWords(col).look;
  }

  #columnWords(col: number): ReturnType<typeof splitStoredAttributes> {
    return splitStoredAttributes(this.#wordAt(this.#sub.colSources.get(col)));
  }

  #wordAt(number: number): string | undefined {
    return this.#document.kept?.words?.[number - 1];
  }

  #lastRow(): number {
    const sub = this.#sub;
    let last = Math.max(
      sub.sheet.lastRow,
      sub.rowSizes.last,
      sub.hiddenRows.last,
      sub.filteredRows().last,
      sub.rowGroups.last,
      sub.rowSources.last,
    );
    for (const col of sub.styles.used()) {
      const own = this.columnLooks.get(col)?.style ?? 0;
      for (const [start, end, id] of sub.styles.column(col)?.list() ?? [])
        last = Math.max(last, id === own && own !== 0 ? start - 1 : end);
    }
    for (const rows of this.#empty.values()) last = Math.max(last, rows.last);
    for (const { region } of sub.protections)
      if (region && (region[0] > 0 || region[2] < sub.rows - 1))
        last = Math.max(last, Math.min(region[2], sub.rows - 1));
    return last;
  }

  write(zip: ZipWriter): void {
    const last = this.#lastRow();
    const { bands } = this.#sub.sheet.cells;
    let at = 0;
    for (const band of bands) {
      if (band.start > last) break;
      this.#block(zip, band.start, Math.min(band.start + band.height - 1, last), band);
      at = band.start + band.height;
    }
    for (; at <= last; at += blockRows) this.#block(zip, at, Math.min(at + blockRows - 1, last), undefined);
    if (last < this.#sub.rows - 1) zip.push(this.#end());
  }

  /**
   * Returns the XML of an empty cell in the last row, so that the file keeps the sub-sheet's number of rows. Returns an
   * empty string if the sub-sheet has no more rows than a new sub-sheet has, or if no column has a style that begins
   * below the first row.
   */
  #end(): string {
    const { rows, styles } = this.#sub;
    if (rows <= newRows) return '';
    for (const [col, { style, look }] of this.columnLooks) {
      const run = styles.column(col)?.list().at(-1);
      if (style !== 0 && run && run[0] > 0)
        return `<row r="${rows}"><c r="${columnName(col)}${rows}" s="${look}"/></row>`;
    }
    return '';
  }

  #block(zip: ZipWriter, first: number, last: number, band: Band | undefined): void {
    const sub = this.#sub;
    const lanes = this.#lanes(first, last, band);
    const sized = !sub.rowSizes.isEmpty || !sub.rowSources.isEmpty;
    const hidden = !sub.hiddenRows.isEmpty || !sub.filteredRows().isEmpty;
    const grouped = !sub.rowGroups.isEmpty;
    if (lanes.length === 0 && !sized && !hidden && !grouped) return;
    const sourced = !sub.rowSources.isEmpty;
    const isPlain = this.otherLook === 0 && [...this.columnLooks.values()].every(({ look }) => look === 0);
    const laneAt = new Map(sourced ? lanes.map((lane) => [lane.col, lane]) : []);
    let out = '';
    for (let index = 0; index <= last - first; index++) {
      const row = first + index;
      const rowName = String(row + 1);
      const rowLook = sourced ? this.#rowLook(row) : undefined;
      let cells = '';
      if (rowLook === undefined || (rowLook === 0 && isPlain))
        for (const lane of lanes) cells += this.#cell(lane, index, row, rowName, lane.own);
      // A cell that is not written has the row's format. In a row with a format, all cells with another format are
      // therefore written.
      else
        for (let col = 0; col < Math.max(sub.cols, (lanes.at(-1)?.col ?? 0) + 1); col++)
          cells += this.#cell(laneAt.get(col) ?? this.#emptyLane(col), index, row, rowName, rowLook);
      let attributes = '';
      if (rowLook !== undefined) attributes += ` s="${rowLook}" customFormat="1"`;
      if (sized) attributes += this.#heightAttributes(row);
      if (hidden && sub.isRowHidden(row)) attributes += ' hidden="1"';
      if (grouped) attributes += groupAttributes(sub.rowGroups.get(row));
      if (cells === '' && attributes === '') continue;
      out += `<row r="${rowName}"${attributes}>${cells}</row>`;
      if (out.length > pieceCharacters) {
        zip.push(out);
        out = '';
      }
    }
    zip.push(out);
  }

  /**
   * Returns the XML of a cell. Returns an empty string for a blank cell with the format `around`, because cells that
   * the file does not list have that format.
   */
  #cell(lane: ColumnBlock, index: number, row: number, rowName: string, around: number): string {
    const texts = this.#texts;
    const tag = lane.tags?.[index] ?? blankTag;
    const formula = lane.formulas?.[index] ?? 0;
    const look = lane.looks ? (lane.looks[index] as number) : lane.own;
    const imported = this.#imported.size > 0 ? this.#imported.get(`${row},${lane.col}`) : undefined;
    const place = `${lane.name}${rowName}`;
    if (tag === blankTag && formula <= 0 && !imported) {
      const isLeftOut = look === around && !this.#empty.get(lane.col)?.get(row);
      return isLeftOut ? '' : `<c r="${place}" s="${look}"/>`;
    }
    const style = look === 0 ? '' : ` s="${look}"`;
    const num = lane.nums?.[index] as number;
    if (formula > 0) return this.#formulaCell(lane, row, rowName, style, formula, tag, num, imported?.attributes ?? '');
    if (imported) return this.#importedCell(lane, row, rowName, style, tag, num, imported);
    if (tag === numberTag) return `<c r="${place}"${style}><v>${num}</v></c>`;
    if (tag === textTag) {
      const runs = this.#sub.rich.size > 0 ? this.#sub.rich.get(row, lane.col) : undefined;
      const shown = runs && texts.showsPhonetics(runs) ? ' ph="1"' : '';
      return `<c r="${place}"${style} t="s"${shown}><v>${runs ? texts.indexOfRich(runs) : texts.indexOf(num)}</v></c>`;
    }
    if (tag === logicalTag) return `<c r="${place}"${style} t="b"><v>${num}</v></c>`;
    return `<c r="${place}"${style} t="e"><v>${errorOfCode(num).text}</v></c>`;
  }

  #emptyLane(col: number): ColumnBlock {
    const own = this.columnLooks.get(col)?.look ?? this.otherLook;
    return { name: columnName(col), col, tags: undefined, nums: undefined, formulas: undefined, looks: undefined, own };
  }

  /**
   * Returns the imported format of the row; undefined if there is none or the row's formats were cleared after the
   * import. The document stores a row format in the row's cells, so its first and last cells show whether it was
   * cleared.
   */
  #rowLook(row: number): number | undefined {
    const { look } = splitStoredAttributes(this.#wordAt(this.#sub.rowSources.get(row)));
    if (look === 0) return undefined;
    const ends = [0, this.#sub.cols - 1].map((col) => this.#document.styles.get(this.#sub.styles.at(row, col)));
    const isCleared = look !== firstLook && ends.every(({ source }) => source === undefined);
    return isCleared ? undefined : this.#styles.imported(look);
  }

  /**
   * Returns the XML of a cell with content kept from the imported file: a rich value such as a picture, the formula of
   * a data table, or a text of a pivot table.
   */
  #importedCell(
    lane: ColumnBlock,
    row: number,
    rowName: string,
    style: string,
    tag: number,
    num: number,
    { attributes, formula, caption }: ImportedCell,
  ): string {
    const start = `<c r="${lane.name}${rowName}"${style}`;
    if (caption !== undefined) return `${start} t="str">${textValueElement(caption)}</c>`;
    const { strings } = this.#document.workbook;
    if (tag === blankTag) return formula === '' ? `${start}/>` : `${start}>${formula}</c>`;
    if (tag === numberTag) return `${start}${attributes}>${formula}<v>${num}</v></c>`;
    if (tag === logicalTag) return `${start} t="b"${attributes}>${formula}<v>${num}</v></c>`;
    if (tag === errorTag) return `${start} t="e"${attributes}>${formula}<v>${errorOfCode(num).text}</v></c>`;
    const runs = this.#sub.rich.get(row, lane.col);
    const index = runs ? this.#texts.indexOfRich(runs) : this.#texts.indexOf(num);
    return formula === ''
      ? `${start} t="s"${attributes}><v>${index}</v></c>`
      : `${start} t="str"${attributes}>${formula}${textValueElement(strings.get(num))}</c>`;
  }

  /** Returns the imported attributes of a row if its height is unchanged, otherwise generated ones. */
  #heightAttributes(row: number): string {
    const sub = this.#sub;
    const height = sub.rowSizes.get(row);
    const { attributes } = splitStoredAttributes(this.#wordAt(sub.rowSources.get(row)));
    if (rowHeightOf(attributes) === height) return attributes;
    return height === 0 ? '' : ` ht="${height}" customHeight="1"`;
  }

  #formulaCell(
    lane: ColumnBlock,
    row: number,
    rowName: string,
    style: string,
    id: number,
    tag: number,
    num: number,
    metadata: string,
  ): string {
    const { workbook } = this.#document;
    const template = workbook.templates.get(id);
    if (!template) return '';
    const text = template.text(row, lane.col, this.#names);
    const place = `${lane.name}${rowName}`;
    const area = workbook.spills.get(this.#sub.sheet.id, row, lane.col);
    let mark = '';
    let dynamic = metadata;
    const { array } = template.pattern;
    if (array) {
      const [rows, cols] = array;
      const last = `${columnName(lane.col + cols - 1)}${row + rows}`;
      mark = ` t="array" ref="${rows * cols === 1 ? place : `${place}:${last}`}"`;
    } else if (template.lift && (area || template.pattern.isMarked || needsArrayFormula(text))) {
      mark = ` t="array" ref="${area ? `${place}:${columnName(area.right)}${area.bottom + 1}` : place}"`;
      dynamic += this.#dynamicMark;
    }
    const written = toFileSyntax(text, template.pattern.variables, this.#isDefinedName);
    const spelling = this.#spellings.size > 0 ? this.#spellings.get(written) : undefined;
    const formula = `<f${mark}${spelling?.flags ?? ''}>${escapeCellText(spelling?.text ?? written)}</f>`;
    switch (tag) {
      case numberTag:
        return `<c r="${place}"${style}${dynamic}>${formula}<v>${num}</v></c>`;
      case textTag:
        return `<c r="${place}"${style} t="str"${dynamic}>${formula}${textValueElement(workbook.strings.get(num))}</c>`;
      case logicalTag:
        return `<c r="${place}"${style} t="b"${dynamic}>${formula}<v>${num}</v></c>`;
      case errorTag:
        return `<c r="${place}"${style} t="e"${dynamic}>${formula}<v>${errorOfCode(num).text}</v></c>`;
      default:
        return `<c r="${place}"${style}${dynamic}>${formula}</c>`;
    }
  }

  #lanes(first: number, last: number, band: Band | undefined): ColumnBlock[] {
    const cols = new Set<number>([...this.columnLooks.keys(), ...this.#empty.keys()]);
    band?.chunks.forEach((chunk, col) => {
      if (chunk && !chunk.isEmpty()) cols.add(col);
    });
    const lanes: ColumnBlock[] = [];
    for (const col of [...cols].sort((a, b) => a - b)) {
      const chunk = band?.chunks[col];
      const own = this.columnLooks.get(col)?.look ?? this.otherLook;
      const looks = this.#looks(col, first, last, own);
      if (!chunk && !looks && !this.#empty.has(col)) continue;
      lanes.push({
        name: columnName(col),
        col,
        tags: chunk?.tags,
        nums: chunk?.nums,
        formulas: chunk?.formulas,
        looks,
        own,
      });
    }
    return lanes;
  }

  #looks(col: number, first: number, last: number, own: number): Int32Array | undefined {
    const runs = this.#sub.styles.column(col);
    const regions = this.#isPartlyOpen
      ? this.#sub.protections.flatMap(({ region }) =>
          region && region[1] <= col && region[3] >= col && region[0] <= last && region[2] >= first
            ? [rectOf(region)]
            : [],
        )
      : [];
    const labels = pivotLabels(this.#document, this.#sub, col, first, last);
    if (!runs && regions.length === 0 && labels.length === 0) return undefined;
    const looks = new Int32Array(last - first + 1);
    let differs = false;
    const fill = (from: number, to: number, style: number, lock: CellLock): void => {
      const look = this.#styles.cellFormat(style, lock);
      if (look !== own) differs = true;
      looks.fill(look, from - first, to - first + 1);
    };
    const put = (from: number, to: number, lock: CellLock): void => {
      if (runs) runs.each(from, to, (start, end, id) => fill(start, end, id, lock));
      else fill(from, to, 0, lock);
    };
    put(first, last, this.#lock);
    for (const { top, bottom } of regions) put(Math.max(top, first), Math.min(bottom, last), 'locked');
    for (const { row, pattern } of labels) {
      const isInside = regions.some(({ top, bottom }) => row >= top && row <= bottom);
      looks[row - first] = this.#styles.formatted(runs?.get(row) ?? 0, pattern, isInside ? 'locked' : this.#lock);
      differs = true;
    }
    return differs ? looks : undefined;
  }
}
