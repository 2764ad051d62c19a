import { Settings2, Trash2 } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { useTranslation, type Translate } from '../../../i18n/use-translation.ts';
import { IconButton } from '../../../ui/button.tsx';
import { useStore } from '../../../ui/store.ts';
import { showErrorToast } from '../../../ui/toast.tsx';
import { anyRevision, affectsObjects, refetchTool, useLiveQuery } from '../panels/live-query.ts';
import type { PanelState } from '../panels/panel-state.ts';
import { useSession, type SheetSession, type ToolOutput } from '../sheet-session.ts';
import { ChartView } from './chart-view.tsx';
import type { Drawing } from './render-chart.ts';
import { DrawingFrame } from './drawing-frame.tsx';
import { toAnchor, toLocation } from './drawing-anchor.ts';

export type Chart = ToolOutput<'get_charts'>['charts'][number];

/** Renders the sub-sheet's charts over the grid. */
export function ChartLayer({ state }: { state: PanelState }): ReactNode {
  const { data } = useLiveQuery('get_charts', {}, affectsObjects);
  return data?.charts.map((chart) => <OneChart key={chart.drawing_id} chart={chart} state={state} />);
}

export async function deleteChart(session: SheetSession, id: string): Promise<void> {
  await session.write('delete_chart', { sheet_id: session.tab.id, drawing_id: id });
  // The focused chart is gone, so move the focus to the cells, where keys such as undo work.
  session.focusCells();
  await refetchTool(session, 'get_charts');
}

function chartName(chart: Chart, text: Translate): string {
  return chart.title === '' ? text('chart') : chart.title;
}

function OneChart({ chart, state }: { chart: Chart; state: PanelState }): ReactNode {
  const text = useTranslation();
  const session = useSession();
  const selected = useStore(state.chart) === chart.drawing_id;
  const { data } = useLiveQuery('render_chart', { drawing_id: chart.drawing_id, format: 'data' }, anyRevision);
  const drawing = useMemo(() => (data ? (JSON.parse(data.content) as Drawing) : undefined), [data]);
  const told = JSON.stringify(chart.location);
  const place = useMemo(() => toAnchor(JSON.parse(told) as Chart['location']), [told]);
  const open = (): void => {
    state.chart.set(chart.drawing_id);
    session.panel.set('chart');
  };
  const remove = (): void => void deleteChart(session, chart.drawing_id).catch(showErrorToast);
  return (
    <DrawingFrame
      label={text('chartNamed', { name: chartName(chart, text) })}
      place={place}
      selected={selected}
      mayWrite={session.mayWrite}
      onSelect={() => state.chart.set(chart.drawing_id)}
      onOpen={open}
      onDelete={remove}
      onMove={async (next) => {
        try {
          await session.write('update_chart', {
            sheet_id: session.tab.id,
            drawing_id: chart.drawing_id,
            location: toLocation(next),
          });
          await refetchTool(session, 'get_charts');
        } catch (error) {
          showErrorToast(error);
        }
      }}
    >
      <div className="size-full overflow-hidden rounded-md border border-line bg-raised shadow-sm">
        {drawing && <ChartView drawing={drawing} />}
      </div>
      {selected && (
        <div
          className="absolute top-1 right-1 flex rounded-lg border border-line bg-raised shadow-sm"
          onPointerDown={(event) => event.stopPropagation()}
        >
          {session.panels.get().some(({ name }) => name === 'chart') && (
            <IconButton label={text('editChart')} onClick={open}>
              <Settings2 size={15} />
            </IconButton>
          )}
          {session.mayWrite && (
            <IconButton label={text('deleteChart')} onClick={remove}>
              <Trash2 size={15} />
            </IconButton>
          )}
        </div>
      )}
    </DrawingFrame>
  );
}
