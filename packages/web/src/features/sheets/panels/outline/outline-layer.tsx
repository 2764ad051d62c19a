import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { queryClient } from '../../../../lib/api-client.ts';
import { useStore } from '../../../../ui/store.ts';
import { showErrorToast } from '../../../../ui/toast.tsx';
import { columnName, type CellRange } from '../../cell-geometry.ts';
import { spanOf, type AxisName } from '../../multi-range.ts';
import { useSession, useSheet, type GridView, type SheetSession, type ToolOutput } from '../../sheet-session.ts';
import { affectsObjects, liveQueryKey, refetchTool, useLiveQuery } from '../live-query.ts';
import { depthAt, nestGroups, type OutlineGroup } from './outline-groups.ts';

type Outline = Readonly<Record<AxisName, readonly OutlineGroup[]>>;
type ListedObjects = ToolOutput<'list_objects'>;

type Run = readonly [first: number, last: number, depth: number];

interface OutlineRuns {
  readonly rows: readonly Run[];
  readonly cols: readonly Run[];
}

const toGroup = ([first, last, depth]: Run): OutlineGroup => ({ first, last, depth });

const maxDepth = 7;
const maxShown = 200;
const outlineInput = { object_types: ['sheet' as const] };

function outlineOf(data: ListedObjects | undefined): Outline {
  const { rows = [], cols = [] } = (data?.sheets?.[0]?.outline ?? {}) as Partial<OutlineRuns>;
  return { row: rows.map(toGroup), col: cols.map(toGroup) };
}

/**
 * Shows the collapsible groups of rows and columns (the outline) in the headings. Each group has a button that
 * collapses or expands it.
 */
export function OutlineLayer(): ReactNode {
  const session = useSession();
  const view = useStore(session.grid);
  const { data } = useLiveQuery('list_objects', outlineInput, affectsObjects);
  if (!view) return null;
  const outline = outlineOf(data);
  return (['row', 'col'] as const).flatMap((axis) =>
    nestGroups(outline[axis])
      .slice(0, maxShown)
      .map((group) => <Bracket key={`${axis} ${group.depth} ${group.first}`} view={view} axis={axis} group={group} />),
  );
}

/**
 * Groups (`by` 1) or ungroups (`by` -1) the selected columns if whole columns are selected, otherwise the selected
 * rows. This changes their depth in the outline of nested groups by one.
 */
export async function shiftDepth(session: SheetSession, by: 1 | -1): Promise<void> {
  const { range } = session.selection.get();
  const { tab } = session;
  const known = queryClient.getQueryData<ListedObjects>(liveQueryKey(session, 'list_objects', tab.id, outlineInput));
  const outline = outlineOf(known);
  const axis: AxisName = range.top === 0 && range.bottom >= tab.rows - 1 ? 'col' : 'row';
  const [first, last] = spanOf(range, axis);
  const depth = Math.min(maxDepth, Math.max(0, depthAt(outline[axis], first) + by));
  await session.write('set_dimension_visible', {
    sheet_id: tab.id,
    dimension_type: axis,
    index: first,
    count: Math.min(last, tab[`${axis}s`] - 1) - first + 1,
    outline_level: depth,
    // When ungrouping, also show the rows or columns. If they were collapsed and belonged to no other group, no button
    // would remain to show them again.
    ...(by < 0 ? { visible: true } : {}),
  });
  await refetchTool(session, 'list_objects');
}

/**
 * A line in the headings beside a collapsible group of rows or columns, with a button at its end that collapses or
 * expands the group.
 */
function Bracket({ view, axis, group }: { view: GridView; axis: AxisName; group: OutlineGroup }): ReactNode {
  const { session, text } = useSheet();
  const clip = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const [isFolded, setFolded] = useState(false);
  const { first, last, depth } = group;
  useLayoutEffect(() => {
    const place = (): void => {
      const isRow = axis === 'row';
      const lines = (from: number, to: number): CellRange =>
        isRow ? { top: from, bottom: to, left: 0, right: 0 } : { top: 0, bottom: 0, left: from, right: to };
      const inside = view.rectOf(lines(first, last));
      const after = view.rectOf(lines(last + 1, last + 1));
      const pane = view.paneRect(view.paneOf(isRow ? { row: first, col: 0 } : { row: 0, col: first }));
      const corner = view.paneRect('corner');
      const strip = clip.current!.style;
      const bar = line.current!.style;
      if (isRow) {
        strip.transform = `translate(0, ${pane.y}px)`;
        strip.width = `${corner.x}px`;
        strip.height = `${pane.height}px`;
        bar.transform = `translate(${(depth - 1) * 5}px, ${inside.y - pane.y}px)`;
        bar.height = `${Math.max(0, after.y - inside.y) + 16}px`;
      } else {
        strip.transform = `translate(${pane.x}px, 0)`;
        strip.width = `${pane.width}px`;
        strip.height = `${corner.y}px`;
        bar.transform = `translate(${inside.x - pane.x}px, ${(depth - 1) * 4}px)`;
        bar.width = `${Math.max(0, after.x - inside.x) + 16}px`;
      }
      setFolded((isRow ? inside.height : inside.width) === 0);
      // If an outer group is collapsed, the row or column after this group has size 0. The line and button of this
      // group are then hidden.
      clip.current!.hidden = (isRow ? after.height : after.width) === 0;
    };
    place();
    return view.subscribe(place);
  }, [view, axis, first, last, depth]);
  const names = axis === 'row' ? `${first + 1}–${last + 1}` : `${columnName(first)}–${columnName(last)}`;
  const fold = (): void =>
    void session
      .write('set_dimension_visible', {
        sheet_id: session.tab.id,
        dimension_type: axis,
        index: first,
        count: last - first + 1,
        visible: isFolded,
      })
      .catch(showErrorToast);
  return (
    <div ref={clip} className="pointer-events-none absolute top-0 left-0 z-[5] overflow-clip">
      <div ref={line} className={`absolute top-0 left-0 flex ${axis === 'row' ? 'w-4 flex-col' : 'h-4'}`}>
        <span
          aria-hidden
          className={`flex-1 border-accent ${axis === 'row' ? 'ml-0.5 border-l-2' : 'mt-0.5 border-t-2'}`}
        />
        <button
          type="button"
          aria-label={text(isFolded ? 'unfold' : 'fold', { names })}
          aria-expanded={!isFolded}
          disabled={!session.mayWrite}
          className="pointer-events-auto size-4 shrink-0 rounded-sm border border-strong-line bg-raised text-xs leading-none text-ink hover:bg-hover"
          onClick={fold}
        >
          {isFolded ? '+' : '−'}
        </button>
      </div>
    </div>
  );
}
