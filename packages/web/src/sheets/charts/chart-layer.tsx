import { Settings2, Trash2 } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { useText, type Text } from '../../text/use-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { useStore } from '../../ui/store.ts';
import { sayError } from '../../ui/toast.tsx';
import { anyRevision, movesObjects, readAgain, useLive } from '../panels/live.ts';
import type { PanelState } from '../panels/state.ts';
import { useSession, type SheetSession, type ToolOutput } from '../session.ts';
import { ChartView } from './chart-view.tsx';
import type { Drawing } from './draw.ts';
import { ObjectFrame } from './object-frame.tsx';
import { anchorOf, locationOf } from './place-at.ts';

export type Chart = ToolOutput<'get_charts'>['charts'][number];

/** Renders the sub-sheet's charts over the grid. */
export function ChartLayer({ state }: { state: PanelState }): ReactNode {
  const { data } = useLive('get_charts', {}, movesObjects);
  return data?.charts.map((chart) => <OneChart key={chart.drawing_id} chart={chart} state={state} />);
}

export async function deleteChart(session: SheetSession, id: string): Promise<void> {
  await session.write('delete_chart', { sheet_id: session.tab.id, drawing_id: id });
  // The focused chart is gone, so move the focus to the cells, where keys such as undo work.
  session.focusCells();
  await readAgain(session, 'get_charts');
}

function chartName(chart: Chart, text: Text): string {
  return chart.title === '' ? text('chart') : chart.title;
}

function OneChart({ chart, state }: { chart: Chart; state: PanelState }): ReactNode {
  const text = useText();
  const session = useSession();
  const selected = useStore(state.chart) === chart.drawing_id;
  const { data } = useLive('render_chart', { drawing_id: chart.drawing_id, format: 'data' }, anyRevision);
  const drawing = useMemo(() => (data ? (JSON.parse(data.content) as Drawing) : undefined), [data]);
  const told = JSON.stringify(chart.location);
  const place = useMemo(() => anchorOf(JSON.parse(told) as Chart['location']), [told]);
  const open = (): void => {
    state.chart.set(chart.drawing_id);
    session.panel.set('chart');
  };
  const remove = (): void => void deleteChart(session, chart.drawing_id).catch(sayError);
  return (
    <ObjectFrame
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
            location: locationOf(next),
          });
          await readAgain(session, 'get_charts');
        } catch (error) {
          sayError(error);
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
    </ObjectFrame>
  );
}
