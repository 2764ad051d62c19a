import type { IndexedSheet } from '../store/indexed-sheet.ts';
import { blankTag, spilledMark } from '../store/chunk.ts';
import { maxCols, maxRows } from '../base/grid-size.ts';
import type { Matrix } from '../base/values.ts';

export interface SpillArea {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  /** True for a legacy (Ctrl+Shift+Enter) array formula, whose cells are fixed and cannot be taken by another array. */
  readonly firm?: true;
}

interface SheetSpills {
  /** The range that each array fills, keyed by the cell of its formula (the anchor). */
  readonly filled: Map<number, SpillArea>;
  /** The range that each array with blocked cells would fill, keyed by the cell of its formula (the anchor). */
  readonly blocked: Map<number, SpillArea>;
}

const keyOf = (row: number, col: number): number => row * maxCols + col;

function overlap(a: SpillArea, b: SpillArea): boolean {
  return a.top <= b.bottom && a.bottom >= b.top && a.left <= b.right && a.right >= b.left;
}

/**
 * The ranges that the results of array formulas fill, and the ranges of arrays that cannot be filled because other
 * cells are in the way.
 */
export class Spills {
  readonly #sheets = new Map<number, SheetSpills>();

  #of(sheet: number): SheetSpills {
    let found = this.#sheets.get(sheet);
    if (!found) {
      found = { filled: new Map(), blocked: new Map() };
      this.#sheets.set(sheet, found);
    }
    return found;
  }

  any(sheet: number): boolean {
    // This check comes first, because the function runs for every calculated cell and most workbooks have no arrays.
    if (this.#sheets.size === 0) return false;
    const found = this.#sheets.get(sheet);
    return found !== undefined && (found.filled.size > 0 || found.blocked.size > 0);
  }

  get(sheet: number, row: number, col: number): SpillArea | undefined {
    return this.#sheets.get(sheet)?.filled.get(keyOf(row, col));
  }

  eachFrom(sheet: IndexedSheet, col: number, top: number, bottom: number, visit: (area: SpillArea) => void): void {
    const filled = this.#sheets.get(sheet.id)?.filled;
    if (!filled || filled.size === 0) return;
    for (const area of filled.values()) if (area.left === col && area.top >= top && area.top <= bottom) visit(area);
  }

  /** Returns the anchors (formula cells) of the arrays, filled or blocked, whose range overlaps a rectangle. */
  meeting(sheet: number, top: number, left: number, bottom: number, right: number): { row: number; col: number }[] {
    const found = this.#sheets.get(sheet);
    const anchors: { row: number; col: number }[] = [];
    if (!found) return anchors;
    for (const areas of [found.filled, found.blocked]) {
      for (const area of areas.values()) {
        if (area.top <= bottom && area.bottom >= top && area.left <= right && area.right >= left)
          anchors.push({ row: area.top, col: area.left });
      }
    }
    return anchors;
  }

  /** Returns the anchors (formula cells) of the blocked arrays whose range overlaps an area. */
  blockedBy(sheet: number, area: SpillArea): { row: number; col: number }[] {
    const blocked = this.#sheets.get(sheet)?.blocked;
    if (!blocked) return [];
    return [...blocked.values()]
      .filter((other) => overlap(other, area))
      .map((other) => ({ row: other.top, col: other.left }));
  }

  overlapping(sheet: number, area: SpillArea): SpillArea[] {
    const filled = this.#sheets.get(sheet)?.filled;
    return filled ? [...filled.values()].filter((other) => overlap(other, area)) : [];
  }

  /** Returns the areas of legacy array formulas, which can only be edited as a whole. */
  legacyArrays(sheet: number): SpillArea[] {
    const filled = this.#sheets.get(sheet)?.filled;
    return filled ? [...filled.values()].filter((area) => area.firm) : [];
  }

  /**
   * Removes the array of an anchor (the cell of the formula) and blanks its other cells. Returns the area that was
   * filled; undefined if there was none.
   */
  retract(sheet: IndexedSheet, row: number, col: number): SpillArea | undefined {
    const found = this.#of(sheet.id);
    const key = keyOf(row, col);
    found.blocked.delete(key);
    const area = found.filled.get(key);
    if (!area) return undefined;
    found.filled.delete(key);
    const { cells } = sheet;
    for (let c = area.left; c <= area.right; c++) {
      cells.eachPiece(c, area.top, area.bottom, (chunk, from, to) => {
        const ids = chunk.formulas;
        if (!ids) return;
        for (let i = from; i <= to; i++) {
          if (ids[i] !== spilledMark) continue;
          ids[i] = 0;
          chunk.tags[i] = blankTag;
          chunk.nums[i] = 0;
        }
      });
      cells.touch(c);
    }
    return area;
  }

  retractAll(sheet: IndexedSheet): SpillArea[] {
    const found = this.#of(sheet.id);
    const areas = [...found.filled.values(), ...found.blocked.values()];
    for (const area of areas) this.retract(sheet, area.top, area.left);
    return areas;
  }

  removeSheet(sheet: number): void {
    this.#sheets.delete(sheet);
  }

  /** Lists the arrays of a sub-sheet, for a snapshot. */
  areasOf(sheet: number): { readonly filled: readonly SpillArea[]; readonly blocked: readonly SpillArea[] } {
    const found = this.#sheets.get(sheet);
    return { filled: [...(found?.filled.values() ?? [])], blocked: [...(found?.blocked.values() ?? [])] };
  }

  /**
   * Restores the ranges of arrays from a snapshot. Writes no cells, because the cells already hold the values. `isFirm`
   * returns whether the formula in a cell is a legacy array formula, whose cells are fixed.
   */
  adopt(
    sheet: number,
    filled: readonly SpillArea[],
    blocked: readonly SpillArea[],
    isFirm: (row: number, col: number) => boolean,
  ): void {
    const found = this.#of(sheet);
    for (const { firm: _, ...area } of filled)
      found.filled.set(keyOf(area.top, area.left), isFirm(area.top, area.left) ? { ...area, firm: true } : area);
    for (const area of blocked) found.blocked.set(keyOf(area.top, area.left), area);
  }

  /**
   * Fills the cells of an array except the anchor (the cell of the formula), which the caller writes. Returns the
   * arrays that it displaced, or undefined if an occupied cell blocks it. If two arrays need the same cell, a legacy
   * array (`firm`) wins over a spilled one, otherwise the one whose anchor comes first in row order.
   */
  fill(sheet: IndexedSheet, row: number, col: number, matrix: Matrix, firm = false): SpillArea[] | undefined {
    const area: SpillArea = {
      top: row,
      left: col,
      bottom: row + matrix.rows - 1,
      right: col + matrix.cols - 1,
      ...(firm ? { firm } : {}),
    };
    const found = this.#of(sheet.id);
    const { cells } = sheet;
    let free = area.bottom < maxRows && area.right < maxCols;
    let arrays = false;
    for (let c = area.left; free && c <= area.right; c++) {
      cells.eachPiece(c, area.top, area.bottom, (chunk, from, to, start) => {
        for (let i = from; free && i <= to; i++) {
          if (start + i === row && c === col) continue;
          const formula = chunk.formulas?.[i] ?? 0;
          if (formula === spilledMark) arrays = true;
          else if (chunk.tags[i] !== blankTag || formula !== 0) free = false;
        }
      });
    }
    const rivals = free && arrays ? this.overlapping(sheet.id, area) : [];
    const comesFirst = (other: SpillArea): boolean => other.top < row || (other.top === row && other.left < col);
    if (rivals.some((other) => (firm === (other.firm === true) ? comesFirst(other) : !firm))) free = false;
    if (!free) {
      found.blocked.set(keyOf(row, col), area);
      return undefined;
    }
    for (const rival of rivals) this.retract(sheet, rival.top, rival.left);
    found.filled.set(keyOf(row, col), area);
    for (let c = 0; c < matrix.cols; c++) {
      for (let r = 0; r < matrix.rows; r++) {
        if (r === 0 && c === 0) continue;
        const place = cells.chunkFor(row + r, col + c);
        cells.put(place.chunk, place.index, matrix.at(r, c) ?? 0);
        place.chunk.needFormulas()[place.index] = spilledMark;
      }
      cells.touch(col + c);
    }
    return rivals;
  }
}
