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
  type SheetNames,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { columnName, errorOfCode } from '@sheaf/engine';
import { formulaFileNames } from './formula-file-names.ts';
import { needsArrayFormula, toFileSyntax } from './formula-file-syntax.ts';
import type { SharedStringsWriter } from './shared-strings-writer.ts';
import type { CellLock, StyleWriter } from './write-styles.ts';
import { escapeCellText } from './xml-escape.ts';
import type { ZipWriter } from '../zip/writer.ts';

const blockRows = 1024;
const highestPoints = 409;
const pieceCharacters = 65_536;

interface ColumnBlock {
  readonly name: string;
  readonly col: number;
  readonly tags: Uint8Array | undefined;
  readonly nums: Float64Array | undefined;
  readonly formulas: Int32Array | undefined;
  /** Style of each row in the block; undefined if all rows have the column's style. */
  readonly looks: Int32Array | undefined;
  readonly own: number;
}

export interface ColumnFormat {
  readonly style: number;
  readonly look: number;
}

/** Writes the rows of a sub-sheet in blocks. A style that covers a whole column is written once, on the column. */
export class CellWriter {
  readonly #document: SheetDocument;
  readonly #sub: SubSheet;
  readonly #styles: StyleWriter;
  readonly #texts: SharedStringsWriter;
  /** Whether only some cells of the sheet are protected; all other cells are then written as unlocked. */
  readonly #isPartlyOpen: boolean;
  /** Lock of the cells outside the protected ranges. */
  readonly #lock: CellLock;
  readonly #names: SheetNames;
  readonly columnLooks = new Map<number, ColumnFormat>();
  readonly otherLook: number;

  constructor(document: SheetDocument, sub: SubSheet, styles: StyleWriter, texts: SharedStringsWriter) {
    this.#document = document;
    this.#names = formulaFileNames(document);
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
      const style = last && last[1] >= sub.rows - 1 ? last[2] : 0;
      const isLocked = sub.protections.some(
        ({ region }) =>
          region !== null && region[1] <= col && region[3] >= col && region[0] === 0 && region[2] >= sub.rows - 1,
      );
      const lock = this.#isPartlyOpen && isLocked ? 'locked' : this.#lock;
      this.columnLooks.set(col, { style, look: styles.cellFormat(style, lock) });
    }
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
   * Returns a last, empty cell for a long sub-sheet in which only column styles reach the end. It preserves the number
   * of rows.
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
    const texts = this.#texts;
    const lanes = this.#lanes(first, last, band);
    const sized = !sub.rowSizes.isEmpty || !sub.rowSources.isEmpty;
    const hidden = !sub.hiddenRows.isEmpty || !sub.filteredRows().isEmpty;
    const grouped = !sub.rowGroups.isEmpty;
    if (lanes.length === 0 && !sized && !hidden && !grouped) return;
    const rich = sub.rich.size > 0;
    let out = '';
    for (let index = 0; index <= last - first; index++) {
      const row = first + index;
      const rowName = String(row + 1);
      let cells = '';
      for (const lane of lanes) {
        const tag = lane.tags?.[index] ?? blankTag;
        const formula = lane.formulas?.[index] ?? 0;
        const look = lane.looks ? (lane.looks[index] as number) : lane.own;
        if (tag === blankTag && formula <= 0) {
          if (look !== lane.own) cells += `<c r="${lane.name}${rowName}" s="${look}"/>`;
          continue;
        }
        const style = look === 0 ? '' : ` s="${look}"`;
        const num = lane.nums?.[index] as number;
        if (formula > 0) cells += this.#formulaCell(lane, row, rowName, style, formula, tag, num);
        else if (tag === numberTag) cells += `<c r="${lane.name}${rowName}"${style}><v>${num}</v></c>`;
        else if (tag === textTag) {
          const runs = rich ? sub.rich.get(row, lane.col) : undefined;
          cells += `<c r="${lane.name}${rowName}"${style} t="s"><v>${runs ? texts.indexOfRich(runs) : texts.indexOf(num)}</v></c>`;
        } else if (tag === logicalTag) cells += `<c r="${lane.name}${rowName}"${style} t="b"><v>${num}</v></c>`;
        else cells += `<c r="${lane.name}${rowName}"${style} t="e"><v>${errorOfCode(num).text}</v></c>`;
      }
      let attributes = '';
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

  /** Returns the file's own attributes of a row while its height is still the one that was read from them. */
  #heightAttributes(row: number): string {
    const height = this.#sub.rowSizes.get(row);
    const imported = this.#document.kept?.words?.[this.#sub.rowSources.get(row) - 1];
    if (imported !== undefined && heightIn(imported) === height) return imported;
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
  ): string {
    const { workbook } = this.#document;
    const template = workbook.templates.get(id);
    if (!template) return '';
    const text = template.text(row, lane.col, this.#names);
    const place = `${lane.name}${rowName}`;
    const area = workbook.spills.get(this.#sub.sheet.id, row, lane.col);
    let mark = '';
    let dynamic = '';
    const { array } = template.pattern;
    if (array) {
      const [rows, cols] = array;
      const last = `${columnName(lane.col + cols - 1)}${row + rows}`;
      mark = ` t="array" ref="${rows * cols === 1 ? place : `${place}:${last}`}"`;
    } else if (template.lift && (area || template.pattern.isMarked || needsArrayFormula(text))) {
      mark = ` t="array" ref="${area ? `${place}:${columnName(area.right)}${area.bottom + 1}` : place}"`;
      dynamic = ' cm="1"';
    }
    const formula = `<f${mark}>${escapeCellText(toFileSyntax(text, template.pattern.variables))}</f>`;
    switch (tag) {
      case numberTag:
        return `<c r="${place}"${style}${dynamic}>${formula}<v>${num}</v></c>`;
      case textTag:
        return `<c r="${place}"${style} t="str"${dynamic}>${formula}<v>${escapeCellText(workbook.strings.get(num))}</v></c>`;
      case logicalTag:
        return `<c r="${place}"${style} t="b"${dynamic}>${formula}<v>${num}</v></c>`;
      case errorTag:
        return `<c r="${place}"${style} t="e"${dynamic}>${formula}<v>${errorOfCode(num).text}</v></c>`;
      default:
        return `<c r="${place}"${style}${dynamic}>${formula}</c>`;
    }
  }

  #lanes(first: number, last: number, band: Band | undefined): ColumnBlock[] {
    const cols = new Set<number>(this.columnLooks.keys());
    band?.chunks.forEach((chunk, col) => {
      if (chunk && !chunk.isEmpty()) cols.add(col);
    });
    const lanes: ColumnBlock[] = [];
    for (const col of [...cols].sort((a, b) => a - b)) {
      const chunk = band?.chunks[col];
      const own = this.columnLooks.get(col)?.look ?? this.otherLook;
      const looks = this.#looks(col, first, last, own);
      if (!chunk && !looks) continue;
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

  /** Returns the rows of a column that hold date labels of pivot tables, with the number format of the source data. */
  #labels(col: number, first: number, last: number): { row: number; pattern: string }[] {
    const found: { row: number; pattern: string }[] = [];
    for (const { sheet, rect } of this.#document.pivotOutputs.values()) {
      if (sheet !== this.#sub.id || col < rect.left || col > rect.right) continue;
      for (let row = Math.max(first, rect.top); row <= Math.min(last, rect.bottom); row++) {
        if (this.#document.style(this.#sub, row, col).numberFormat !== undefined) continue;
        const pattern = this.#document.numberFormat(this.#sub, row, col);
        if (pattern !== 'General') found.push({ row, pattern });
      }
    }
    return found;
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
    const labels = this.#labels(col, first, last);
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

/** Returns whether the protections of a sub-sheet are those of the imported file, whose cells say what is locked. */
export function hasImportedLocks({ protections, setup }: SubSheet): boolean {
  const ids = setup.protection?.ids ?? [];
  return protections.length === ids.length && protections.every(({ id }) => ids.includes(id));
}

/** Returns the row height in points that the attributes of a row element give; 0 if they give none. */
export function heightIn(attributes: string): number {
  const height = Number(/ ht="([^"]*)"/.exec(attributes)?.[1] ?? 0);
  return height > 0 ? Math.min(height, highestPoints) : 0;
}

/**
 * Returns the outline attributes of a row or column. `group` holds the level in its low three bits, plus 8 if
 * collapsed.
 */
export function groupAttributes(group: number): string {
  return (group & 7 ? ` outlineLevel="${group & 7}"` : '') + (group & 8 ? ' collapsed="1"' : '');
}
