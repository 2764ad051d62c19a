import { singleCellRange } from './cell-geometry.ts';
import type { SheetSession } from './sheet-session.ts';

/** Goes to the cell whose whole text matches, or else to one that contains the text. */
export async function goToMatch(session: SheetSession, text: string): Promise<void> {
  const asked = { search_term: text, max_results: 1 };
  const whole = await session.read('find', { ...asked, match_entire_cell: true });
  const [cell] = whole.results.length > 0 ? whole.results : (await session.read('find', asked)).results;
  if (cell) session.goTo(cell.sheet_id, singleCellRange(cell.row, cell.col));
}
