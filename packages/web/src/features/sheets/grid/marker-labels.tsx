import type { ReactNode } from 'react';
import { useStore } from '../../../ui/store.ts';
import { GridOverlay } from '../grid-overlay.tsx';
import { singleCellRange, type CellRange } from '../cell-geometry.ts';
import { userColor } from '../user-color.ts';
import { useSheet } from '../sheet-session.ts';
import type { Grid } from './grid.ts';

/**
 * Shows the names of other users at their selections, but not the names of AI agents. A name is hidden while recent
 * changes of that user are highlighted in the same color, because the title bar then shows it (see writer-flags.tsx).
 */
export function MarkerLabels({ grid }: { grid: Grid }): ReactNode {
  const { session, text } = useSheet();
  const marks = useStore(grid.shownMarks);
  const others = useStore(session.presence.others);
  const tab = useStore(session.current);
  const isMarked = (who: string): boolean => marks.some((one) => one.who === who);
  return (
    <>
      {others.map(
        ({ id, who, name, range, sheetId, isAgent }) =>
          range &&
          !isAgent &&
          sheetId === tab &&
          !isMarked(who) && (
            <GridOverlay key={id} place={{ range: singleCellRange(range.top, range.left) }}>
              <span data-present={name} className={labelClass(grid, range)} style={{ backgroundColor: userColor(who) }}>
                {name === '' ? text('someone') : name}
              </span>
            </GridOverlay>
          ),
      )}
    </>
  );
}

function labelClass(grid: Grid, range: CellRange): string {
  return (
    'pointer-events-none absolute max-w-64 truncate rounded-sm px-1.5 text-[0.733rem] leading-[1.4] font-medium ' +
    `whitespace-nowrap ${grid.theme.isDark ? 'text-black' : 'text-white'} ` +
    `${range.top === 0 || range.top === grid.model.frozenRows ? 'top-full left-0' : 'bottom-full left-0'}`
  );
}
