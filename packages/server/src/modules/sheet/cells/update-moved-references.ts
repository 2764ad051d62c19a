import { containsCell } from './rects.ts';
import {
  resolveRef,
  type RefPart,
  type Template,
  rowsReading,
  type SheetDocument,
  type FormulaRun,
  runOf,
  contains,
  type SheetNames,
  namesForStoredFormulas,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { type Rect, isRef } from '@sheaf/engine';
import { RevisionSize } from '../calls/revision-size.ts';
import { defineName, type Mutation, setValues } from '@sheaf/engine/internal/mutations';

/** Used instead of a sub-sheet number for formulas of defined names, because names belong to no sub-sheet. */
const noSheet = -1;

interface CellPosition {
  readonly row: number;
  readonly col: number;
}

/**
 * Rewrites formulas when a block of cells is cut and pasted: the formulas in the block, and formulas elsewhere that
 * refer to its cells.
 */
export class MovedReferenceUpdater {
  readonly #document: SheetDocument;
  readonly #from: SubSheet;
  readonly #to: SubSheet;
  readonly #source: Rect;
  readonly #down: number;
  readonly #right: number;
  readonly #names: SheetNames;

  constructor(document: SheetDocument, from: SubSheet, source: Rect, to: SubSheet, target: Rect) {
    this.#document = document;
    this.#from = from;
    this.#to = to;
    this.#source = source;
    this.#down = target.top - source.top;
    this.#right = target.left - source.left;
    this.#names = namesForStoredFormulas(document);
  }

  /** Returns the formula text of the moved cell at position `at`, rewritten for the cell's new position. */
  formulaText(template: Template, at: CellPosition): string {
    return this.#text(template, this.#from.sheet.id, at, { row: at.row + this.#down, col: at.col + this.#right }, true);
  }

  /**
   * Updates formulas outside the moved block of cells that reference cells in it. Skips formulas in `overwritten`,
   * because the paste replaces them.
   */
  updateDependents(overwritten: Rect): Mutation[] {
    const { workbook } = this.#document;
    workbook.graph.flush();
    const made: Mutation[] = [];
    const size = new RevisionSize();
    for (const [id, map] of workbook.graph.maps) {
      const found = this.#document.numbered(id);
      if (!found) continue;
      const formulas: FormulaRun[] = [];
      map.each((group) => {
        for (const ref of group.pattern.refs) {
          if (!this.#refersToSource(ref, id)) continue;
          const rows = rowsReading(group, ref, this.#source.top, this.#source.bottom);
          for (let row = rows?.top ?? 0; rows && row <= rows.bottom; row++) {
            const at = { row, col: group.col };
            if (
              (found === this.#from && containsCell(this.#source, row, group.col)) ||
              (found === this.#to && containsCell(overwritten, row, group.col))
            )
              continue;
            const template = workbook.templateAt(found.sheet, row, group.col);
            const text = template && this.#text(template, id, at, at, false);
            if (!template || text === undefined || text === template.text(row, group.col, this.#names)) continue;
            size.addText(text);
            formulas.push(runOf(row, group.col, 1, text, template.mode));
          }
        }
      });
      if (formulas.length > 0) made.push(setValues.of({ sheet: found.id, formulas: once(formulas), keepLinks: true }));
    }
    return made;
  }

  /**
   * Updates the formulas of defined names that refer to the moved cells. Relative references in these formulas stay
   * unchanged, because they refer to no fixed cell.
   */
  updateNames(): Mutation[] {
    const { workbook } = this.#document;
    const at = { row: 0, col: 0 };
    return workbook.names.list().flatMap(({ name, sheet, template }) => {
      const text = this.#text(template, noSheet, at, at, false);
      if (text === template.text(0, 0, this.#names)) return [];
      const scope = sheet === undefined ? undefined : this.#document.numbered(sheet);
      return [defineName.of({ name, formula: text, ...(scope ? { sheet: scope.id } : {}) })];
    });
  }

  #text(template: Template, own: number, at: CellPosition, place: CellPosition, isInside: boolean): string {
    const { workbook } = this.#document;
    const parts = template.pattern.parts.map((part) =>
      isRef(part) ? this.#ref(part, own, at, place, isInside) : part,
    );
    const pattern = workbook.templates.patternOf(parts, place.row, place.col, template.mode);
    return workbook.templates.with(pattern, template.constants, template.texts).text(place.row, place.col, this.#names);
  }

  /**
   * Rewrites one reference of a formula on the sub-sheet with the number `own`. The formula moves from the cell `at` to
   * the cell `place`; both are the same for a formula outside the moved block. `isInside`: whether the formula is in
   * the block.
   */
  #ref(ref: RefPart, own: number, at: CellPosition, place: CellPosition, isInside: boolean): RefPart {
    if (own === noSheet && !isFixed(ref)) return ref;
    const rect = resolveRef(ref, at.row, at.col);
    if (!rect || ref.lastSheet !== undefined) return ref;
    const follows =
      this.#refersToSource(ref, own) && (ref.shape === 'cell' || ref.shape === 'area') && contains(this.#source, rect);
    const down = follows ? this.#down : 0;
    const right = follows ? this.#right : 0;
    return {
      ...ref,
      sheet: this.#sheetOf(ref, own, follows, isInside),
      top: rect.top + down - (ref.topAbs ? 0 : place.row),
      bottom: rect.bottom + down - (ref.bottomAbs ? 0 : place.row),
      left: rect.left + right - (ref.leftAbs ? 0 : place.col),
      right: rect.right + right - (ref.rightAbs ? 0 : place.col),
    };
  }

  #sheetOf(ref: RefPart, own: number, follows: boolean, isInside: boolean): RefPart['sheet'] {
    const from = this.#from.sheet.id;
    const to = this.#to.sheet.id;
    if (from === to) return ref.sheet;
    const standsOn = isInside ? to : own;
    const speaksOf = follows ? to : (ref.sheet ?? own);
    return ref.sheet === undefined && speaksOf === standsOn ? undefined : speaksOf;
  }

  #refersToSource(ref: RefPart, own: number): boolean {
    return ref.lastSheet === undefined && (ref.sheet ?? own) === this.#from.sheet.id;
  }
}

function isFixed({ topAbs, leftAbs, bottomAbs, rightAbs }: RefPart): boolean {
  return topAbs && leftAbs && bottomAbs && rightAbs;
}

/** Removes duplicate formula cells. A formula with two references to the moved cells is found twice. */
function once(runs: readonly FormulaRun[]): FormulaRun[] {
  return [...new Map(runs.map((run) => [`${run[0]} ${run[1]}`, run])).values()];
}
