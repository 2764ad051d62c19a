import { Plus, Table2, Trash2 } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { SheafError, queryClient } from '../../../lib/api-client.ts';
import { errorCodes } from '../../../lib/error-codes.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Select } from '../../../ui/form-fields.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/status-placeholders.tsx';
import { useStore } from '../../../ui/store.ts';
import { showErrorToast } from '../../../ui/toast.tsx';
import { GridOverlay } from '../grid-overlay.tsx';
import {
  singleCellRange,
  rangeName,
  parseRange,
  parseSheetRange,
  regionFields,
  type CellRange,
} from '../cell-geometry.ts';
import { useRevisions, useSheet, type SheetSession, type ToolOutput } from '../sheet-session.ts';
import { showUndoToast } from '../undo-toast.ts';
import { TextField, newObjectId } from './panel-inputs.tsx';
import { affectsObjects, refetchTool, useLiveQuery, useDebouncedRefetch } from './live-query.ts';
import { PivotFields } from './pivot-fields.tsx';
import type { DialogProps, PanelProps, PanelState } from './panel-state.ts';
import { readHeadings, detectSelectedTable } from './detect-table.ts';

export type PivotDetail = ToolOutput<'get_pivot_table_detail'>['pivot_table'];

export function PivotDialog({ state, onClose }: DialogProps): ReactNode {
  const { session, text } = useSheet();
  const [where, setWhere] = useState<'new' | 'here'>('new');
  const [anchor, setAnchor] = useState('');
  const table = useQuery({
    queryKey: ['sheet', session.fileId, 'table', session.tab.id, session.selection.get()],
    queryFn: async () => (await detectSelectedTable(session)) ?? null,
    staleTime: 0,
  });
  const place = parseRange(anchor);
  const make = async (range: CellRange): Promise<void> => {
    const id = newObjectId('pivot');
    const source = { pivot_table_id: id, source_sheet_id: session.tab.id, source_range: regionFields(range) };
    if (where === 'new') await session.write('add_pivot_table', { ...source, create_new_sheet: true });
    else
      await session.write('add_pivot_table', {
        ...source,
        anchor_sheet_id: session.tab.id,
        anchor_row: place?.top ?? 0,
        anchor_col: place?.left ?? 0,
      });
    const { pivot_table: made } = await session.read('get_pivot_table_detail', { pivot_table_id: id });
    await session.readTabs();
    session.goTo(made.anchor_sheet_id, singleCellRange(made.anchor_row, made.anchor_col));
    await refetchTool(session, 'get_sheet_object_list');
    state.pivot.set(id);
    session.panel.set('pivotTable');
    onClose();
  };
  const range = table.data?.range;
  return (
    <Dialog title={text('newPivot')} onClose={onClose}>
      {table.isPending ? (
        <SkeletonLines count={2} />
      ) : !range || range.bottom === range.top ? (
        <p className="text-soft">{text('pivotNeedsTable')}</p>
      ) : (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            void make(range).catch(showErrorToast);
          }}
        >
          <p className="text-soft">{text('pivotOf', { range: `${session.tab.name}!${rangeName(range)}` })}</p>
          <fieldset className="flex flex-col gap-2">
            <legend className="sr-only">{text('findWhere')}</legend>
            {(['new', 'here'] as const).map((choice) => (
              <label key={choice} className="flex items-center gap-2">
                <input
                  type="radio"
                  name="where"
                  className="accent-accent"
                  checked={where === choice}
                  onChange={() => setWhere(choice)}
                />{' '}
                {text(choice === 'new' ? 'onNewTab' : 'onThisTab')}
              </label>
            ))}
          </fieldset>
          {where === 'here' && (
            <TextField
              label={text('firstCell')}
              error={anchor !== '' && !place ? text('rangeUnclear') : undefined}
              value={anchor}
              placeholder="F1"
              onChange={setAnchor}
            />
          )}
          <DialogActions action={text('create')} disabled={where === 'here' && !place} onCancel={onClose} />
        </form>
      )}
    </Dialog>
  );
}

/** Shows an outline around each pivot table, with a button that opens its fields. */
export function PivotLayer({ state }: PanelProps): ReactNode {
  const { data } = useLiveQuery('get_sheet_object_list', { object_types: ['pivot_table'] }, () => true);
  return data?.objects.map((one) => (
    <Edge key={one.object_id} id={one.object_id} name={one.name} told={one.display_range} state={state} />
  ));
}

function Edge({ id, name, told, state }: { id: string; name: string; told: string; state: PanelState }): ReactNode {
  const { session, text } = useSheet();
  const place = useMemo(() => {
    const found = parseSheetRange(told);
    return found && { range: found.range };
  }, [told]);
  if (!place) return null;
  return (
    <GridOverlay place={place} className="pointer-events-none">
      <div className="size-full border border-dashed border-accent/60">
        <button
          type="button"
          aria-label={text('editPivot', { name })}
          title={text('editPivot', { name })}
          onPointerDown={(event) => event.stopPropagation()}
          onClick={() => {
            state.pivot.set(id);
            session.panel.set('pivotTable');
          }}
          className={
            'pointer-events-auto absolute top-full right-0 mt-1 flex size-6 items-center justify-center ' +
            'rounded-md border border-line bg-raised text-accent shadow-sm hover:bg-hover'
          }
        >
          <Table2 size={13} />
        </button>
      </div>
    </GridOverlay>
  );
}

export function PivotPanel({ state }: PanelProps): ReactNode {
  const { session, text } = useSheet();
  const chosen = useStore(state.pivot);
  const { data } = useLiveQuery('get_sheet_object_list', { object_types: ['pivot_table'] }, affectsObjects);
  const pivots = data?.objects ?? [];
  const id = chosen ?? pivots[0]?.object_id;
  if (!data) return <SkeletonLines count={3} />;
  return (
    <div className="flex flex-col gap-3">
      {pivots.length > 1 && (
        <Select aria-label={text('pivotTable')} value={id} onChange={(event) => state.pivot.set(event.target.value)}>
          {pivots.map((one) => (
            <option key={one.object_id} value={one.object_id}>
              {one.name}
            </option>
          ))}
        </Select>
      )}
      {id === undefined ? (
        <EmptyState
          icon={<Table2 />}
          title={text('noPivots')}
          actions={
            session.mayWrite && (
              <Button
                variant="primary"
                onClick={() => state.dialog.set(<PivotDialog state={state} onClose={state.closeDialog} />)}
              >
                <Plus size={15} /> {text('newPivot')}
              </Button>
            )
          }
        >
          {text('noPivotsHint')}
        </EmptyState>
      ) : (
        <EditPivot key={id} id={id} state={state} />
      )}
    </div>
  );
}

interface Read {
  readonly detail: PivotDetail;
  readonly names: string[];
  /** Sorted distinct values of each field with a filter, by the field's zero-based column in the source range. */
  readonly choices: ReadonlyMap<number, readonly string[]>;
}

function rangeOf({ source_data_range: source }: PivotDetail): CellRange {
  return {
    top: source.start_row_index,
    left: source.start_col_index,
    bottom: source.end_row_index,
    right: source.end_col_index,
  };
}

async function readDetail(session: SheetSession, id: string): Promise<Read> {
  const { pivot_table: detail } = await session.read('get_pivot_table_detail', { pivot_table_id: id });
  const range = rangeOf(detail);
  const names = await readHeadings(session, detail.source_sheet_id, range);
  const choices = await Promise.all(
    detail.filters.map(
      async ({ source_data_column: field }) =>
        [field, await distinct(session, detail.source_sheet_id, { ...range, left: range.left + field })] as const,
    ),
  );
  return {
    detail,
    names: names.map((name, index) => (name === '' ? `#${index + 1}` : name)),
    choices: new Map(choices),
  };
}

const maxRows = 20_000;

/**
 * Returns the sorted distinct texts in the first column of a range, as choices for a pivot table's filter. The heading
 * in the first row is excluded, and at most `maxRows` rows are read.
 */
async function distinct(session: SheetSession, tab: string, range: CellRange): Promise<string[]> {
  const first = range.top + 1;
  const last = Math.min(range.bottom, range.top + maxRows);
  if (last < first) return [];
  const { cells } = await session.read('get_view', {
    sheet_id: tab,
    start_row: first,
    end_row: last,
    start_col: range.left,
    end_col: range.left,
  });
  const texts = new Set(cells.map((cell) => cell[2]));
  if (cells.length < last - first + 1) texts.add('');
  return [...texts].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
}

function EditPivot({ id, state }: { id: string; state: PanelState }): ReactNode {
  const { session, text } = useSheet();
  const queryKey = ['sheet', session.fileId, 'pivot', id];
  const pivot = useQuery({ queryKey, queryFn: () => readDetail(session, id), staleTime: 0 });
  const readSoon = useDebouncedRefetch(queryKey);
  useRevisions((revision) => {
    if (affectsObjects(revision)) readSoon();
  });
  const isGone = pivot.error instanceof SheafError && pivot.error.code === errorCodes.sheet.no_such_object;
  useEffect(() => {
    if (isGone) state.pivot.set(undefined);
  }, [isGone, state]);
  if (pivot.error) return <ErrorState error={pivot.error} />;
  if (!pivot.data) return <SkeletonLines count={5} className="h-8" />;
  const { detail, names, choices } = pivot.data;
  const range = rangeOf(detail);
  const remove = async (): Promise<void> => {
    const on = { sheet_id: detail.anchor_sheet_id, pivot_table_id: id };
    const { version } = await session.writeVersion('remove_pivot_table', on);
    state.pivot.set(undefined);
    await refetchTool(session, 'get_sheet_object_list');
    showUndoToast(session, text, text('pivotRemoved'), version);
  };
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-2">
        <button
          type="button"
          className="min-w-0 truncate rounded text-left text-sm text-soft hover:underline"
          onClick={() => session.goTo(detail.source_sheet_id, range)}
        >
          {detail.pivot_table_name} · {session.tabs.get().find((one) => one.id === detail.source_sheet_id)?.name}!
          {rangeName(range)}
        </button>
        {session.mayWrite && (
          <IconButton
            label={text('removePivot')}
            className="ml-auto"
            onClick={() => void remove().catch(showErrorToast)}
          >
            <Trash2 size={15} />
          </IconButton>
        )}
      </div>
      <PivotFields
        detail={detail}
        names={names}
        choices={choices}
        onChange={async (next) => {
          try {
            await session.write('update_pivot_table', {
              sheet_id: detail.anchor_sheet_id,
              pivot_table_id: id,
              ...next,
            });
            await Promise.all([
              queryClient.invalidateQueries({ queryKey }),
              refetchTool(session, 'get_sheet_object_list'),
            ]);
          } catch (error) {
            showErrorToast(error);
            await queryClient.invalidateQueries({ queryKey });
          }
        }}
      />
    </div>
  );
}
