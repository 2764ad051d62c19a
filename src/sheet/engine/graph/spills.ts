import type { Sheet } from '../sheet.ts';
import { BLANK, SPILLED } from '../store/chunk.ts';
import { MAX_COLS, MAX_ROWS } from '../values.ts';
import type { Matrix } from '../values.ts';

export interface Area {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

interface SheetSpills {
  /** By anchor: what it fills now. */
  readonly filled: Map<number, Area>;
  /** By anchor: what it would fill if nothing stood in the way. */
  readonly blocked: Map<number, Area>;
}

const keyOf = (row: number, col: number): number => row * MAX_COLS + col;

/** Arrays that reach beyond their formula's cell. */
export class Spills {
  private readonly sheets = new Map<number, SheetSpills>();

  private of(sheet: number): SheetSpills {
    let found = this.sheets.get(sheet);
    if (!found) {
      found = { filled: new Map(), blocked: new Map() };
      this.sheets.set(sheet, found);
    }
    return found;
  }

  any(sheet: number): boolean {
    const found = this.sheets.get(sheet);
    return found !== undefined && (found.filled.size > 0 || found.blocked.size > 0);
  }

  get(sheet: number, row: number, col: number): Area | undefined {
    return this.sheets.get(sheet)?.filled.get(keyOf(row, col));
  }

  /** The anchor whose array covers a cell. */
  anchorOf(sheet: number, row: number, col: number): { row: number; col: number } | undefined {
    for (const area of this.sheets.get(sheet)?.filled.values() ?? []) {
      if (row >= area.top && row <= area.bottom && col >= area.left && col <= area.right) return { row: area.top, col: area.left };
    }
    return undefined;
  }

  eachFrom(sheet: Sheet, col: number, top: number, bottom: number, visit: (area: Area) => void): void {
    const filled = this.sheets.get(sheet.id)?.filled;
    if (!filled || filled.size === 0) return;
    for (const area of filled.values()) if (area.left === col && area.top >= top && area.top <= bottom) visit(area);
  }

  /** Anchors whose array, real or wished for, meets a rectangle. */
  meeting(sheet: number, top: number, left: number, bottom: number, right: number): { row: number; col: number }[] {
    const found = this.sheets.get(sheet);
    const anchors: { row: number; col: number }[] = [];
    if (!found) return anchors;
    for (const areas of [found.filled, found.blocked]) {
      for (const area of areas.values()) {
        if (area.top <= bottom && area.bottom >= top && area.left <= right && area.right >= left) anchors.push({ row: area.top, col: area.left });
      }
    }
    return anchors;
  }

  /** Takes an anchor's array back: its other cells become blank. */
  retract(sheet: Sheet, row: number, col: number): Area | undefined {
    const found = this.of(sheet.id);
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
          if (ids[i] !== SPILLED) continue;
          ids[i] = 0;
          chunk.tags[i] = BLANK;
          chunk.nums[i] = 0;
        }
      });
      cells.touch(c);
    }
    return area;
  }

  retractAll(sheet: Sheet): Area[] {
    const found = this.of(sheet.id);
    const areas = [...found.filled.values(), ...found.blocked.values()];
    for (const area of areas) this.retract(sheet, area.top, area.left);
    return areas;
  }

  forget(sheet: number): void {
    this.sheets.delete(sheet);
  }

  /** Fills the cells beside the anchor; false when something stands there. The anchor itself is left to the caller. */
  fill(sheet: Sheet, row: number, col: number, matrix: Matrix): boolean {
    const area: Area = { top: row, left: col, bottom: row + matrix.rows - 1, right: col + matrix.cols - 1 };
    const found = this.of(sheet.id);
    const { cells } = sheet;
    let free = area.bottom < MAX_ROWS && area.right < MAX_COLS;
    for (let c = area.left; free && c <= area.right; c++) {
      cells.eachPiece(c, area.top, area.bottom, (chunk, from, to, start) => {
        for (let i = from; free && i <= to; i++) {
          if (start + i === row && c === col) continue;
          if (chunk.tags[i] !== BLANK || (chunk.formulas?.[i] ?? 0) !== 0) free = false;
        }
      });
    }
    if (!free) {
      found.blocked.set(keyOf(row, col), area);
      return false;
    }
    found.filled.set(keyOf(row, col), area);
    for (let c = 0; c < matrix.cols; c++) {
      for (let r = 0; r < matrix.rows; r++) {
        if (r === 0 && c === 0) continue;
        const place = cells.chunkFor(row + r, col + c);
        cells.put(place.chunk, place.index, matrix.at(r, c) ?? 0);
        place.chunk.needFormulas()[place.index] = SPILLED;
      }
      cells.touch(col + c);
    }
    return true;
  }

  /** Copy of the state of all sub-sheets, for putting it back. */
  save(): Map<number, SheetSpills> {
    return new Map([...this.sheets].map(([id, one]) => [id, { filled: new Map(one.filled), blocked: new Map(one.blocked) }]));
  }

  restore(saved: Map<number, SheetSpills>): void {
    this.sheets.clear();
    for (const [id, one] of saved) this.sheets.set(id, one);
  }
}
