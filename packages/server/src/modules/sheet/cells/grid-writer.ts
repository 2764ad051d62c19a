import { overLimit } from '../errors.ts';
import { maxFormulaLength, maxTextLength, RunBuilder } from './cell-input.ts';
import { cellRect, containsCell, countRectCells, unionRect } from './rects.ts';
import type { Constant, SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { cellName, charge, maxCols, maxRows, rectName, type Rect } from '@sheaf/engine';
import { type Mutation, setStyle, setValues } from '@sheaf/engine/internal/mutations';
import { joinDown, mergeColumnRuns, type ColumnRun } from '../reading/column-runs.ts';
import { RevisionSize } from '../calls/revision-size.ts';
import { shorten } from '../reading/shorten.ts';
import type { Locale } from './locale.ts';
import { ambiguousDateWarning, toGridValue, parseWrittenText, type GridValue } from './grid-value.ts';

const maxCells = 200_000;
const maxWarnings = 8;

type Content = { readonly value: Constant } | { readonly formula: string };

interface WrittenCell {
  readonly row: number;
  readonly col: number;
  readonly content: Content;
}

/**
 * Collects writes to one sub-sheet. Cells that already have the written value are skipped, so writing back what the
 * `read` operation returned changes nothing.
 */
export class GridWriter {
  readonly #document: SheetDocument;
  readonly #sub: SubSheet;
  readonly #locale: Locale;
  readonly #cells = new Map<number, WrittenCell>();
  readonly #formats: ColumnRun<string>[] = [];
  readonly #keptFormulas: ColumnRun<string>[] = [];
  readonly #filled: Rect[] = [];
  readonly #doubts: string[] = [];
  readonly #size = new RevisionSize();
  #seen = 0;
  unchanged = 0;

  constructor(document: SheetDocument, sub: SubSheet, locale: Locale) {
    this.#document = document;
    this.#sub = sub;
    this.#locale = locale;
  }

  /** Writes one cell and parses texts. `null` and `undefined` leave the cell unchanged, and an empty text clears it. */
  put(row: number, col: number, given: GridValue | null | undefined): void {
    if (given === null || given === undefined) return;
    this.#count(1);
    this.#refuseOutside(row, col);
    const pattern = this.#document.numberFormat(this.#sub, row, col);
    if (typeof given === 'string' && given.startsWith('=') && given.length > 1) {
      this.#formula(row, col, given);
      return;
    }
    if (this.#isThere(row, col, given, pattern)) {
      this.unchanged++;
      return;
    }
    if (typeof given !== 'string') {
      this.#set(row, col, { value: given });
      return;
    }
    if (given.length > maxTextLength)
      throw overLimit(
        `rows: the text of ${cellName(row, col)} has ${given.length} characters; a cell holds at most ${maxTextLength}`,
      );
    const { content, pattern: asked } = parseWrittenText(given, pattern, this.#locale);
    this.#set(row, col, content);
    if ('value' in content && content.value === given) {
      const doubt = ambiguousDateWarning(given, this.#locale);
      if (doubt !== undefined) this.#doubts.push(`${cellName(row, col)}: ${doubt}`);
    }
    if (asked !== undefined && pattern === 'General') this.#formats.push({ col, top: row, bottom: row, what: asked });
  }

  /** Writes a value without parsing it and sets the cell's number format to `pattern`. */
  putValue(row: number, col: number, value: string | number | boolean | null, pattern: string): void {
    this.#count(1);
    this.#refuseOutside(row, col);
    if (this.#document.numberFormat(this.#sub, row, col) !== pattern)
      this.#formats.push({ col, top: row, bottom: row, what: pattern });
    const isThere = this.#document.value(this.#sub, row, col) === value;
    if (isThere && this.#sub.sheet.cells.formulaId(row, col) === 0) this.unchanged++;
    else this.#set(row, col, { value });
  }

  /**
   * Fills a range with a formula. The formula is given as for the first cell of the range, and its relative references
   * are adjusted for each other cell.
   */
  fill(rect: Rect, formula: string): void {
    const cells = countRectCells(rect);
    this.#count(cells);
    this.#refuseOutside(rect.bottom, rect.right);
    charge(cells);
    this.#filled.push(rect);
    const { workbook } = this.#document;
    const template = workbook.templates.of(this.#checked(rect.top, rect.left, formula), rect.top, rect.left);
    for (let col = rect.left; col <= rect.right; col++) {
      for (let row = rect.top; row <= rect.bottom; row++) {
        const there = workbook.templateAt(this.#sub.sheet, row, col);
        if (there && there === workbook.templates.moved(template, row, col)) {
          this.unchanged++;
          this.#cells.delete(row * maxCols + col);
        } else this.#set(row, col, { formula: template.text(row, col, workbook) });
      }
    }
  }

  format(rect: Rect, pattern: string): void {
    for (let col = rect.left; col <= rect.right; col++)
      this.#formats.push({ col, top: rect.top, bottom: rect.bottom, what: pattern });
  }

  #formula(row: number, col: number, formula: string): void {
    if (this.#document.formula(this.#sub, row, col) === formula) this.unchanged++;
    else this.#set(row, col, { formula: this.#checked(row, col, formula) });
  }

  #checked(row: number, col: number, formula: string): string {
    if (formula.length > maxFormulaLength)
      throw overLimit(
        `the formula of ${cellName(row, col)} has ${formula.length} characters; at most ${maxFormulaLength}`,
      );
    return formula.startsWith('=') ? formula : `=${formula}`;
  }

  #isThere(row: number, col: number, given: GridValue, pattern: string): boolean {
    const value = this.#document.value(this.#sub, row, col);
    const reads = (exact: boolean): boolean => given === toGridValue(value, pattern, exact, this.#locale);
    if (!reads(false) && !reads(true)) return false;
    if (this.#sub.sheet.cells.formulaId(row, col) > 0)
      this.#keptFormulas.push({ col, top: row, bottom: row, what: '' });
    return true;
  }

  #set(row: number, col: number, content: Content): void {
    const text = 'formula' in content ? content.formula : content.value;
    if (typeof text === 'string') this.#size.addText(text);
    this.#cells.set(row * maxCols + col, { row, col, content });
  }

  #count(cells: number): void {
    this.#seen += cells;
    if (this.#seen > maxCells)
      throw overLimit(`rows: at most ${maxCells} cells can be written in one call (got ${this.#seen})`);
  }

  #refuseOutside(row: number, col: number): void {
    if (row >= maxRows) throw overLimit(`rows: row ${row + 1} is past the last row, ${maxRows}`);
    if (col >= maxCols) throw overLimit(`rows: column ${col + 1} is past the last column, ${maxCols}`);
  }

  /**
   * Smallest range that contains all cells to which content is written; undefined if there are none. Cleared and
   * unchanged cells do not count.
   */
  get filled(): Rect | undefined {
    return this.#bounds((content) => !('value' in content && content.value === null));
  }

  /**
   * Smallest range that contains all cells to which constant values, not formulas, are written; undefined if there are
   * none. Cleared and unchanged cells do not count.
   */
  get filledConstants(): Rect | undefined {
    return this.#bounds((content) => 'value' in content && content.value !== null);
  }

  #bounds(isMeant: (content: Content) => boolean): Rect | undefined {
    let rect: Rect | undefined;
    for (const { row, col, content } of this.#cells.values())
      if (isMeant(content)) rect = unionRect(rect, cellRect(row, col));
    return rect;
  }

  get written(): number {
    return this.#cells.size;
  }

  mutations(): Mutation[] {
    const runs = new RunBuilder();
    for (const { row, col, content } of [...this.#cells.values()].sort((a, b) => a.col - b.col || a.row - b.row)) {
      if ('formula' in content) runs.formulas.push([row, col, 1, content.formula]);
      else runs.addValue(row, col, content.value);
    }
    const { values, formulas } = runs;
    const made: Mutation[] = this.#cells.size > 0 ? [setValues.of({ sheet: this.#sub.id, values, formulas })] : [];
    return [...made, ...this.#looks()];
  }

  #looks(): Mutation[] {
    const different = this.#formats.filter(({ col, top, bottom, what }) => {
      charge(bottom - top + 1);
      for (let row = top; row <= bottom; row++)
        if (this.#document.numberFormat(this.#sub, row, col) !== what) return true;
      return false;
    });
    return mergeColumnRuns(joinDown(different)).map(({ rect, what }) =>
      setStyle.of({
        sheet: this.#sub.id,
        region: [rect.top, rect.left, rect.bottom, rect.right],
        set: { numberFormat: what === 'General' ? null : what },
      }),
    );
  }

  /**
   * Returns remarks for the caller: texts that look like dates but were stored as text, and cells that kept their
   * formula because its result is the written value.
   */
  notes(): string[] {
    const left = this.#keptFormulas.filter(({ col, top }) => !this.#filled.some((one) => containsCell(one, top, col)));
    const kept = mergeColumnRuns(joinDown(left)).map(({ rect }) => rectName(rect));
    return [
      ...this.#doubts.slice(0, maxWarnings),
      ...(kept.length > 0
        ? [
            `${shorten(kept.slice(0, maxWarnings).join(', '), 200)}: kept their formulas, which show this already ` +
              '(copy_range with what "values" makes them constants)',
          ]
        : []),
    ];
  }
}
