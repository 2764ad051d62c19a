import { columnName } from '../../src/base/address.ts';

/**
 * The naive reference: a plain map of cells whose formulas know the cells they read by position. Structural edits are
 * splices of a list of all positions. Nothing here is shared with the engine but the names of columns.
 */

/** Positions of an axis that the model knows about. */
export const axisLength = 400;

export interface ModelRef {
  /** Sub-sheet it reads; undefined is its own. */
  sheet: string | undefined;
  shape: 'cell' | 'area' | 'cols' | 'lost';
  top: number;
  left: number;
  bottom: number;
  right: number;
  /** Which edges are absolute: top, left, bottom, right. */
  fixed: [boolean, boolean, boolean, boolean];
}

export type ModelFormula = (string | ModelRef)[];

export interface ModelCell {
  value?: number | string | boolean;
  formula?: ModelFormula;
}

export interface ModelRect {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

export interface ModelSheet {
  name: string;
  cells: Map<string, ModelCell>;
  styles: Map<string, string>;
  merges: ModelRect[];
}

export type Axis = 'row' | 'col';

export interface ModelEdit {
  axis: Axis;
  /** Where each old position goes; undefined when it is deleted. */
  place: (at: number) => number | undefined;
  span: (first: number, last: number) => [number, number] | undefined;
  within?: [number, number];
}

const key = (row: number, col: number): string => `${row},${col}`;
const unkey = (text: string): [number, number] => text.split(',').map(Number) as [number, number];

function positions(): number[] {
  return Array.from({ length: axisLength }, (_, i) => i);
}

/** Ends of what is left of a range, in a list of old positions after an edit. */
function survivors(list: readonly number[], first: number, last: number): [number, number] | undefined {
  const found = list.flatMap((old, now) => (old >= first && old <= last ? [now] : []));
  return found.length === 0 ? undefined : [found[0]!, found.at(-1)!];
}

export function insertion(axis: Axis, at: number, count: number, within?: [number, number]): ModelEdit {
  const list = positions();
  list.splice(at, 0, ...Array.from({ length: count }, () => -1));
  return {
    axis,
    place: (old) => list.indexOf(old),
    span: (first, last) => survivors(list, first, last),
    ...(within ? { within } : {}),
  };
}

export function deletion(axis: Axis, at: number, count: number, within?: [number, number]): ModelEdit {
  const list = positions();
  list.splice(at, count);
  return {
    axis,
    place: (old) => (list.includes(old) ? list.indexOf(old) : undefined),
    span: (first, last) => survivors(list, first, last),
    ...(within ? { within } : {}),
  };
}

/** Rows cut and inserted elsewhere: a range follows when it is cut whole; otherwise it closes up and opens where the block arrives inside it. */
export function movement(axis: Axis, from: number, count: number, to: number): ModelEdit {
  const list = positions();
  const block = list.splice(from, count);
  const target = to > from ? to - count : to;
  list.splice(target, 0, ...block);
  const inBlock = (at: number): boolean => at >= from && at < from + count;
  return {
    axis,
    place: (old) => list.indexOf(old),
    span: (first, last) => {
      if (inBlock(first) && inBlock(last)) return [list.indexOf(first), list.indexOf(last)];
      if (first <= from && last >= from + count - 1 && to > first && to <= last) return [first, last];
      const outside = list.flatMap((old, now) => (old >= first && old <= last && !inBlock(old) ? [now] : []));
      return [outside[0]!, outside.at(-1)!];
    },
  };
}

/** Whether an edit would cut a merged area in two. */
export function cuts(sheet: ModelSheet, edit: ModelEdit, from: number, block?: { count: number; to: number }): boolean {
  return sheet.merges.some((area) => {
    const [first, last, crossFirst, crossLast] =
      edit.axis === 'row'
        ? [area.top, area.bottom, area.left, area.right]
        : [area.left, area.right, area.top, area.bottom];
    if (block) {
      const end = from + block.count - 1;
      const touched = first <= end && last >= from;
      return touched ? first < from || last > end : first < block.to && last >= block.to;
    }
    if (!edit.within) return false;
    const [low, high] = edit.within;
    return last >= from && crossFirst <= high && crossLast >= low && (crossFirst < low || crossLast > high);
  });
}

export class Model {
  sheets: ModelSheet[] = [];

  need(name: string): ModelSheet {
    return this.sheets.find((sheet) => sheet.name === name)!;
  }

  restructure(name: string, edit: ModelEdit): void {
    const sheet = this.need(name);
    const inside = (row: number, col: number): boolean => {
      const cross = edit.axis === 'row' ? col : row;
      return !edit.within || (cross >= edit.within[0] && cross <= edit.within[1]);
    };
    const carry = <T>(map: Map<string, T>): Map<string, T> => {
      const next = new Map<string, T>();
      for (const [at, value] of map) {
        const [row, col] = unkey(at);
        if (!inside(row, col)) next.set(at, value);
        else {
          const to = edit.place(edit.axis === 'row' ? row : col);
          if (to !== undefined) next.set(edit.axis === 'row' ? key(to, col) : key(row, to), value);
        }
      }
      return next;
    };
    sheet.cells = carry(sheet.cells);
    sheet.styles = carry(sheet.styles);
    sheet.merges = sheet.merges.flatMap((area) => {
      const moved = shifted(area, edit);
      return moved && (moved.top !== moved.bottom || moved.left !== moved.right) ? [moved] : [];
    });
    for (const other of this.sheets) {
      for (const cell of other.cells.values()) {
        for (const part of cell.formula ?? []) {
          if (typeof part === 'string' || part.shape === 'lost' || (part.sheet ?? other.name) !== name) continue;
          if (part.shape === 'cols' && edit.axis === 'row') continue;
          const moved = shifted(part, edit);
          if (moved) Object.assign(part, moved);
          else part.shape = 'lost';
        }
      }
    }
  }

  permute(name: string, area: ModelRect, order: readonly number[]): void {
    const sheet = this.need(name);
    const cells = new Map(sheet.cells);
    const styles = new Map(sheet.styles);
    order.forEach((from, to) => {
      for (let col = area.left; col <= area.right; col++) {
        const source = key(area.top + from, col);
        const target = key(area.top + to, col);
        const cell = sheet.cells.get(source);
        if (cell)
          cells.set(
            target,
            cell.formula
              ? { formula: cell.formula.map((part) => (typeof part === 'string' ? part : copied(part, to - from))) }
              : cell,
          );
        else cells.delete(target);
        const style = sheet.styles.get(source);
        if (style) styles.set(target, style);
        else styles.delete(target);
      }
    });
    sheet.cells = cells;
    sheet.styles = styles;
  }

  rename(name: string, next: string): void {
    for (const sheet of this.sheets) {
      for (const cell of sheet.cells.values()) {
        for (const part of cell.formula ?? []) if (typeof part !== 'string' && part.sheet === name) part.sheet = next;
      }
    }
    this.need(name).name = next;
  }

  remove(name: string): void {
    this.sheets = this.sheets.filter((sheet) => sheet.name !== name);
    for (const sheet of this.sheets) {
      for (const cell of sheet.cells.values()) {
        for (const part of cell.formula ?? []) {
          if (typeof part === 'string' || part.sheet !== name) continue;
          part.shape = 'lost';
          part.sheet = undefined;
        }
      }
    }
  }
}

function shifted(area: ModelRect, edit: ModelEdit): ModelRect | undefined {
  if (edit.within) {
    const [low, high] = edit.axis === 'row' ? [area.left, area.right] : [area.top, area.bottom];
    if (low < edit.within[0] || high > edit.within[1])
      return { top: area.top, left: area.left, bottom: area.bottom, right: area.right };
  }
  const span = edit.axis === 'row' ? edit.span(area.top, area.bottom) : edit.span(area.left, area.right);
  if (!span) return undefined;
  return edit.axis === 'row'
    ? { top: span[0], bottom: span[1], left: area.left, right: area.right }
    : { top: area.top, bottom: area.bottom, left: span[0], right: span[1] };
}

/** As if copied some rows down: edges without `$` move along. */
function copied(ref: ModelRef, rows: number): ModelRef {
  if (ref.shape === 'lost' || ref.shape === 'cols') return { ...ref };
  let top = ref.fixed[0] ? ref.top : ref.top + rows;
  let bottom = ref.fixed[2] ? ref.bottom : ref.bottom + rows;
  let [topFixed, leftFixed, bottomFixed, rightFixed] = ref.fixed;
  if (top < 0 || bottom < 0) return { ...ref, shape: 'lost' };
  if (top > bottom) {
    [top, bottom] = [bottom, top];
    [topFixed, bottomFixed] = [bottomFixed, topFixed];
  }
  return { ...ref, top, bottom, fixed: [topFixed, leftFixed, bottomFixed, rightFixed] };
}

export function printFormula(formula: ModelFormula): string {
  return `=${formula.map((part) => (typeof part === 'string' ? part : printRef(part))).join('')}`;
}

function printRef(ref: ModelRef): string {
  const prefix = ref.sheet === undefined ? '' : `${ref.sheet}!`;
  if (ref.shape === 'lost') return `${prefix}#REF!`;
  const row = (at: number, fixed: boolean): string => `${fixed ? '$' : ''}${at + 1}`;
  const col = (at: number, fixed: boolean): string => `${fixed ? '$' : ''}${columnName(at)}`;
  const [topFixed, leftFixed, bottomFixed, rightFixed] = ref.fixed;
  if (ref.shape === 'cols') return `${prefix}${col(ref.left, leftFixed)}:${col(ref.right, rightFixed)}`;
  const first = col(ref.left, leftFixed) + row(ref.top, topFixed);
  return ref.shape === 'cell'
    ? prefix + first
    : `${prefix}${first}:${col(ref.right, rightFixed)}${row(ref.bottom, bottomFixed)}`;
}

export { key as cellKey, unkey as cellOf };
