import { maxCols, maxRows } from '../base/grid-size.ts';
import { CellError, cellErrors, RangeRef, RefUnion, isReference, type Value } from '../base/values.ts';
import type { Evaluation } from './evaluation-context.ts';
import type { SheetHost } from '../base/indexed-sheet-access.ts';
import type { Eval } from './compile-call.ts';
import { isExternalSheetKey, resolveRef, type RefPart, type SheetKey } from './reference.ts';
import { tableRect, type TablePart } from './table-reference.ts';

/** Returns the sub-sheets of a 3D reference; undefined if its first or last sub-sheet is missing. */
function sheetsThrough(ev: Evaluation, part: RefPart): readonly SheetHost[] | undefined {
  const first = typeof part.sheet === 'number' ? ev.host.sheetById(part.sheet) : undefined;
  const last = typeof part.lastSheet === 'number' ? ev.host.sheetById(part.lastSheet) : undefined;
  if (!first || !last) return undefined;
  const all = ev.host.sheetList();
  const from = all.indexOf(first);
  const to = all.indexOf(last);
  return all.slice(Math.min(from, to), Math.max(from, to) + 1);
}

function sheetOf(ev: Evaluation, key: SheetKey): SheetHost | undefined {
  if (typeof key === 'number') return ev.host.sheetById(key);
  const found = ev.host.outsideSheet(key);
  if (!found && isExternalSheetKey(key)) ev.isMissing = true;
  return found;
}

/**
 * Returns the range of a reference in a defined name that reaches beyond the edge of the sheet and continues at the
 * opposite edge. For example, in a name defined at A1, `Sheet1!XFD1` (the last column) is the cell to the left.
 */
function wrappedRange(sheet: SheetHost, top: number, left: number, bottom: number, right: number): RangeRef {
  const [row, lastRow] = [top, bottom].map((edge) => (edge + maxRows) % maxRows).toSorted((a, b) => a - b);
  const [col, lastCol] = [left, right].map((edge) => (edge + maxCols) % maxCols).toSorted((a, b) => a - b);
  return new RangeRef(sheet, row!, col!, lastRow!, lastCol!);
}

export function compileReference(part: RefPart): Eval {
  if (part.shape === 'lost') return () => cellErrors.ref;
  const { sheet: key, topAbs, bottomAbs, leftAbs, rightAbs } = part;
  if (part.lastSheet !== undefined) {
    return (ev) => {
      const rect = resolveRef(part, ev.row, ev.col);
      const sheets = sheetsThrough(ev, part);
      if (!rect || !sheets) return cellErrors.ref;
      const areas = sheets.map((sheet) => new RangeRef(sheet, rect.top, rect.left, rect.bottom, rect.right));
      return areas.length === 1 ? (areas[0] as RangeRef) : new RefUnion(areas);
    };
  }
  // Fast path for a reference to one sub-sheet. It runs for every cell of a column of formulas, so it does not allocate
  // a list of sub-sheets.
  return (ev) => {
    const sheet = key === undefined ? ev.sheet : sheetOf(ev, key);
    // `resolveRef` is inlined, because it would allocate a rectangle for every cell.
    const top = topAbs ? part.top : part.top + ev.row;
    const bottom = bottomAbs ? part.bottom : part.bottom + ev.row;
    const left = leftAbs ? part.left : part.left + ev.col;
    const right = rightAbs ? part.right : part.right + ev.col;
    if (!sheet) return cellErrors.ref;
    if (top < 0 || left < 0 || bottom >= maxRows || right >= maxCols)
      return ev.isInName ? wrappedRange(sheet, top, left, bottom, right) : cellErrors.ref;
    return new RangeRef(sheet, top, left, bottom, right);
  };
}

/**
 * Compiles SUM over one range, the most frequent formula, without allocating a range or an argument list. The bounds
 * are computed inline, because a function that returns four numbers would allocate an object per cell.
 */
export function compileSum(part: RefPart): Eval {
  const { sheet: key, topAbs, bottomAbs, leftAbs, rightAbs } = part;
  return (ev) => {
    const sheet = key === undefined ? ev.sheet : sheetOf(ev, key);
    const top = topAbs ? part.top : part.top + ev.row;
    const bottom = bottomAbs ? part.bottom : part.bottom + ev.row;
    const left = leftAbs ? part.left : part.left + ev.col;
    const right = rightAbs ? part.right : part.right + ev.col;
    if (!sheet) return cellErrors.ref;
    const isOutside = top < 0 || left < 0 || bottom >= maxRows || right >= maxCols;
    if (isOutside && !ev.isInName) return cellErrors.ref;
    const range = isOutside ? wrappedRange(sheet, top, left, bottom, right) : undefined;
    const { sum, error } = range
      ? sheet.totals(range.top, range.left, range.bottom, range.right)
      : sheet.totals(top, left, bottom, right);
    if (error !== null) return error;
    return sum - sum === 0 ? sum + 0 : cellErrors.num;
  };
}

export function compileTable(part: TablePart): Eval {
  const { table: id } = part;
  if (id === undefined) return () => cellErrors.ref;
  return (ev) => {
    const table = ev.host.tables.table(id);
    const sheet = table && ev.host.sheetById(table.sheet);
    if (!sheet) return cellErrors.ref;
    const rect = tableRect(table, part, ev.row);
    return 'top' in rect ? new RangeRef(sheet, rect.top, rect.left, rect.bottom, rect.right) : rect;
  };
}

/** Compiles a reference to a single cell so that reading it creates no reference object. */
export function compileScalarRead(part: RefPart): Eval {
  const { top, left, topAbs, leftAbs, sheet } = part;
  const outside = (row: number, col: number): boolean => row < 0 || col < 0 || row >= maxRows || col >= maxCols;
  const wrapped = (ev: Evaluation, from: SheetHost, row: number, col: number): Value =>
    ev.isInName ? from.read((row + maxRows) % maxRows, (col + maxCols) % maxCols) : cellErrors.ref;
  if (sheet === undefined) {
    return (ev) => {
      const row = topAbs ? top : top + ev.row;
      const col = leftAbs ? left : left + ev.col;
      return outside(row, col) ? wrapped(ev, ev.sheet, row, col) : ev.sheet.read(row, col);
    };
  }
  return (ev) => {
    const row = topAbs ? top : top + ev.row;
    const col = leftAbs ? left : left + ev.col;
    const other = sheetOf(ev, sheet);
    if (!other) return cellErrors.ref;
    return outside(row, col) ? wrapped(ev, other, row, col) : other.read(row, col);
  };
}

export function spillReference(arg: Eval): Eval {
  return (ev) => {
    const value = arg(ev);
    if (value instanceof CellError) return value;
    if (!(value instanceof RangeRef)) return cellErrors.ref;
    return ev.host.spillOf(value.sheet.id, value.top, value.left) ?? cellErrors.ref;
  };
}

function areasOf(value: Value): readonly RangeRef[] | CellError {
  if (value instanceof RangeRef) return [value];
  if (value instanceof RefUnion) return value.areas;
  return value instanceof CellError ? value : cellErrors.value;
}

/**
 * Compiles the range operator `a:b`, which returns the smallest rectangle around both references. They must be on the
 * same sub-sheet.
 */
export function spanRefs(left: Eval, right: Eval): Eval {
  return (ev) => {
    const a = areasOf(left(ev));
    if (a instanceof CellError) return a;
    const b = areasOf(right(ev));
    if (b instanceof CellError) return b;
    const all = [...a, ...b];
    const sheet = all[0]?.sheet;
    if (!sheet || all.some((area) => area.sheet !== sheet)) return cellErrors.value;
    const range = new RangeRef(
      sheet,
      Math.min(...all.map((area) => area.top)),
      Math.min(...all.map((area) => area.left)),
      Math.max(...all.map((area) => area.bottom)),
      Math.max(...all.map((area) => area.right)),
    );
    ev.onDynamic(range);
    return range;
  };
}

/** Compiles the intersection operator `a b` (a space between two references). */
export function intersectRefs(left: Eval, right: Eval): Eval {
  return (ev) => {
    const a = areasOf(left(ev));
    if (a instanceof CellError) return a;
    const b = areasOf(right(ev));
    if (b instanceof CellError) return b;
    const common: RangeRef[] = [];
    for (const x of a) {
      for (const y of b) {
        const top = Math.max(x.top, y.top);
        const near = Math.max(x.left, y.left);
        const bottom = Math.min(x.bottom, y.bottom);
        const far = Math.min(x.right, y.right);
        if (x.sheet === y.sheet && top <= bottom && near <= far)
          common.push(new RangeRef(x.sheet, top, near, bottom, far));
      }
    }
    if (common.length === 0) return cellErrors.null;
    return common.length === 1 ? (common[0] as RangeRef) : new RefUnion(common);
  };
}

export function unionRefs(items: readonly Eval[]): Eval {
  return (ev) => {
    const areas: RangeRef[] = [];
    for (const item of items) {
      const value = item(ev);
      if (value instanceof CellError) return value;
      if (!isReference(value)) return cellErrors.value;
      if (value instanceof RangeRef) areas.push(value);
      else areas.push(...value.areas);
    }
    return new RefUnion(areas);
  };
}
