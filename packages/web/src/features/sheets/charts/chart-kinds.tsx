import type { ReactNode } from 'react';
import type { ChartType } from '@sheaf/charts/chart-types';
import type { MessageKey } from '../../../i18n/use-translation.ts';

const tones = {
  strong: 'fill-accent',
  firm: 'fill-accent/65',
  medium: 'fill-accent/45',
  weak: 'fill-accent/25',
  line: 'fill-none stroke-accent stroke-2',
  paleLine: 'fill-none stroke-accent/45 stroke-2',
  outline: 'fill-none stroke-strong-line',
  edged: 'fill-accent/45 stroke-accent',
  dots: 'stroke-accent stroke-[4.4] [stroke-linecap:round]',
} as const;

interface Kind {
  readonly type: ChartType;
  readonly label: MessageKey;
  /** Thumbnail of 48 by 32 pixels: SVG path data by tone (fill and line style), painted from back to front. */
  readonly preview: Readonly<Partial<Record<keyof typeof tones, string>>>;
}

function kind(type: ChartType, label: MessageKey, preview: Kind['preview']): Kind {
  return { type, label, preview };
}

/** All chart types that the server supports, most used first. */
export const chartKinds: readonly Kind[] = [
  kind('CHART_CLUSTERED_COLUMN', 'chartColumn', {
    strong: 'M5 14h5v14h-5zM19 8h5v20h-5zM33 4h5v24h-5z',
    medium: 'M11 19h5v9h-5zM25 13h5v15h-5zM39 9h5v19h-5z',
  }),
  kind('CHART_CLUSTERED_BAR', 'chartBar', {
    strong: 'M4 4h30v3.5h-30zM4 13h20v3.5h-20zM4 22h38v3.5h-38z',
    medium: 'M4 8h21v3h-21zM4 17h14v3h-14zM4 26h26.6v3h-26.6z',
  }),
  kind('CHART_STACKED_COLUMN', 'chartStackedColumn', {
    strong: 'M6 12h9v17h-9zM20 6h9v23h-9zM34 15h9v14h-9z',
    medium: 'M6 12h9v8h-9zM20 6h9v8h-9zM34 15h9v8h-9z',
  }),
  kind('CHART_PERCENT_STACKED_COLUMN', 'chartPercentColumn', {
    strong: 'M6 4h9v25h-9zM20 4h9v25h-9zM34 4h9v25h-9z',
    medium: 'M6 4h9v10h-9zM20 4h9v6h-9zM34 4h9v14h-9z',
  }),
  kind('CHART_STACKED_BAR', 'chartStackedBar', {
    strong: 'M4 4h30v7h-30zM4 13h20v7h-20zM4 22h38v7h-38z',
    medium: 'M24 4h10v7h-10zM14 13h10v7h-10zM32 22h10v7h-10z',
  }),
  kind('CHART_PERCENT_STACKED_BAR', 'chartPercentBar', {
    strong: 'M4 4h40v7h-40zM4 13h40v7h-40zM4 22h40v7h-40z',
    medium: 'M32 4h12v7h-12zM24 13h20v7h-20zM35 22h9v7h-9z',
  }),
  kind('CHART_LINE', 'chartLine', {
    line: 'M4 24L15 14L26 18L44 5',
    paleLine: 'M4 28L15 22L26 25L44 16',
  }),
  kind('CHART_STACKED_LINE', 'chartStackedLine', {
    line: 'M4 20L17 14L30 15L44 5',
    paleLine: 'M4 26L17 22L30 23L44 15M4 30L17 28L30 28L44 24',
  }),
  kind('CHART_LINE_3D', 'chartLine3d', {
    strong: 'M4 24L15 14L26 18L42 6L44 9L28 21L17 17L6 27z',
    medium: 'M4 29L15 23L26 25L42 17L44 20L28 28L17 26L6 31z',
  }),
  kind('CHART_AREA', 'chartArea', {
    medium: 'M4 29L4 20L17 10L30 15L44 5L44 29z',
    line: 'M4 20L17 10L30 15L44 5',
  }),
  kind('CHART_STACKED_AREA', 'chartStackedArea', {
    medium: 'M4 16L17 9L30 12L44 4L44 29L4 29z',
    strong: 'M4 24L17 18L30 20L44 13L44 29L4 29z',
  }),
  kind('CHART_PERCENT_STACKED_AREA', 'chartPercentArea', {
    weak: 'M4 4h40v25h-40z',
    medium: 'M4 12L17 9L30 14L44 8L44 29L4 29z',
    strong: 'M4 24L17 18L30 22L44 17L44 29L4 29z',
  }),
  kind('CHART_AREA_3D', 'chartArea3d', {
    weak: 'M8 22L20 8L32 13L44 3L44 25L8 25z',
    strong: 'M4 27L16 17L28 20L40 12L40 29L4 29z',
  }),
  kind('CHART_CUSTOM_COMBO', 'chartCombo', {
    medium: 'M6 15h6v14h-6zM17 10h6v19h-6zM28 18h6v11h-6zM38 8h6v21h-6z',
    line: 'M9 12L20 6L31 12L41 4',
  }),
  kind('CHART_PIE', 'chartPie', {
    weak: 'M11 16a13 13 0 1 0 26 0a13 13 0 1 0 -26 0z',
    strong: 'M24 16V3a13 13 0 0 1 11.3 19.5Z',
    medium: 'M24 16 35.3 22.5A13 13 0 0 1 15 25.4Z',
  }),
  kind('CHART_DOUGHNUT', 'chartDoughnut', {
    weak: 'M24 3a13 13 0 1 0 11.3 19.5L29 19a6 6 0 1 1-5-9Z',
    strong: 'M24 3a13 13 0 0 1 11.3 19.5L29 19a6 6 0 0 0-5-9Z',
  }),
  kind('CHART_SCATTER', 'chartScatter', {
    dots: 'M8 25h0M14 19h0M19 22h0M24 14h0M30 16h0M35 8h0M42 6h0',
  }),
  kind('CHART_BUBBLE', 'chartBubble', {
    medium: 'M7 21a6 6 0 1 0 12 0a6 6 0 1 0 -12 0zM35 22a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z',
    strong: 'M18 12a8 8 0 1 0 16 0a8 8 0 1 0 -16 0z',
  }),
  kind('CHART_RADAR', 'chartRadar', {
    outline: 'M24 3L37 12L32 28L16 28L11 12z',
    edged: 'M24 8L33 14L29 24L18 23L14 13z',
  }),
  kind('CHART_HIGH_LOW_CLOSE_STOCK', 'chartStock', {
    edged: 'M9 6V24M19 4V18M29 10V28M39 3V20',
    strong: 'M6 10h6v8h-6zM26 15h6v9h-6z',
    medium: 'M16 7h6v7h-6zM36 6h6v8h-6z',
  }),
  kind('CHART_TREEMAP', 'chartTreemap', {
    strong: 'M4 4h22v25h-22z',
    medium: 'M27 4h17v14h-17zM37 19h7v10h-7z',
    weak: 'M27 19h9v10h-9z',
  }),
  kind('CHART_REGION_MAP', 'chartMap', {
    strong: 'M5 4h38v5h-38z',
    firm: 'M5 11h30v5h-30z',
    medium: 'M5 18h22v5h-22z',
    weak: 'M5 25h13v5h-13z',
  }),
];

export function ChartPreview({ kind }: { kind: Kind }): ReactNode {
  return (
    <svg viewBox="0 0 48 32" className="h-8 w-12" aria-hidden>
      {(Object.keys(kind.preview) as (keyof typeof tones)[]).map((tone) => (
        <path key={tone} d={kind.preview[tone]} className={tones[tone]} />
      ))}
    </svg>
  );
}
