import { useMemo, type ReactNode } from 'react';
import { useStore } from '../../ui/store.ts';
import { Floating, useViewport } from '../floating.tsx';
import { cellRange, inRange } from '../geometry.ts';
import { useSession } from '../session.ts';
import type { PanelState } from './state.ts';

const maxMarked = 300;

/** Highlights the visible hits. */
export function HitLayer({ state }: { state: PanelState }): ReactNode {
  const tab = useStore(useSession().current);
  const hits = useStore(state.hits);
  const viewport = useViewport();
  if (!viewport || hits.length === 0) return null;
  const seen = hits.filter((hit) => hit.sheet_id === tab && inRange(viewport, hit.row, hit.col));
  return seen.slice(0, maxMarked).map((hit) => <Mark key={`${hit.row}:${hit.col}`} row={hit.row} col={hit.col} />);
}

function Mark({ row, col }: { row: number; col: number }): ReactNode {
  const place = useMemo(() => ({ range: cellRange(row, col) }), [row, col]);
  return (
    <Floating place={place} className="pointer-events-none">
      <div data-hit className="size-full bg-mark/60 mix-blend-multiply dark:mix-blend-screen" />
    </Floating>
  );
}
