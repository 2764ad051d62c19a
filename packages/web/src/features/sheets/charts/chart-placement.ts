import { rectOfAnchor } from '../grid-overlay.tsx';
import { parseSheetRange, singleCellRange, type CellRange, type PixelRect } from '../cell-geometry.ts';
import type { SheetSession, GridView, Tab } from '../sheet-session.ts';
import { anchorForRect, toAnchor, toLocation, type DrawingAnchor, type DrawingLocation } from './drawing-anchor.ts';

const size = { width: 480, height: 300 } as const;
const gap = 20;

/**
 * Returns a position for a new chart that covers neither filled cells nor other charts. It is to the right of the used
 * cells if there is enough visible space for a chart, otherwise below the used cells. `data` is the charted range.
 * Returns undefined while no grid is mounted.
 */
export async function freeChartPlace(
  session: SheetSession,
  data: CellRange,
  others: readonly DrawingLocation[],
): Promise<Required<DrawingLocation> | undefined> {
  const view = session.grid.get();
  if (!view) return undefined;
  const { range } = await session.read('get_used_range', { sheet_id: session.tab.id });
  const used = parseSheetRange(range)?.range ?? data;
  const taken = others.map((one) => rectOfAnchor(view, toAnchor(one)));
  const covered = view.rectOf({ ...used, top: Math.min(used.top, data.top), left: Math.min(used.left, data.left) });
  const first = view.rectOf(singleCellRange(data.top, data.left));
  const body = view.paneRect('body');
  const beside = besideOthers({ ...size, x: covered.x + covered.width + gap, y: first.y }, taken);
  const below = besideOthers({ ...size, x: first.x + gap, y: covered.y + covered.height + gap }, taken);
  const isVisible = beside.x + beside.width <= body.x + body.width;
  return toLocation(anchorOf(view, session.tab, data, isVisible ? beside : below));
}

/** Returns the rectangle, moved down until it does not overlap any of the other rectangles. */
function besideOthers(rect: PixelRect, others: readonly PixelRect[]): PixelRect {
  const hit = others.find(
    (one) =>
      one.x < rect.x + rect.width &&
      rect.x < one.x + one.width &&
      one.y < rect.y + rect.height &&
      rect.y < one.y + one.height,
  );
  return hit ? besideOthers({ ...rect, y: hit.y + hit.height + gap }, others) : rect;
}

function anchorOf(view: GridView, tab: Tab, data: CellRange, rect: PixelRect): DrawingAnchor {
  const before: DrawingAnchor = { ...size, row: data.top, col: data.left, offsetX: 0, offsetY: 0 };
  return anchorForRect(view, tab, before, rect);
}

/**
 * Scrolls until a chart or image is completely visible, or at least its top left corner if it is larger than the
 * visible area.
 */
export function showDrawing(session: SheetSession, location: DrawingLocation): void {
  const view = session.grid.get();
  if (!view) return;
  const anchor = toAnchor(location);
  const { x, y, width, height } = rectOfAnchor(view, anchor);
  const end = anchorForRect(view, session.tab, anchor, { x: x + width, y: y + height, width: 0, height: 0 });
  session.scrollTo({ row: end.row, col: end.col });
  session.scrollTo({ row: anchor.row, col: anchor.col });
}
