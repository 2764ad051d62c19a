import { Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ResolvedOptions } from '@sheaf/charts/chart-options';
import type { ChartType } from '@sheaf/charts/chart-types';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, TextArea } from '../../../ui/form-fields.tsx';
import { useStore } from '../../../ui/store.ts';
import { showToast, showErrorToast } from '../../../ui/toast.tsx';
import { rangeOfRegion, regionFields } from '../cell-geometry.ts';
import {
  CommitTextInput,
  CollapsibleSection,
  LabeledSelect,
  LiveCheckbox,
  RangeField,
  newObjectId,
} from '../panels/panel-inputs.tsx';
import { affectsObjects, refetchTool, useLiveQuery } from '../panels/live-query.ts';
import type { PanelState } from '../panels/panel-state.ts';
import { detectSelectedTable } from '../panels/detect-table.ts';
import { useSheet, type ToolInput } from '../sheet-session.ts';
import { AxisFields, SeriesFields } from './chart-fields.tsx';
import { freeChartPlace, showDrawing } from './chart-placement.ts';
import { deleteChart, type Chart } from './chart-layer.tsx';
import { ChartPreview, chartKinds } from './chart-kinds.tsx';

export type ChartChange = Omit<ToolInput<'update_chart'>, 'sheet_id' | 'drawing_id'>;

/**
 * Shows the form of the selected chart or, if no chart is selected, a form that creates a chart of the selected
 * cells.
 */
export function ChartPanel({ state }: { state: PanelState }): ReactNode {
  const { data } = useLiveQuery('get_charts', {}, affectsObjects);
  const chosen = useStore(state.chart);
  const chart = data?.charts.find(({ drawing_id: id }) => id === chosen);
  return chart ? <EditChart key={chart.drawing_id} chart={chart} state={state} /> : <NewChart state={state} />;
}

function Gallery({
  chosen,
  onChoose,
  disabled,
}: {
  chosen?: string;
  onChoose: (type: ChartType) => void;
  disabled?: boolean;
}): ReactNode {
  const text = useTranslation();
  return (
    <div role="group" aria-label={text('chartType')} className="grid grid-cols-3 gap-1.5">
      {chartKinds.map((kind) => (
        <button
          key={kind.type}
          type="button"
          disabled={disabled}
          aria-pressed={kind.type === chosen}
          onClick={() => onChoose(kind.type)}
          className={
            'flex flex-col items-center gap-1 rounded-lg border border-line bg-raised px-1 py-2 text-center ' +
            'text-xs leading-tight text-soft transition-colors hover:border-strong-line hover:bg-hover ' +
            'aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-ink disabled:opacity-50'
          }
        >
          <ChartPreview kind={kind} />
          {text(kind.label)}
        </button>
      ))}
    </div>
  );
}

function NewChart({ state }: { state: PanelState }): ReactNode {
  const { session, text } = useSheet();
  const [busy, setBusy] = useState(false);
  const add = async (type: ChartType): Promise<void> => {
    setBusy(true);
    try {
      const table = await detectSelectedTable(session);
      if (!table) {
        showToast(text('chartNeedsData'));
        return;
      }
      const id = newObjectId('chart');
      const { charts } = await session.read('get_charts', { sheet_id: session.tab.id });
      const location = await freeChartPlace(
        session,
        table.range,
        charts.map((one) => one.location),
      );
      await session.write('add_chart', {
        sheet_id: session.tab.id,
        chart_type: type,
        data_range: regionFields(table.range),
        drawing_id: id,
        ...(location && { location }),
      });
      await refetchTool(session, 'get_charts');
      if (location) showDrawing(session, location);
      state.chart.set(id);
    } catch (error) {
      showErrorToast(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">{text('newChartHint')}</p>
      <Gallery disabled={busy || !session.mayWrite} onChoose={(type) => void add(type)} />
    </div>
  );
}

function EditChart({ chart, state }: { chart: Chart; state: PanelState }): ReactNode {
  const { session, text } = useSheet();
  const options = JSON.parse(chart.options_json) as ResolvedOptions;
  const change = (given: ChartChange): void => {
    session
      .write('update_chart', { sheet_id: session.tab.id, drawing_id: chart.drawing_id, ...given })
      .then(() => refetchTool(session, 'get_charts'))
      .catch(showErrorToast);
  };
  const set = (given: object): void => change({ options_json: JSON.stringify(given) });
  const off = !session.mayWrite;
  const { data } = useLiveQuery('render_chart', { drawing_id: chart.drawing_id, format: 'data' }, affectsObjects);
  const read = data
    ? (JSON.parse(data.content) as { data: { columnSeries: boolean; headerRow: boolean; categoryColumn: boolean } })
        .data
    : undefined;
  return (
    <fieldset disabled={off} className="flex min-w-0 flex-col gap-4">
      <CommitTextInput
        label={text('title')}
        value={chart.title}
        onCommit={(title) => change({ title, options_json: JSON.stringify({ title: { visible: title !== '' } }) })}
      />
      <CollapsibleSection title={text('chartType')} open>
        <Gallery chosen={chart.chart_type} onChoose={(type) => change({ chart_type: type })} />
      </CollapsibleSection>
      <CollapsibleSection title={text('chartData')} open>
        <RangeField
          label={text('dataRange')}
          range={chart.data_range && rangeOfRegion(chart.data_range)}
          onCommit={(range) => change({ data_range: regionFields(range) })}
        />
        <LabeledSelect
          label={text('seriesIn')}
          value={read?.columnSeries === false ? 'rows' : 'columns'}
          words={{ columns: 'columns', rows: 'rows' }}
          onChange={(way) => change({ bool_options: { use_column_as_series: { value: way === 'columns' } } })}
        />
        <LiveCheckbox
          label={text('firstRowHeader')}
          checked={read?.headerRow ?? false}
          onChange={(on) => change({ bool_options: { first_row_as_header: { value: on } } })}
        />
        <LiveCheckbox
          label={text('firstColumnCategory')}
          checked={read?.categoryColumn ?? false}
          onChange={(on) => change({ bool_options: { first_column_as_category: { value: on } } })}
        />
      </CollapsibleSection>
      <CollapsibleSection title={text('seriesTitle')}>
        <SeriesFields series={options.series} type={chart.chart_type} set={set} />
      </CollapsibleSection>
      <CollapsibleSection title={text('legend')}>
        <LiveCheckbox
          label={text('showLegend')}
          checked={options.legend.visible}
          onChange={(on) => set({ legend: { visible: on } })}
        />
        <LabeledSelect
          label={text('position')}
          value={options.legend.position}
          words={{ top: 'side_top', bottom: 'side_bottom', left: 'side_left', right: 'side_right' }}
          onChange={(position) => set({ legend: { position } })}
        />
      </CollapsibleSection>
      <CollapsibleSection title={text('axisX')}>
        <AxisFields axis={options.xAxis} set={(given) => set({ xAxis: given })} />
      </CollapsibleSection>
      <CollapsibleSection title={text('axisY')}>
        <AxisFields axis={options.yAxis} set={(given) => set({ yAxis: given })} />
      </CollapsibleSection>
      {options.series.some((one) => one.axis === 'secondary') && (
        <CollapsibleSection title={text('axisSecond')}>
          <AxisFields axis={options.secondaryYAxis} set={(given) => set({ secondaryYAxis: given })} />
        </CollapsibleSection>
      )}
      <CollapsibleSection title={text('allOptions')}>
        <RawOptions
          key={chart.options_json}
          json={chart.options_json}
          onApply={(json) => change({ options_json: json })}
        />
      </CollapsibleSection>
      <div className="flex flex-wrap gap-2 border-t border-line pt-3">
        <Button onClick={() => state.chart.set(undefined)}>
          <Plus size={15} /> {text('newChart')}
        </Button>
        <Button
          variant="danger"
          onClick={() => deleteChart(session, chart.drawing_id).then(() => session.closePanel(), showErrorToast)}
        >
          <Trash2 size={15} /> {text('deleteChart')}
        </Button>
      </div>
    </fieldset>
  );
}

function RawOptions({ json, onApply }: { json: string; onApply: (json: string) => void }): ReactNode {
  const text = useTranslation();
  const pretty = JSON.stringify(JSON.parse(json), null, 2);
  const [typed, setTyped] = useState(pretty);
  return (
    <>
      <Field label={text('optionsJson')} hint={text('optionsJsonHint')}>
        {(ids) => (
          <TextArea
            {...ids}
            rows={10}
            spellCheck={false}
            className="font-mono text-xs"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      <Button disabled={typed === pretty} onClick={() => onApply(typed)}>
        {text('apply')}
      </Button>
    </>
  );
}
