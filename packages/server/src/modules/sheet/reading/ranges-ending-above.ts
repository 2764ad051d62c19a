import { charge, rectName, type Rect } from '@sheaf/engine';
import { resolveRef, rowsReading, type SheetDocument, type SubSheet } from '@sheaf/engine/internal/document';
import { formatAddress } from '../calls/address.ts';
import { containsCell } from '../cells/rects.ts';
import { shorten } from './shorten.ts';

const maxListed = 5;
const maxLooked = 200;
const longestFormula = 60;

/** Maximum number of rows between a totals row and new rows below it, such as rows for tax and gross. */
const maxRowsBelowTotals = 10;

/**
 * Returns remarks about formulas that do not include newly written rows because their range ends directly above them,
 * such as `=SUM(D2:D9)` when row 10 is written. With `afterTotals`, also returns remarks about totals above the new
 * rows, such as `=SUM(D2:D9)` in D10 when row 11 is written.
 */
export function describeRangesEndingAbove(
  document: SheetDocument,
  sub: SubSheet,
  written: Rect,
  { afterTotals = false } = {},
): string[] {
  const last = written.top - 1;
  if (last < 1) return [];
  const first = Math.max(0, last - (afterTotals ? maxRowsBelowTotals : 0));
  const { graph } = document.workbook;
  graph.flush();
  const found = new Map<string, string>();
  let looked = 0;
  graph.readers(sub.sheet)?.query(first, written.left, last, written.right, ({ group, ref }) => {
    // Skip formulas that refer to a table by name. The table grows with the new rows, so these formulas include them.
    if (!group.alive || group.pattern.tables.length > 0 || ++looked > maxLooked) return;
    charge(8);
    const owner = document.numbered(group.sheet.id);
    const rows = rowsReading(group, ref, first, last);
    if (!owner || !rows) return;
    const isOwn = owner === sub;
    const isInColumns = group.col >= written.left && group.col <= written.right;
    // A totals row is one row. A column of formulas that read the rows above them, such as running totals, is longer.
    const total = afterTotals && isOwn && isInColumns && group.top === group.bottom ? group.top : -1;
    const row = total >= 0 ? total : rowsReading(group, ref, last, last)?.top;
    if (row === undefined) return;
    const read = resolveRef(ref, row, group.col);
    if (!read || read.bottom === read.top) return;
    const isTotal = row === total && read.bottom === row - 1 && row <= last && row > read.top;
    const endsAbove = read.bottom === last;
    // Skip two kinds of formulas that need not include the new rows: running totals, whose range ends at their own row,
    // and formulas within the data, which are in a column of the new rows and in a row of their own range.
    const isOfRows = isOwn && row >= read.top && (read.bottom === row || (isInColumns && row <= read.bottom));
    if (!(isTotal || endsAbove) || isOfRows || (isOwn && containsCell(written, row, group.col))) return;
    const cell = { top: row, bottom: row, left: group.col, right: group.col };
    const address = isOwn ? rectName(cell) : formatAddress(owner, cell);
    const formula = shorten(document.formula(owner, row, group.col) ?? '', longestFormula);
    const whole = rectName({ ...read, bottom: written.bottom });
    found.set(
      address,
      isTotal
        ? `${address} ${formula} is above the new rows and leaves them out; rows that insert_dimension puts before row ` +
            `${read.bottom + 1} (index ${read.bottom}) would be in it`
        : `${address} ${formula} ends above the new rows; ${whole} would include them`,
    );
  });
  const notes = [...found.values()];
  return notes.length > maxListed
    ? [...notes.slice(0, maxListed), `and ${notes.length - maxListed} more formulas end above the new rows`]
    : notes;
}
