import { RunBuilder } from './cell-input.ts';
import { containsCell } from './rects.ts';
import type { BlockMove } from './move-objects.ts';
import {
  type SheetDocument,
  type Constant,
  type Contents,
  runOf,
  contains,
  meets,
  namesForStoredFormulas,
  type SubSheet,
  type Template,
} from '@sheaf/engine/internal/document';
import { type Rect, isDatePattern, CellError } from '@sheaf/engine';
import { RevisionSize } from '../calls/revision-size.ts';
import type { MovedReferenceUpdater } from './update-moved-references.ts';
import { detectSeries, type FillSeries } from './fill-series.ts';

type SourceCell = { readonly template: Template } | { readonly value: Constant };

export interface CopyOptions extends BlockMove {
  /** True to copy the values of formulas instead of the formulas. */
  readonly valuesOnly: boolean;
  /** Set for a cut. References to the cut cells are then changed to the cells' new addresses. */
  readonly moved: MovedReferenceUpdater | undefined;
  /**
   * Ranges whose values are not copied, because they are results of array formulas or pivot tables. These are copied or
   * moved too, and compute their results again.
   */
  readonly without: readonly Rect[];
  readonly series: boolean;
  /**
   * Returns the number of the copy of a table, given the number of the original. Copied formulas that refer to the
   * table by name then refer to its copy.
   */
  readonly tableAs?: (table: number) => number;
}

/**
 * Returns the contents that a copy or move writes to the target cells. A smaller source is repeated to fill the target,
 * or continued as a series if `series` is set. Relative references in copied formulas are adjusted.
 */
export function copyContents(copying: CopyOptions): Contents {
  const { document, source, target, moved } = copying;
  const rowsOfSource = source.bottom - source.top + 1;
  const colsOfSource = source.right - source.left + 1;
  const held = readSourceCells(copying);
  const names = namesForStoredFormulas(document, copying.tableAs);
  const goOn = copying.series ? continueSeries(copying, held) : undefined;
  const runs = new RunBuilder();
  const { values, formulas } = runs;
  const size = new RevisionSize();
  for (let col = target.left; col <= target.right; col++) {
    const fromCol = modulo(col - (copying.series ? source.left : target.left), colsOfSource);
    let open: { row: number; count: number; template: Template } | undefined;
    const close = (): void => {
      if (!open) return;
      const text = open.template.text(open.row, col, names);
      size.addText(text);
      formulas.push(runOf(open.row, col, open.count, text, open.template.mode));
      open = undefined;
    };
    for (let row = target.top; row <= target.bottom; row++) {
      const fromRow = modulo(row - (copying.series ? source.top : target.top), rowsOfSource);
      const cell = goOn?.(row, col) ?? held[fromCol]![fromRow];
      if (cell && 'template' in cell) {
        if (moved) {
          const text = moved.formulaText(cell.template, { row: source.top + fromRow, col: source.left + fromCol });
          size.addText(text);
          formulas.push(runOf(row, col, 1, text, cell.template.mode));
        } else if (open && open.template === cell.template && open.row + open.count === row) open.count++;
        else {
          close();
          open = { row, count: 1, template: cell.template };
        }
        continue;
      }
      close();
      if (!cell) continue;
      if (typeof cell.value === 'string') size.addText(cell.value);
      runs.addValue(row, col, cell.value);
    }
    close();
  }
  return { ...(values.length > 0 ? { values } : {}), ...(formulas.length > 0 ? { formulas } : {}) };
}

export function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

/** Returns the spill ranges of array formulas whose first cell lies in the copied range. */
export function findArrayRanges(document: SheetDocument, from: SubSheet, source: Rect): Rect[] {
  const { spills } = document.workbook;
  if (!spills.any(from.sheet.id)) return [];
  return spills
    .areasOf(from.sheet.id)
    .filled.filter((area) => meets(source, { ...area, bottom: area.top, right: area.left }));
}

/**
 * Returns the formula to copy from a cell; undefined if the cell has none. If an array formula extends beyond the
 * copied range `source`, it is copied as a normal formula of its first cell.
 */
function copiedTemplate(
  { workbook }: SheetDocument,
  from: SubSheet,
  source: Rect,
  row: number,
  col: number,
): Template | undefined {
  const template = workbook.templateAt(from.sheet, row, col);
  const array = template?.pattern.array;
  if (!template || !array) return template;
  const [rows, cols] = array;
  if (contains(source, { top: row, left: col, bottom: row + rows - 1, right: col + cols - 1 })) return template;
  const pattern = workbook.templates.patternOf(template.pattern.parts, row, col, [1, 1]);
  return workbook.templates.with(pattern, template.constants, template.texts);
}

function readSourceCells({ document, from, source, valuesOnly, without }: CopyOptions): (SourceCell | undefined)[][] {
  const columns: (SourceCell | undefined)[][] = [];
  for (let col = source.left; col <= source.right; col++) {
    const column: (SourceCell | undefined)[] = [];
    for (let row = source.top; row <= source.bottom; row++) {
      const template = valuesOnly ? undefined : copiedTemplate(document, from, source, row, col);
      const value = from.sheet.read(row, col);
      if (template) column.push({ template });
      else if (value === null || without.some((rect) => containsCell(rect, row, col))) column.push(undefined);
      else column.push({ value: value instanceof CellError ? { error: value.text } : value });
    }
    columns.push(column);
  }
  return columns;
}

/**
 * Returns a function that computes the content of a target cell by continuing the source's series; undefined for cells
 * without a series. The series runs vertically if source and target have the same columns, otherwise horizontally.
 */
function continueSeries(
  { document, from, source, target }: CopyOptions,
  held: readonly (readonly (SourceCell | undefined)[])[],
): (row: number, col: number) => SourceCell | undefined {
  const vertical = target.left === source.left && target.right === source.right;
  const lines = new Map<number, FillSeries | undefined>();
  const first = (line: number): boolean =>
    isDatePattern(
      vertical
        ? document.numberFormat(from, source.top, source.left + line)
        : document.numberFormat(from, source.top + line, source.left),
    );
  const make = (line: number): FillSeries | undefined => {
    const cells = vertical ? held[line]! : held.map((column) => column[line]);
    const values: Constant[] = [];
    for (const cell of cells) {
      if (!cell || 'template' in cell) return undefined;
      values.push(cell.value);
    }
    return detectSeries(values, first(line));
  };
  return (row, col) => {
    const line = vertical ? col - source.left : row - source.top;
    if (!lines.has(line)) lines.set(line, make(line));
    const series = lines.get(line);
    return series && { value: series(vertical ? row - source.top : col - source.left) };
  };
}
