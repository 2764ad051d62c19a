import { Group as GroupIcon, Ungroup } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from '../../../../i18n/use-translation.ts';
import { useStore } from '../../../../ui/store.ts';
import { showErrorToast } from '../../../../ui/toast.tsx';
import { columnName, type CellRange } from '../../cell-geometry.ts';
import { useSession, type GridView, type SheetSession } from '../../sheet-session.ts';
import { affectsScope } from '../../revision.ts';
import { refetchTool, useLiveQuery } from '../live-query.ts';
import { depthAt, nestGroups, type OutlineGroup } from './outline-groups.ts';

type Axis = 'row' | 'col';
type Outline = Readonly<Record<Axis, readonly OutlineGroup[]>>;

type Run = readonly [first: number, last: number, depth: number];

/** The outline as list_objects returns it. */
interface OutlineRuns {
  readonly rows: readonly Run[];
  readonly cols: readonly Run[];
}

const toGroup = ([first, last, depth]: Run): OutlineGroup => ({ first, last, depth });

const maxDepth = 7;
/** Maximum number of groups drawn near the visible area. */
const maxShown = 200;
const none: Outline = { row: [], col: [] };

/** Draws the outline groups next to the headings, each with a button that collapses it. */
export function OutlineLayer(): ReactNode {
  const session = useSession();
  const view = useStore(session.grid);
  const { data } = useLiveQuery('list_objects', { object_types: ['sheet'] }, (revision) =>
    affectsScope(revision, 'layout', 'sheets', 'objects'),
  );
  const told = data?.sheets?.[0]?.outline as OutlineRuns | undefined;
  const outline: Outline = told ? { row: told.rows.map(toGroup), col: told.cols.map(toGroup) } : none;
  useGroupTools(outline);
  if (!view) return null;
  return (['row', 'col'] as const).flatMap((axis) =>
    nestGroups(outline[axis])
      .slice(0, maxShown)
      .map((group) => <Bracket key={`${axis} ${group.depth} ${group.first}`} view={view} axis={axis} group={group} />),
  );
}

/** Adds group and ungroup to the data menu and as shortcuts. */
function useGroupTools(outline: Outline): void {
  const text = useTranslation();
  const session = useSession();
  const latest = useRef(outline);
  latest.current = outline;
  const { role } = useStore(session.info);
  useEffect(() => {
    const change = (by: 1 | -1) => (): void => void shiftDepth(session, latest.current, by).catch(showErrorToast);
    const stops = [
      session.toolbar.add({
        id: 'group',
        label: text('groupLines'),
        icon: <GroupIcon size={16} />,
        run: change(1),
        disabled: role === 'viewer',
        menu: 'data',
      }),
      session.toolbar.add({
        id: 'ungroup',
        label: text('ungroupLines'),
        icon: <Ungroup size={16} />,
        run: change(-1),
        disabled: role === 'viewer',
        menu: 'data',
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }, [session, text, role]);
}

/** Changes the depth of the selected columns if whole columns are selected, else of the selected rows. */
async function shiftDepth(session: SheetSession, outline: Outline, by: 1 | -1): Promise<void> {
  const { range } = session.selection.get();
  const { tab } = session;
  const axis: Axis = range.top === 0 && range.bottom >= tab.rows - 1 ? 'col' : 'row';
  const [first, last] = axis === 'row' ? [range.top, range.bottom] : [range.left, range.right];
  const depth = Math.min(maxDepth, Math.max(0, depthAt(outline[axis], first) + by));
  await session.write('set_dimension_visible', {
    sheet_id: tab.id,
    dimension_type: axis,
    index: first,
    count: Math.min(last, (axis === 'row' ? tab.rows : tab.cols) - 1) - first + 1,
    outline_level: depth,
    // Ungrouping must not leave rows hidden.
    ...(by < 0 ? { visible: true } : {}),
  });
  await refetchTool(session, 'list_objects');
}

/** A line along the group with a button after it, in the heading area. */
function Bracket({ view, axis, group }: { view: GridView; axis: Axis; group: OutlineGroup }): ReactNode {
  const text = useTranslation();
  const session = useSession();
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
      // Hidden if an outer group is collapsed.
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
