import { useMemo, type ReactNode } from 'react';
import { useStore } from '../../../ui/store.ts';
import { GridOverlay, useVisibleRange } from '../grid-overlay.tsx';
import { singleCellRange, rangeContains } from '../cell-geometry.ts';
import { useSession } from '../sheet-session.ts';
import type { PanelState } from './panel-state.ts';

const maxMarked = 300;

/** Highlights the visible hits. */
export function HitLayer({ state }: { state: PanelState }): ReactNode {
  const tab = useStore(useSession().current);
  const hits = useStore(state.hits);
  const viewport = useVisibleRange();
  if (!viewport || hits.length === 0) return null;
  const seen = hits.filter((hit) => hit.sheet_id === tab && rangeContains(viewport, hit.row, hit.col));
  return seen.slice(0, maxMarked).map((hit) => <HitMark key={`${hit.row}:${hit.col}`} row={hit.row} col={hit.col} />);
}

function HitMark({ row, col }: { row: number; col: number }): ReactNode {
  const place = useMemo(() => ({ range: singleCellRange(row, col) }), [row, col]);
  return (
    <GridOverlay place={place} className="pointer-events-none">
      <div data-hit className="size-full bg-mark/60 mix-blend-multiply dark:mix-blend-screen" />
    </GridOverlay>
  );
}
