import { FormulaSyntaxError, isRef } from '../../formula/token.ts';
import { parseFormula } from '../../formula/parser.ts';
import { printRef, type RefPart, type SheetNames } from '../../formula/reference.ts';
import { rewriteRef, type CellPosition, type StructuralEdit } from '../../formula/rewrite-reference.ts';
import { isTable, printTable } from '../../formula/table-reference.ts';
import { mapCell } from '../../graph/shift-groups.ts';
import type { PassthroughElement, Point } from './passthrough.ts';
import { rectOf, regionOf, type Region } from './rect.ts';
import { shiftPoint, shiftRect } from './shift-objects.ts';

/**
 * The fields of an object that depend on cell positions: the ranges and cells to which it is attached, and formulas.
 */
type AnchoredObject = Partial<Pick<PassthroughElement, 'regions' | 'points' | 'formulas'>>;

/**
 * Applies an insertion, deletion or move of rows or columns to objects on ranges, such as conditional formats, or to
 * XML elements of an imported file that are stored for export. `own` is the numeric id of their sub-sheet, and `back`
 * is the reverse of the edit.
 */
export function shiftAnchored<T extends AnchoredObject>(
  list: readonly T[],
  own: number,
  edit: StructuralEdit,
  back: StructuralEdit,
  names: SheetNames,
): readonly T[] {
  let changed = false;
  const next = list.flatMap((one): T[] => {
    const moved = own === edit.sheet ? shiftAnchors(one, edit) : one;
    if (!moved) {
      changed = true;
      return [];
    }
    const from = anchorOf(one);
    const to = anchorOf(moved);
    // Formulas are relative to the first cell of the first region. The edit may have moved that cell, or another cell
    // may be the first one after the edit. `before` is the position that the new first cell had before the edit.
    const before = own === edit.sheet ? (mapCell(back, to.row, to.col) ?? from) : from;
    const formulas = one.formulas?.map((text) =>
      rewritten(text, from, before, to, names, (ref) => rewriteRef(ref, own, before, to, edit).ref),
    );
    const same = moved === one && (formulas?.every((text, i) => text === one.formulas?.[i]) ?? true);
    if (same) return [one];
    changed = true;
    return [{ ...moved, ...(formulas ? { formulas } : {}) }];
  });
  return changed ? next : list;
}

/**
 * Rewrites references to a deleted or renamed sub-sheet in the formulas of objects, such as tables and conditional
 * formats, and of XML elements of an imported file that are stored for export.
 */
export function replaceAnchoredReferences<T extends AnchoredObject>(
  list: readonly T[],
  before: SheetNames,
  after: SheetNames,
  change: (ref: RefPart) => RefPart,
): readonly T[] {
  let changed = false;
  const next = list.map((one): T => {
    if (!one.formulas) return one;
    const at = anchorOf(one);
    const formulas = one.formulas.map((text) => rewritten(text, at, at, at, before, change, after));
    if (formulas.every((text, i) => text === one.formulas?.[i])) return one;
    changed = true;
    return { ...one, formulas };
  });
  return changed ? next : list;
}

function anchorOf({ regions }: AnchoredObject): CellPosition {
  const first = regions?.[0];
  return first ? { row: first[0], col: first[1] } : { row: 0, col: 0 };
}

function shiftAnchors<T extends AnchoredObject>(one: T, edit: StructuralEdit): T | undefined {
  let next = one;
  if (one.regions) {
    const regions = one.regions.flatMap((region): Region[] => {
      const rect = shiftRect(rectOf(region), edit);
      return rect ? [regionOf(rect)] : [];
    });
    if (regions.length === 0) return undefined;
    if (
      !regions.every((region, i) => region.every((edge, k) => edge === one.regions?.[i]?.[k])) ||
      regions.length !== one.regions.length
    )
      next = { ...next, regions };
  }
  if (one.points && !edit.within) {
    const points = one.points.map((point): Point => shiftPoint(point, edit));
    if (points.some((point, i) => point[0] !== one.points?.[i]?.[0] || point[1] !== one.points?.[i]?.[1]))
      next = { ...next, points };
  }
  return next;
}

/**
 * Takes a formula written for cell `from` and returns it as it must be written for cell `to`: all relative references
 * move by the distance between the two cells.
 */
export function reanchorFormula(text: string, from: CellPosition, to: CellPosition, names: SheetNames): string {
  return rewritten(text, from, from, to, names, (ref) => ref);
}

/**
 * Parses a formula written for cell `from`, changes its references by `change`, and returns its text for cell `to`.
 * `before` is the position that `to` had before the edit. Returns the text unchanged if it cannot be parsed, or if
 * nothing but its spelling would change.
 */
function rewritten(
  text: string,
  from: CellPosition,
  before: CellPosition,
  to: CellPosition,
  names: SheetNames,
  change: (ref: RefPart) => RefPart,
  namesAfter = names,
): string {
  let parsed: ReturnType<typeof parseFormula>;
  try {
    parsed = parseFormula(`=${text}`, from.row, from.col, names);
  } catch (error) {
    if (error instanceof FormulaSyntaxError) return text;
    throw error;
  }
  const print = (place: CellPosition, own: SheetNames, each: (ref: RefPart) => RefPart): string => {
    let hole = 0;
    return parsed.parts
      .map((part) => {
        if (typeof part === 'string') return part;
        if (isTable(part)) return printTable(part, own);
        return isRef(part) ? printRef(each(part), place.row, place.col, own) : (parsed.texts[hole++] ?? '0');
      })
      .join('');
  };
  const was = print(before, names, (ref) => ref);
  const is = print(to, namesAfter, change);
  return was === is && before.row === from.row && before.col === from.col ? text : is;
}
