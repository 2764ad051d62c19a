import { Settings2 } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import type { Translate } from '../../../i18n/use-translation.ts';
import { IconButton } from '../../../ui/button.tsx';
import { useStore } from '../../../ui/store.ts';
import { anyRevision, affectsObjects, refetchTool, useLiveQuery } from '../panels/live-query.ts';
import type { PanelState } from '../panels/panel-state.ts';
import { useSheet, type SheetSession, type ToolOutput } from '../sheet-session.ts';
import { ChartView } from './chart-view.tsx';
import type { Drawing } from './render-chart.ts';
import { DrawingFrame } from './drawing-frame.tsx';

export type Chart = ToolOutput<'get_charts'>['charts'][number];

export function ChartLayer({ state }: { state: PanelState }): ReactNode {
  const { data } = useLiveQuery('get_charts', {}, affectsObjects);
  return data?.charts.map((chart) => <OneChart key={chart.drawing_id} chart={chart} state={state} />);
}

export async function deleteChart(session: SheetSession, id: string): Promise<void> {
  await session.write('delete_chart', { sheet_id: session.tab.id, drawing_id: id });
  // The deleted chart had the focus. Move the focus to the cells, where shortcuts such as undo work.
  session.focusCells();
  await refetchTool(session, 'get_charts');
}

function chartName(chart: Chart, text: Translate): string {
  return chart.title === '' ? text('chart') : chart.title;
}

function OneChart({ chart, state }: { chart: Chart; state: PanelState }): ReactNode {
  const { session, text } = useSheet();
  const selected = useStore(state.chart) === chart.drawing_id;
  const { data } = useLiveQuery('render_chart', { drawing_id: chart.drawing_id, format: 'data' }, anyRevision);
  const drawing = useMemo(() => (data ? (JSON.parse(data.content) as Drawing) : undefined), [data]);
  const { drawing_id } = chart;
  const open = (): void => {
    state.chart.set(drawing_id);
    session.panel.set('chart');
  };
  return (
    <DrawingFrame
      label={text('chartNamed', { name: chartName(chart, text) })}
      location={chart.location}
      selected={selected}
      onSelect={() => state.chart.set(drawing_id)}
      onOpen={open}
      onDelete={() => deleteChart(session, drawing_id)}
      onMove={async (location) => {
        await session.write('update_chart', { sheet_id: session.tab.id, drawing_id, location });
        await refetchTool(session, 'get_charts');
      }}
      buttons={
        session.panels.get().some(({ name }) => name === 'chart') && (
          <IconButton label={text('editChart')} onClick={open}>
            <Settings2 size={15} />
          </IconButton>
        )
      }
      deleteLabel={text('deleteChart')}
    >
      <div className="size-full overflow-hidden rounded-md border border-line bg-raised shadow-sm">
        {drawing && <ChartView drawing={drawing} />}
      </div>
    </DrawingFrame>
  );
}
