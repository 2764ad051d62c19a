import type { Pattern } from '../formula/formula-pattern.ts';
import type { Templates } from '../formula/formula-template.ts';
import type { IndexedSheet } from '../store/indexed-sheet.ts';
import { FormulaGroup } from './formula-group.ts';

/**
 * The formula groups of one sub-sheet, by column and from top to bottom. A group is a run of adjacent cells of one
 * column whose formulas have the same pattern.
 */
export class FormulaMap {
  readonly sheet: IndexedSheet;
  readonly columns = new Map<number, FormulaGroup[]>();
  readonly #templates: Templates;
  readonly #added: (group: FormulaGroup) => void;
  readonly #removed: (group: FormulaGroup) => void;

  constructor(
    sheet: IndexedSheet,
    templates: Templates,
    added: (group: FormulaGroup) => void,
    removed: (group: FormulaGroup) => void,
  ) {
    this.sheet = sheet;
    this.#templates = templates;
    this.#added = added;
    this.#removed = removed;
  }

  /**
   * Returns the index of the first formula group that ends at or below `row`; the number of groups if there is none.
   * `groups` are the formula groups of one column from top to bottom.
   */
  static from(groups: readonly FormulaGroup[], row: number): number {
    let low = 0;
    let high = groups.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((groups[middle] as FormulaGroup).bottom < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  at(row: number, col: number): FormulaGroup | undefined {
    const groups = this.columns.get(col);
    const group = groups?.[FormulaMap.from(groups, row)];
    return group && group.top <= row ? group : undefined;
  }

  eachIn(top: number, left: number, bottom: number, right: number, visit: (group: FormulaGroup) => void): void {
    const inColumn = (groups: readonly FormulaGroup[]): void => {
      for (let i = FormulaMap.from(groups, top); i < groups.length; i++) {
        const group = groups[i] as FormulaGroup;
        if (group.top > bottom) return;
        visit(group);
      }
    };
    if (right - left >= this.columns.size) {
      for (const [col, groups] of this.columns) if (col >= left && col <= right) inColumn(groups);
      return;
    }
    for (let col = left; col <= right; col++) {
      const groups = this.columns.get(col);
      if (groups) inColumn(groups);
    }
  }

  each(visit: (group: FormulaGroup) => void): void {
    for (const groups of this.columns.values()) groups.forEach(visit);
  }

  /**
   * Replaces all formula groups of the sub-sheet after rows, columns or cells were inserted, deleted or moved. Adjacent
   * runs with the same pattern become one group.
   */
  replace(
    runs: readonly { col: number; top: number; bottom: number; pattern: Pattern; group: FormulaGroup | undefined }[],
  ): void {
    const byColumn = new Map<number, (typeof runs)[number][]>();
    for (const run of runs) {
      const list = byColumn.get(run.col);
      if (list) list.push(run);
      else byColumn.set(run.col, [run]);
    }
    const old = new Set<FormulaGroup>();
    this.each((group) => old.add(group));
    this.columns.clear();
    const fresh: FormulaGroup[] = [];
    for (const [col, list] of byColumn) {
      list.sort((a, b) => a.top - b.top);
      const groups: FormulaGroup[] = [];
      for (const run of list) {
        const last = groups[groups.length - 1];
        if (last && last.pattern === run.pattern && last.bottom === run.top - 1) {
          last.bottom = run.bottom;
          continue;
        }
        let group = run.group;
        if (group && old.delete(group)) {
          group.col = col;
          group.top = run.top;
          group.bottom = run.bottom;
        } else {
          group = new FormulaGroup(this.sheet, col, run.top, run.bottom, run.pattern);
          fresh.push(group);
        }
        groups.push(group);
      }
      this.columns.set(col, groups);
    }
    old.forEach(this.#removed);
    fresh.forEach(this.#added);
  }

  /**
   * Rebuilds the formula groups of rows `[top, bottom]` of a column from the cells, merging them with the groups above
   * and below.
   */
  refresh(col: number, top: number, bottom: number): void {
    const groups = this.columns.get(col) ?? [];
    const first = FormulaMap.from(groups, top - 1);
    let last = first;
    while (last < groups.length && (groups[last] as FormulaGroup).top <= bottom + 1) last++;
    const old = groups.slice(first, last);
    const from = Math.min(top, old[0]?.top ?? top);
    const to = Math.max(bottom, old[old.length - 1]?.bottom ?? bottom);
    const fresh = this.#scan(col, from, top, bottom, to, old);
    if (fresh.length === old.length && fresh.every((group, i) => group === old[i])) return;
    const kept = new Set(fresh);
    for (const group of old) if (!kept.has(group)) this.#removed(group);
    const before = new Set(old);
    if (fresh.length < 1000) {
      groups.splice(first, last - first, ...fresh);
      this.columns.set(col, groups);
    } else this.columns.set(col, [...groups.slice(0, first), ...fresh, ...groups.slice(last)]);
    if (this.columns.get(col)?.length === 0) this.columns.delete(col);
    for (const group of fresh) if (!before.has(group)) this.#added(group);
  }

  /**
   * Returns the formula groups of rows `[from, to]`. Rows `[top, bottom]` are read from the cells, the others are
   * taken from the groups in `old`.
   */
  #scan(
    col: number,
    from: number,
    top: number,
    bottom: number,
    to: number,
    old: readonly FormulaGroup[],
  ): FormulaGroup[] {
    const runs: { top: number; bottom: number; pattern: Pattern }[] = [];
    const push = (start: number, end: number, pattern: Pattern): void => {
      const last = runs[runs.length - 1];
      if (last && last.pattern === pattern && last.bottom === start - 1) last.bottom = end;
      else runs.push({ top: start, bottom: end, pattern });
    };
    for (const group of old) if (group.top < top) push(group.top, Math.min(group.bottom, top - 1), group.pattern);
    const { cells } = this.sheet;
    cells.eachPiece(col, Math.max(from, top), Math.min(to, bottom), (chunk, start, end, base) => {
      const ids = chunk.formulas;
      if (!ids) return;
      for (let i = start; i <= end;) {
        const id = ids[i] as number;
        let j = i + 1;
        while (j <= end && ids[j] === id) j++;
        if (id > 0) {
          const template = this.#templates.get(id);
          if (template) push(base + i, base + j - 1, template.pattern);
        }
        i = j;
      }
    });
    for (const group of old)
      if (group.bottom > bottom) push(Math.max(group.top, bottom + 1), group.bottom, group.pattern);
    const byTop = new Map(old.map((group) => [group.top, group]));
    return runs.map((run) => {
      const same = byTop.get(run.top);
      if (same && same.bottom === run.bottom && same.pattern === run.pattern) return same;
      return new FormulaGroup(this.sheet, col, run.top, run.bottom, run.pattern);
    });
  }
}
