import { Lock, LockOpen, Plus } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { useText } from '../../text/use-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Empty, Failed, Lines } from '../../ui/states.tsx';
import { useStore } from '../../ui/store.ts';
import { sayError } from '../../ui/toast.tsx';
import { Floating } from '../floating.tsx';
import { rangeName, type CellRange } from '../geometry.ts';
import { useSession, type SheetSession, type ToolOutput } from '../session.ts';
import { movesObjects, readAgain, useLive } from './live.ts';

type Protection = ToolOutput<'get_protect_ranges'>['ranges'][number];

/** The protection tools use exclusive ends, unlike CellRange. */
function rangeOf({ range }: Protection): CellRange {
  return { top: range.start_row, left: range.start_col, bottom: range.end_row - 1, right: range.end_col - 1 };
}

function exclusive(range: CellRange): Protection['range'] {
  return { start_row: range.top, start_col: range.left, end_row: range.bottom + 1, end_col: range.right + 1 };
}

export async function protectSelected(session: SheetSession): Promise<void> {
  await session.write('add_protect_range', {
    sheet_id: session.tab.id,
    range: exclusive(session.selection.get().range),
  });
  await readAgain(session, 'get_protect_ranges');
}

/** Shades protected ranges and marks them with a lock icon. */
export function ProtectionLayer(): ReactNode {
  const { data } = useLive('get_protect_ranges', {}, movesObjects);
  return data?.ranges.map((one) => <Shade key={one.protect_range_id} told={JSON.stringify(rangeOf(one))} />);
}

function Shade({ told }: { told: string }): ReactNode {
  const text = useText();
  const range = useMemo(() => JSON.parse(told) as CellRange, [told]);
  const place = useMemo(() => ({ range }), [range]);
  return (
    <Floating place={place} className="pointer-events-none">
      <div
        role="img"
        aria-label={text('protectedRange', { range: rangeName(range) })}
        className="protected-cells size-full"
      >
        <span className="absolute -top-1 -right-1.5 flex size-4 items-center justify-center rounded-full border border-line bg-paper text-soft">
          <Lock size={9} />
        </span>
      </div>
    </Floating>
  );
}

export function ProtectionPanel(): ReactNode {
  const text = useText();
  const session = useSession();
  const { data, error } = useLive('get_protect_ranges', {}, movesObjects);
  const { range: selected } = useStore(session.selection);
  const tab = useStore(session.current);
  const run = (work: Promise<unknown>): void =>
    void work.then(() => readAgain(session, 'get_protect_ranges')).catch(sayError);
  if (error) return <Failed error={error} />;
  if (!data) return <Lines count={3} />;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">{text('protectionHint')}</p>
      {session.mayWrite && (
        <div className="flex flex-wrap gap-2">
          <Button look="primary" onClick={() => run(protectSelected(session))}>
            <Plus size={15} /> {text('protectRange', { range: rangeName(selected) })}
          </Button>
          <Button onClick={() => run(session.write('add_protect_range', { sheet_id: tab, whole_sheet: true }))}>
            {text('protectSheet')}
          </Button>
        </div>
      )}
      {data.ranges.length === 0 ? (
        <Empty icon={<LockOpen />} title={text('nothingProtected')} />
      ) : (
        <ul
          aria-label={text('protectedRanges')}
          className="divide-y divide-line rounded-xl border border-line bg-raised"
        >
          {data.ranges.map((one) => {
            const range = rangeOf(one);
            return (
              <li key={one.protect_range_id} className="flex items-center gap-2 px-3 py-2">
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
                      look="quiet"
                      className="h-8 text-sm"
                      title={text('protectInstead', { range: rangeName(selected) })}
                      onClick={() =>
                        run(
                          session.write('update_protect_range', {
                            protect_range_id: one.protect_range_id,
                            range: exclusive(selected),
                          }),
                        )
                      }
                    >
                      {text('useSelection')}
                    </Button>
                    <IconButton
                      label={text('unprotect', { range: rangeName(range) })}
                      onClick={() =>
                        run(session.write('delete_protect_range', { protect_range_id: one.protect_range_id }))
                      }
                    >
                      <LockOpen size={15} />
                    </IconButton>
                  </>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
