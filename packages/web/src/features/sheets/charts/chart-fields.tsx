import type { ReactNode } from 'react';
import type { ResolvedOptions } from '@sheaf/charts/chart-options';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Field } from '../../../ui/form-fields.tsx';
import { CommitColorInput } from '../commit-color-input.tsx';
import { CommitTextInput, LabeledSelect, LiveCheckbox } from '../panels/panel-inputs.tsx';

type Axis = ResolvedOptions['xAxis'];
type Series = ResolvedOptions['series'][number];

export function AxisFields({ axis, set }: { axis: Axis; set: (given: Partial<Axis>) => void }): ReactNode {
  const text = useTranslation();
  const limit = (given: string): number | null =>
    given.trim() === '' || !Number.isFinite(Number(given)) ? null : Number(given);
  return (
    <>
      <CommitTextInput label={text('title')} value={axis.title} onCommit={(title) => set({ title })} />
      <div className="grid grid-cols-2 gap-3">
        {(['min', 'max'] as const).map((end) => (
          <CommitTextInput
            key={end}
            label={text(end === 'min' ? 'least' : 'most')}
            type="number"
            placeholder={text('automatic')}
            value={axis[end] === null ? '' : String(axis[end])}
            onCommit={(given) => set({ [end]: limit(given) })}
          />
        ))}
      </div>
      <CommitTextInput
        label={text('numberFormat')}
        value={axis.numberFormat}
        placeholder="#,##0.00"
        onCommit={(numberFormat) => set({ numberFormat })}
      />
      <LiveCheckbox label={text('showAxis')} checked={axis.visible} onChange={(on) => set({ visible: on })} />
      <LiveCheckbox label={text('gridLines')} checked={axis.gridLines} onChange={(on) => set({ gridLines: on })} />
    </>
  );
}

const ownTypes = new Set([
  'CHART_CUSTOM_COMBO',
  'CHART_LINE',
  'CHART_LINE_3D',
  'CHART_CLUSTERED_COLUMN',
  'CHART_AREA',
  'CHART_AREA_3D',
]);

export function SeriesFields({
  series,
  type,
  set,
}: {
  series: readonly Series[];
  type: string;
  set: (given: { series: object[] }) => void;
}): ReactNode {
  const text = useTranslation();
  // The server merges the list of series by index, so an empty object leaves a series unchanged.
  const change = (at: number, given: Partial<Series>): void =>
    set({ series: series.map((_, index) => (index === at ? given : {})) });
  return series.map((one, index) => (
    <div key={index} className="flex flex-col gap-2 rounded-lg border border-line p-3">
      <CommitTextInput
        label={text('seriesName', { number: index + 1 })}
        value={one.name}
        onCommit={(name) => change(index, { name })}
      />
      <div className="flex items-end gap-3">
        <Field label={text('color')}>
          {(ids) => (
            <CommitColorInput
              {...ids}
              value={one.color === '' ? '#2a6049' : `#${one.color.replace('#', '').slice(-6)}`}
              onCommit={(color) => change(index, { color })}
              className="h-9 w-14 rounded-lg border border-strong-line bg-raised p-1"
            />
          )}
        </Field>
        {ownTypes.has(type) && (
          <div className="min-w-0 flex-1">
            <LabeledSelect
              label={text('shownAs')}
              value={one.type as 'line' | 'column' | 'area'}
              words={{ line: 'chartLine', column: 'chartColumn', area: 'chartArea' }}
              onChange={(kind) => change(index, { type: kind })}
            />
          </div>
        )}
      </div>
      {ownTypes.has(type) && (
        <>
          <LiveCheckbox
            label={text('onSecondAxis')}
            checked={one.axis === 'secondary'}
            onChange={(on) => change(index, { axis: on ? 'secondary' : 'primary' })}
          />
          <LiveCheckbox label={text('smooth')} checked={one.smooth} onChange={(on) => change(index, { smooth: on })} />
        </>
      )}
      <LiveCheckbox
        label={text('dataLabels')}
        checked={one.dataLabels}
        onChange={(on) => change(index, { dataLabels: on })}
      />
    </div>
  ));
}
