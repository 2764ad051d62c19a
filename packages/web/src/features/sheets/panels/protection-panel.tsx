import { Lock, LockOpen } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { useStore } from '../../../ui/store.ts';
import { GridOverlay } from '../grid-overlay.tsx';
import { rangeName, type CellRange } from '../cell-geometry.ts';
import { useSheet, type SheetSession, type ToolOutput } from '../sheet-session.ts';
import { affectsObjects, refetchTool, useLiveQuery } from './live-query.ts';
import { ObjectListPanel } from './object-list-panel.tsx';

type Protection = ToolOutput<'get_protect_ranges'>['ranges'][number];

/**
 * Converts a protected range to a CellRange. The protection tools use exclusive end indexes, CellRange uses inclusive
 * ones.
 */
function rangeOf({ range }: Protection): CellRange {
  return { top: range.start_row, left: range.start_col, bottom: range.end_row - 1, right: range.end_col - 1 };
}

function exclusive(range: CellRange): Protection['range'] {
  return { start_row: range.top, start_col: range.left, end_row: range.bottom + 1, end_col: range.right + 1 };
}

export async function protectSelection(session: SheetSession): Promise<void> {
  await session.write('add_protect_range', {
    sheet_id: session.tab.id,
    range: exclusive(session.selection.get().range),
  });
  await refetchTool(session, 'get_protect_ranges');
}

export function ProtectionLayer(): ReactNode {
  const { data } = useLiveQuery('get_protect_ranges', {}, affectsObjects);
  return data?.ranges.map((one) => <Shade key={one.protect_range_id} told={JSON.stringify(rangeOf(one))} />);
}

function Shade({ told }: { told: string }): ReactNode {
  const text = useTranslation();
  const range = useMemo(() => JSON.parse(told) as CellRange, [told]);
  const place = useMemo(() => ({ range }), [range]);
  return (
    <GridOverlay place={place} className="pointer-events-none">
      <div
        role="img"
        aria-label={text('protectedRange', { range: rangeName(range) })}
        className="protected-cells size-full"
      >
        <span className="absolute -top-1 -right-1.5 flex size-4 items-center justify-center rounded-full border border-line bg-paper text-soft">
          <Lock size={9} />
        </span>
      </div>
    </GridOverlay>
  );
}

export function ProtectionPanel(): ReactNode {
  const { session, text } = useSheet();
  const { range: selected } = useStore(session.selection);
  const tab = useStore(session.current);
  return (
    <ObjectListPanel
      query={useLiveQuery('get_protect_ranges', {}, affectsObjects)}
      tool="get_protect_ranges"
      items={({ ranges }) => ranges}
      label={text('protectedRanges')}
      hint={text('protectionHint')}
      empty={{ icon: <LockOpen />, title: text('nothingProtected') }}
      add={text('protectRange', { range: rangeName(selected) })}
      onAdd={(run) => run(protectSelection(session))}
      extra={(run) =>
        session.mayWrite && (
          <Button
            className="self-start"
            onClick={() => run(session.write('add_protect_range', { sheet_id: tab, whole_sheet: true }))}
          >
            {text('protectSheet')}
          </Button>
        )
      }
      row={(one, { run }) => {
        const range = rangeOf(one);
        const { protect_range_id } = one;
        return (
          <li key={protect_range_id} className="flex items-center gap-2 px-3 py-2">
            <Lock size={15} className="shrink-0 text-faint" />
            <button
              type="button"
              className="min-w-0 flex-1 truncate rounded text-left font-mono text-sm hover:underline"
              onClick={() => session.goTo(tab, range)}
            >
              {rangeName(range)}
            </button>
            {session.mayWrite && (
              <>
                <Button
                  variant="quiet"
                  className="h-8 text-sm"
                  title={text('protectInstead', { range: rangeName(selected) })}
                  onClick={() =>
                    run(session.write('update_protect_range', { protect_range_id, range: exclusive(selected) }))
                  }
                >
                  {text('useSelection')}
                </Button>
                <IconButton
                  label={text('unprotect', { range: rangeName(range) })}
                  onClick={() => run(session.write('delete_protect_range', { protect_range_id }))}
                >
                  <LockOpen size={15} />
                </IconButton>
              </>
            )}
          </li>
        );
      }}
    />
  );
}
