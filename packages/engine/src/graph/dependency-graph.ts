import { wrappedRefs, type RefPart } from '../formula/reference.ts';
import type { Pattern } from '../formula/formula-pattern.ts';
import { tableRefs, type TableSource } from '../formula/table-reference.ts';
import type { Template, Templates } from '../formula/formula-template.ts';
import type { IndexedSheet } from '../store/indexed-sheet.ts';
import { maxCols, maxRows } from '../base/grid-size.ts';
import { FormulaMap } from './formula-map.ts';
import { coveredRect, type FormulaGroup } from './formula-group.ts';
import { PrecedentIndex } from './precedent-index.ts';
import { RowRangeSet, type MovedRange } from './row-range-set.ts';

/** The parts of a workbook that the dependency graph reads. */
export interface GraphHost {
  readonly templates: Templates;
  readonly sheets: readonly IndexedSheet[];
  sheetById(id: number): IndexedSheet | undefined;
  nameDefinition(name: string, sheet: number): Template | undefined;
  readonly tables: TableSource;
}

/**
 * The dependency graph: the formulas of a workbook and the cells that they read. An edit only records which formula
 * cells it touched; `flush` updates the graph before it is queried.
 */
export class DependencyGraph {
  readonly #host: GraphHost;
  readonly maps = new Map<number, FormulaMap>();
  readonly #indexes = new Map<number, PrecedentIndex>();
  readonly volatile = new Set<FormulaGroup>();
  /** Formula cells set or removed since the last `flush`, by sub-sheet. */
  readonly #touched = new Map<number, RowRangeSet>();
  readonly #precedents = new Map<string, readonly RefPart[]>();
  readonly #read = new Map<string, readonly RefPart[]>();
  #stale = false;
  /**
   * Whether `#touched` and `#due` hold anything. Most edits change only values, so these flags save iterating the maps.
   */
  #isTouched = false;
  #isDue = false;
  /** Formula rows to calculate at the next recalculation, by sub-sheet. */
  readonly #due = new Map<number, RowRangeSet>();

  constructor(host: GraphHost) {
    this.#host = host;
  }

  map(sheet: IndexedSheet): FormulaMap {
    let map = this.maps.get(sheet.id);
    if (!map) {
      map = new FormulaMap(
        sheet,
        this.#host.templates,
        (group) => this.#added(group),
        (group) => this.#removed(group),
      );
      this.maps.set(sheet.id, map);
    }
    return map;
  }

  /**
   * Records that formulas in these rows were set or removed, and schedules the rows for calculation. `flush` then
   * updates the formula groups (runs of equal formulas in a column) of these rows.
   */
  touch(sheet: IndexedSheet, col: number, top: number, bottom: number): void {
    this.#isTouched = true;
    this.#isDue = true;
    spansOf(this.#touched, sheet.id).add(col, top, bottom);
    spansOf(this.#due, sheet.id).add(col, top, bottom);
  }

  /** Schedules the formulas in these rows for calculation even if nothing that they read changed. */
  markDue(sheet: IndexedSheet, col: number, top: number, bottom: number): void {
    this.#isDue = true;
    spansOf(this.#due, sheet.id).add(col, top, bottom);
  }

  takeDue(visit: (group: FormulaGroup, top: number, bottom: number) => void): void {
    if (!this.#isDue) return;
    for (const [id, spans] of this.#due) {
      const map = this.maps.get(id);
      spans.drain((col, top, bottom) => {
        map?.eachIn(top, col, bottom, col, (group) =>
          visit(group, Math.max(top, group.top), Math.min(bottom, group.bottom)),
        );
      });
    }
    // Cleared last: if `visit` throws, the flag stays set, and the rows of the remaining sub-sheets stay scheduled.
    this.#isDue = false;
  }

  /** Adjusts the positions of the rows scheduled for calculation after a structural edit, such as inserting rows. */
  remapDue(sheet: number, move: (col: number, top: number, bottom: number) => MovedRange | undefined): void {
    this.#due.get(sheet)?.remap(move);
  }

  /** Updates the formula groups and indexes for the formulas that were set or removed since the last call. */
  flush(): void {
    if (!this.#isTouched) return;
    for (const [id, spans] of this.#touched) {
      const sheet = this.#host.sheetById(id);
      if (!sheet) spans.clear();
      else if (!spans.isEmpty) {
        const map = this.map(sheet);
        spans.drain((col, top, bottom) => map.refresh(col, top, bottom));
      }
    }
    this.#isTouched = false;
  }

  /**
   * Returns all references of a formula pattern, including those of the defined names and tables that it uses. A
   * change in the referenced cells may change the result of the formula.
   */
  refsOf(pattern: Pattern, sheet: number): readonly RefPart[] {
    return pattern.names.length === 0 && pattern.tables.length === 0
      ? pattern.refs
      : this.#through(this.#precedents, pattern, sheet, (one) => one.refs);
  }

  /**
   * Returns the references whose cells a formula pattern may read; these cells must be calculated before the formula.
   * References of which only the position or size is used are left out.
   */
  readsOf(pattern: Pattern, sheet: number): readonly RefPart[] {
    return pattern.names.length === 0 && pattern.tables.length === 0
      ? pattern.reads
      : this.#through(this.#read, pattern, sheet, (one) => one.reads);
  }

  #through(
    known: Map<string, readonly RefPart[]>,
    pattern: Pattern,
    sheet: number,
    refsOf: (one: Pattern) => readonly RefPart[],
  ): readonly RefPart[] {
    const key = `${pattern.id}:${sheet}`;
    let refs = known.get(key);
    if (!refs) {
      const found = new Set<RefPart>();
      const seen = new Set<Pattern>();
      const visit = (one: Pattern): void => {
        if (seen.has(one)) return;
        seen.add(one);
        for (const ref of refsOf(one)) for (const other of one === pattern ? [ref] : wrappedRefs(ref)) found.add(other);
        for (const part of one.tables) for (const ref of tableRefs(part, this.#host.tables)) found.add(ref);
        for (const name of one.names) {
          const definition = this.#host.nameDefinition(name, sheet);
          if (definition) visit(definition.pattern);
        }
      };
      visit(pattern);
      refs = [...found];
      known.set(key, refs);
    }
    return refs;
  }

  /**
   * Returns whether a formula pattern, or a defined name that it uses, is volatile, that is, recalculated after every
   * edit, like NOW.
   */
  #isVolatile(pattern: Pattern, sheet: number, seen = new Set<Pattern>()): boolean {
    if (pattern.volatile) return true;
    if (pattern.names.length === 0 || seen.has(pattern)) return false;
    // `seen` prevents endless recursion if names refer to each other.
    seen.add(pattern);
    return pattern.names.some((name) => {
      const definition = this.#host.nameDefinition(name, sheet);
      return definition !== undefined && this.#isVolatile(definition.pattern, sheet, seen);
    });
  }

  /**
   * Returns the sub-sheets to which a reference in a formula of sub-sheet `own` points. A reference such as
   * `First:Last!A1` points to all sub-sheets from `First` to `Last`.
   */
  sheetsOf(ref: RefPart, own: IndexedSheet): readonly IndexedSheet[] {
    if (ref.shape === 'lost') return [];
    if (ref.sheet === undefined) return [own];
    const first = typeof ref.sheet === 'number' ? this.#host.sheetById(ref.sheet) : undefined;
    if (!first || ref.lastSheet === undefined) return first ? [first] : [];
    const last = typeof ref.lastSheet === 'number' ? this.#host.sheetById(ref.lastSheet) : undefined;
    if (!last) return [];
    const { sheets } = this.#host;
    const from = sheets.indexOf(first);
    const to = sheets.indexOf(last);
    return sheets.slice(Math.min(from, to), Math.max(from, to) + 1);
  }

  #removed(group: FormulaGroup): void {
    group.alive = false;
    this.volatile.delete(group);
  }

  #added(group: FormulaGroup): void {
    if (this.#isVolatile(group.pattern, group.sheet.id)) this.volatile.add(group);
    if (!this.#stale) this.#enter(group);
  }

  #enter(group: FormulaGroup): void {
    for (const ref of this.refsOf(group.pattern, group.sheet.id)) {
      const rect = coveredRect(group, ref, group.top, group.bottom);
      if (rect.bottom < 0 || rect.right < 0 || rect.top >= maxRows || rect.left >= maxCols) continue;
      const left = Math.max(0, rect.left);
      const right = Math.min(maxCols - 1, rect.right);
      for (const sheet of this.sheetsOf(ref, group.sheet)) {
        this.#index(sheet).add({ group, ref, top: rect.top, left, bottom: rect.bottom, right });
      }
    }
  }

  #index(sheet: IndexedSheet): PrecedentIndex {
    let index = this.#indexes.get(sheet.id);
    if (!index) {
      index = new PrecedentIndex();
      this.#indexes.set(sheet.id, index);
    }
    return index;
  }

  /**
   * Returns the index that finds the formulas that refer to given cells of the sub-sheet; undefined if there are none.
   * Rebuilds all indexes first if they are stale.
   */
  readers(sheet: IndexedSheet): PrecedentIndex | undefined {
    if (this.#stale) {
      this.#stale = false;
      this.#indexes.clear();
      this.eachGroup((group) => this.#enter(group));
    }
    return this.#indexes.get(sheet.id);
  }

  eachGroup(visit: (group: FormulaGroup) => void): void {
    for (const map of this.maps.values()) map.each(visit);
  }

  /**
   * Marks the indexes of all references as outdated, so that the next query rebuilds them. Called after positions,
   * names or sub-sheets changed.
   */
  invalidate(): void {
    this.#stale = true;
  }

  /**
   * Discards the references cached for defined names and determines anew which formula groups are volatile. Called
   * when the definition of a name changes.
   */
  invalidateNames(): void {
    this.#precedents.clear();
    this.#read.clear();
    this.#stale = true;
    this.volatile.clear();
    this.eachGroup((group) => {
      if (this.#isVolatile(group.pattern, group.sheet.id)) this.volatile.add(group);
    });
  }

  removeSheet(id: number): void {
    this.maps.get(id)?.each((group) => this.#removed(group));
    this.maps.delete(id);
    this.#touched.delete(id);
    this.#due.delete(id);
    this.#indexes.delete(id);
    this.#stale = true;
  }
}

function spansOf(map: Map<number, RowRangeSet>, sheet: number): RowRangeSet {
  let spans = map.get(sheet);
  if (!spans) {
    spans = new RowRangeSet();
    map.set(sheet, spans);
  }
  return spans;
}
