import type { SheetDocument, SubSheet } from '../engine/document.ts';
import { cellName, rectName, type Rect } from '../engine/index.ts';
import { shorten } from './shorten.ts';

const maxBreaks = 3;
const longestFormula = 70;

/** Formulas of a column: the one that most of its rows have, and where something else stands. */
export interface ColumnFormulas {
  /** As written for the first row that has it. */
  readonly formula: string;
  readonly range: string;
  readonly count: number;
  readonly breaks: readonly string[];
  readonly breakCount: number;
}

interface Stretch {
  readonly top: number;
  readonly bottom: number;
  /** Id of a pattern; 0 where a constant stands. */
  readonly pattern: number;
}

/** What the formulas of one column of a table are, undefined when fewer than half of its cells are formulas and it has no pattern. */
export function columnFormulas(
  document: SheetDocument,
  sub: SubSheet,
  body: Rect,
  col: number,
): ColumnFormulas | undefined {
  const { graph } = document.workbook;
  graph.settle();
  const stretches: Stretch[] = [];
  graph.maps.get(sub.sheet.id)?.eachIn(body.top, col, body.bottom, col, (group) => {
    stretches.push({
      top: Math.max(group.top, body.top),
      bottom: Math.min(group.bottom, body.bottom),
      pattern: group.pattern.id + 1,
    });
  });
  if (stretches.length === 0) return undefined;
  const sizes = new Map<number, number>();
  for (const { top, bottom, pattern } of stretches) sizes.set(pattern, (sizes.get(pattern) ?? 0) + bottom - top + 1);
  const [main, count] = [...sizes].reduce((best, one) => (one[1] > best[1] ? one : best));
  const first = stretches.find(({ pattern }) => pattern === main)!;
  const last = stretches.findLast(({ pattern }) => pattern === main)!;
  const breaks: string[] = [];
  let breakCount = 0;
  const tell = (row: number, rows: number): void => {
    breakCount += rows;
    if (breaks.length < maxBreaks)
      breaks.push(
        `${cellName(row, col)} ${shorten(document.formula(sub, row, col) ?? told(document, sub, row, col), longestFormula)}`,
      );
  };
  let next = first.top;
  for (const { top, bottom, pattern } of stretches) {
    if (top > next && next >= first.top && next <= last.bottom && count > 1)
      gap(document, sub, col, next, Math.min(top - 1, last.bottom), tell);
    if (pattern !== main && count > 1) tell(top, bottom - top + 1);
    next = Math.max(next, bottom + 1);
  }
  return {
    formula: shorten(document.formula(sub, first.top, col) ?? '', longestFormula),
    range: rectName({ top: first.top, bottom: last.bottom, left: col, right: col }),
    count,
    breaks,
    breakCount,
  };
}

function told(document: SheetDocument, sub: SubSheet, row: number, col: number): string {
  return document.value(sub, row, col) === null ? 'is blank' : `is the constant ${document.text(sub, row, col)}`;
}

/** Cells between formulas that hold none. */
function gap(
  document: SheetDocument,
  sub: SubSheet,
  col: number,
  top: number,
  bottom: number,
  tell: (row: number, rows: number) => void,
): void {
  for (let row = top; row <= bottom; row++) if (!sub.sheet.cells.isSpilled(row, col)) tell(row, 1);
}
