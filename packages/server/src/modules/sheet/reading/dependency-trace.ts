import { resolveRef, rowsReading, type SheetDocument, type SubSheet } from '@sheaf/engine/internal/document';
import { charge, rectName, type Rect } from '@sheaf/engine';
import { formatAddress, type SheetRange } from '../calls/address.ts';
import { shorten } from './shorten.ts';

const maxTracedRanges = 500;
/**
 * Maximum number of formulas in a range whose references are traced. A formula that is filled down a column counts
 * once.
 */
const maxFormulas = 50;

export interface TraceStep {
  readonly level: number;
  readonly place: SheetRange;
}

export interface DependencyTrace {
  readonly steps: readonly TraceStep[];
  /** True if the trace is incomplete because a limit was reached. */
  readonly isPartial: boolean;
}

interface TraceLevel {
  readonly places: readonly SheetRange[];
  readonly isPartial: boolean;
}

/**
 * Returns the ranges that the formulas of `place` read (level 1), the ranges that formulas in those ranges read (level
 * 2), and so on, up to `levels`.
 */
export function tracePrecedents(document: SheetDocument, place: SheetRange, levels: number): DependencyTrace {
  return traceLevels(place, levels, (one) => directPrecedents(document, one));
}

/**
 * Returns the formula cells that read `place` (level 1), the formula cells that read those cells (level 2), and so on,
 * up to `levels`.
 */
export function traceDependents(document: SheetDocument, place: SheetRange, levels: number): DependencyTrace {
  return traceLevels(place, levels, (one) => directDependents(document, one));
}

function traceLevels(start: SheetRange, levels: number, next: (place: SheetRange) => TraceLevel): DependencyTrace {
  const seen = new Set<string>();
  const steps: TraceStep[] = [];
  let isPartial = false;
  let open: SheetRange[] = [start];
  for (let level = 1; level <= levels && open.length > 0; level++) {
    const found: SheetRange[] = [];
    for (const place of open) {
      const read = next(place);
      isPartial ||= read.isPartial;
      for (const one of read.places) {
        const key = formatAddress(one.sub, one.rect);
        if (seen.has(key)) continue;
        if (steps.length >= maxTracedRanges) {
          isPartial = true;
          break;
        }
        seen.add(key);
        found.push(one);
        steps.push({ level, place: one });
      }
    }
    open = found;
  }
  return { steps, isPartial };
}

function directPrecedents(document: SheetDocument, { sub, rect }: SheetRange): TraceLevel {
  const { graph } = document.workbook;
  graph.flush();
  const found: SheetRange[] = [];
  let looked = 0;
  graph.maps.get(sub.sheet.id)?.eachIn(rect.top, rect.left, rect.bottom, rect.right, (group) => {
    if (++looked > maxFormulas) return;
    charge(8);
    const top = Math.max(group.top, rect.top);
    const bottom = Math.min(group.bottom, rect.bottom);
    for (const ref of graph.refsOf(group.pattern, sub.sheet.id)) {
      const [first, last] = [resolveRef(ref, top, group.col), resolveRef(ref, bottom, group.col)];
      if (!first || !last) continue;
      const covered = { top: first.top, left: first.left, bottom: last.bottom, right: last.right };
      for (const sheet of graph.sheetsOf(ref, sub.sheet)) {
        const other = document.numbered(sheet.id);
        if (other) found.push({ sub: other, rect: covered });
      }
    }
  });
  return { places: found, isPartial: looked > maxFormulas };
}

function directDependents(document: SheetDocument, { sub, rect }: SheetRange): TraceLevel {
  const { graph } = document.workbook;
  graph.flush();
  const found = new Map<string, SheetRange>();
  let isPartial = false;
  graph.readers(sub.sheet)?.query(rect.top, rect.left, rect.bottom, rect.right, ({ group, ref }) => {
    charge(8);
    if (!group.alive || isPartial) return;
    const rows = rowsReading(group, ref, rect.top, rect.bottom);
    const owner = document.numbered(group.sheet.id);
    if (!rows || !owner) return;
    const place = { sub: owner, rect: { ...rows, left: group.col, right: group.col } };
    const address = formatAddress(owner, place.rect);
    if (found.size >= maxTracedRanges && !found.has(address)) isPartial = true;
    else found.set(address, place);
  });
  const places = [...found.values()].sort((a, b) => a.rect.top - b.rect.top || a.rect.left - b.rect.left);
  return { places, isPartial };
}

/**
 * Describes a range in one line: its address, the value of a single cell or statistics of several cells, and the
 * formula of the first cell.
 */
export function describeTracedRange(document: SheetDocument, home: SubSheet, { sub, rect }: SheetRange): string {
  const address = sub === home ? rectName(rect) : formatAddress(sub, rect);
  const formula = document.formula(sub, rect.top, rect.left);
  const told = formula === undefined ? '' : `  ${shorten(formula, 80)}`;
  if (isCell(rect)) return `${address} ${shorten(document.text(sub, rect.top, rect.left) || '(blank)', 60)}${told}`;
  const { sum, count, filled, min, max } = sub.sheet.totals(rect.top, rect.left, rect.bottom, rect.right);
  const numbers = count > 0 ? `, ${count} numbers ${short(min)}…${short(max)}, sum ${short(sum)}` : '';
  return `${address} ${filled} filled${numbers}${told}`;
}

function isCell({ top, left, bottom, right }: Rect): boolean {
  return top === bottom && left === right;
}

function short(value: number): string {
  return String(Number(value.toPrecision(10)));
}
