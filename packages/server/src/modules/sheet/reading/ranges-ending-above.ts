import { charge, rectName, type Rect } from '@sheaf/engine';
import { resolveRef, rowsReading, type SheetDocument, type SubSheet } from '@sheaf/engine/internal/document';
import { formatAddress } from '../calls/address.ts';
import { containsCell } from '../cells/rects.ts';
import { shorten } from './shorten.ts';

const maxListed = 5;
const maxLooked = 200;
const longestFormula = 60;

/**
 * Returns remarks about formulas that do not include newly written rows because their range ends directly above them,
 * such as `=SUM(D2:D9)` when row 10 is written. With `afterTotals`, one totals row may be between the range and the new
 * rows.
 */
export function noteRangesEndingAbove(
  document: SheetDocument,
  sub: SubSheet,
  written: Rect,
  { afterTotals = false } = {},
): string[] {
  const last = written.top - 1;
  if (last < 1) return [];
  const { graph } = document.workbook;
  graph.flush();
  const found = new Map<string, string>();
  let looked = 0;
  graph.readers(sub.sheet)?.query(last - (afterTotals ? 1 : 0), written.left, last, written.right, ({ group, ref }) => {
    // Skip formulas that refer to a table by name. The table grows with the new rows, so these formulas include them.
    if (!group.alive || group.pattern.tables.length > 0 || ++looked > maxLooked) return;
    charge(8);
    const owner = document.numbered(group.sheet.id);
    const rows = rowsReading(group, ref, last - 1, last);
    if (!owner || !rows) return;
    const row = rows.top;
    const read = resolveRef(ref, row, group.col);
    if (!read || read.bottom === read.top) return;
    const isOwn = owner === sub;
    const endsAbove = read.bottom === last || (afterTotals && isOwn && row === last && read.bottom === last - 1);
    // Skip two kinds of formulas that need not include the new rows: running totals, whose range ends at their own row,
    // and formulas within the data, which are in a column of the new rows and in a row of their own range.
    const isInColumns = group.col >= written.left && group.col <= written.right;
    const isOfRows = isOwn && row >= read.top && (read.bottom === row || (isInColumns && row <= read.bottom));
    if (!endsAbove || isOfRows || (isOwn && containsCell(written, row, group.col))) return;
    const cell = { top: row, bottom: row, left: group.col, right: group.col };
    const address = isOwn ? rectName(cell) : formatAddress(owner, cell);
    const whole = rectName({ ...read, bottom: written.bottom });
    const formula = shorten(document.formula(owner, row, group.col) ?? '', longestFormula);
    found.set(address, `${address} ${formula} ends above the new rows; ${whole} would include them`);
  });
  const notes = [...found.values()];
  return notes.length > maxListed
    ? [...notes.slice(0, maxListed), `and ${notes.length - maxListed} more formulas end above the new rows`]
    : notes;
}
