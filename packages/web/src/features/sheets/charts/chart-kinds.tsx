import type { ReactNode } from 'react';
import type { ChartType } from '@sheaf/charts/chart-types';
import type { MessageKey } from '../../../i18n/use-translation.ts';

interface Kind {
  readonly type: ChartType;
  readonly label: MessageKey;
  readonly preview: ReactNode;
}

const first = 'fill-accent';
const second = 'fill-accent/45';
const third = 'fill-accent/25';
const line = 'fill-none stroke-accent stroke-2';
const otherLine = 'fill-none stroke-accent/45 stroke-2';

/** All chart types of the tools, most used first. */
export const chartKinds: readonly Kind[] = [
  {
    type: 'CHART_CLUSTERED_COLUMN',
    label: 'chartColumn',
    preview: (
      <>
        {[
          [5, 14, 14],
          [19, 8, 20],
          [33, 4, 24],
        ].map(([x, y, h]) => (
          <g key={x}>
            <rect x={x} y={y} width="5" height={h} className={first} />
            <rect x={x! + 6} y={y! + 5} width="5" height={h! - 5} className={second} />
          </g>
        ))}
      </>
    ),
  },
  {
    type: 'CHART_CLUSTERED_BAR',
    label: 'chartBar',
    preview: (
      <>
        {[
          [4, 30],
          [13, 20],
          [22, 38],
        ].map(([y, w]) => (
          <g key={y}>
            <rect x="4" y={y} width={w} height="3.5" className={first} />
            <rect x="4" y={y! + 4} width={w! * 0.7} height="3" className={second} />
          </g>
        ))}
      </>
    ),
  },
  {
    type: 'CHART_STACKED_COLUMN',
    label: 'chartStackedColumn',
    preview: (
      <>
        {[
          [6, 12],
          [20, 6],
          [34, 15],
        ].map(([x, y]) => (
          <g key={x}>
            <rect x={x} y={y} width="9" height={29 - y!} className={first} />
            <rect x={x} y={y} width="9" height="8" className={second} />
          </g>
        ))}
      </>
    ),
  },
  {
    type: 'CHART_PERCENT_STACKED_COLUMN',
    label: 'chartPercentColumn',
    preview: (
      <>
        {[
          [6, 10],
          [20, 6],
          [34, 14],
        ].map(([x, h]) => (
          <g key={x}>
            <rect x={x} y="4" width="9" height="25" className={first} />
            <rect x={x} y="4" width="9" height={h} className={second} />
          </g>
        ))}
      </>
    ),
  },
  {
    type: 'CHART_STACKED_BAR',
    label: 'chartStackedBar',
    preview: (
      <>
        {[
          [4, 30],
          [13, 20],
          [22, 38],
        ].map(([y, w]) => (
          <g key={y}>
            <rect x="4" y={y} width={w} height="7" className={first} />
            <rect x={w! - 6} y={y} width="10" height="7" className={second} />
          </g>
        ))}
      </>
    ),
  },
  {
    type: 'CHART_PERCENT_STACKED_BAR',
    label: 'chartPercentBar',
    preview: (
      <>
        {[
          [4, 12],
          [13, 20],
          [22, 9],
        ].map(([y, w]) => (
          <g key={y}>
            <rect x="4" y={y} width="40" height="7" className={first} />
            <rect x={44 - w!} y={y} width={w} height="7" className={second} />
          </g>
        ))}
      </>
    ),
  },
  {
    type: 'CHART_LINE',
    label: 'chartLine',
    preview: (
      <>
        <polyline points="4,24 15,14 26,18 44,5" className={line} />
        <polyline points="4,28 15,22 26,25 44,16" className={otherLine} />
      </>
    ),
  },
  {
    type: 'CHART_STACKED_LINE',
    label: 'chartStackedLine',
    preview: (
      <>
        <polyline points="4,20 17,14 30,15 44,5" className={line} />
        <polyline points="4,26 17,22 30,23 44,15" className={otherLine} />
        <polyline points="4,30 17,28 30,28 44,24" className={otherLine} />
      </>
    ),
  },
  {
    type: 'CHART_LINE_3D',
    label: 'chartLine3d',
    preview: (
      <>
        <polygon points="4,24 15,14 26,18 42,6 44,9 28,21 17,17 6,27" className={first} />
        <polygon points="4,29 15,23 26,25 42,17 44,20 28,28 17,26 6,31" className={second} />
      </>
    ),
  },
  {
    type: 'CHART_AREA',
    label: 'chartArea',
    preview: (
      <>
        <polygon points="4,29 4,20 17,10 30,15 44,5 44,29" className={second} />
        <polyline points="4,20 17,10 30,15 44,5" className={line} />
      </>
    ),
  },
  {
    type: 'CHART_STACKED_AREA',
    label: 'chartStackedArea',
    preview: (
      <>
        <polygon points="4,16 17,9 30,12 44,4 44,29 4,29" className={second} />
        <polygon points="4,24 17,18 30,20 44,13 44,29 4,29" className={first} />
      </>
    ),
  },
  {
    type: 'CHART_PERCENT_STACKED_AREA',
    label: 'chartPercentArea',
    preview: (
      <>
        <rect x="4" y="4" width="40" height="25" className={third} />
        <polygon points="4,12 17,9 30,14 44,8 44,29 4,29" className={second} />
        <polygon points="4,24 17,18 30,22 44,17 44,29 4,29" className={first} />
      </>
    ),
  },
  {
    type: 'CHART_AREA_3D',
    label: 'chartArea3d',
    preview: (
      <>
        <polygon points="8,22 20,8 32,13 44,3 44,25 8,25" className={third} />
        <polygon points="4,27 16,17 28,20 40,12 40,29 4,29" className={first} />
      </>
    ),
  },
  {
    type: 'CHART_CUSTOM_COMBO',
    label: 'chartCombo',
    preview: (
      <>
        {[
          [6, 15],
          [17, 10],
          [28, 18],
          [38, 8],
        ].map(([x, y]) => (
          <rect key={x} x={x} y={y} width="6" height={29 - y!} className={second} />
        ))}
        <polyline points="9,12 20,6 31,12 41,4" className={line} />
      </>
    ),
  },
  {
    type: 'CHART_PIE',
    label: 'chartPie',
    preview: (
      <>
        <circle cx="24" cy="16" r="13" className={third} />
        <path d="M24 16V3a13 13 0 0 1 11.3 19.5Z" className={first} />
        <path d="M24 16 35.3 22.5A13 13 0 0 1 15 25.4Z" className={second} />
      </>
    ),
  },
  {
    type: 'CHART_DOUGHNUT',
    label: 'chartDoughnut',
    preview: (
      <>
        <path d="M24 3a13 13 0 1 0 11.3 19.5L29 19a6 6 0 1 1-5-9Z" className={third} />
        <path d="M24 3a13 13 0 0 1 11.3 19.5L29 19a6 6 0 0 0-5-9Z" className={first} />
      </>
    ),
  },
  {
    type: 'CHART_SCATTER',
    label: 'chartScatter',
    preview: (
      <>
        {[
          [8, 25],
          [14, 19],
          [19, 22],
          [24, 14],
          [30, 16],
          [35, 8],
          [42, 6],
        ].map(([x, y]) => (
          <circle key={x} cx={x} cy={y} r="2.2" className={first} />
        ))}
      </>
    ),
  },
  {
    type: 'CHART_BUBBLE',
    label: 'chartBubble',
    preview: (
      <>
        <circle cx="13" cy="21" r="6" className={second} />
        <circle cx="26" cy="12" r="8" className={first} />
        <circle cx="39" cy="22" r="4" className={second} />
      </>
    ),
  },
  {
    type: 'CHART_RADAR',
    label: 'chartRadar',
    preview: (
      <>
        <polygon points="24,3 37,12 32,28 16,28 11,12" className="fill-none stroke-strong-line" />
        <polygon points="24,8 33,14 29,24 18,23 14,13" className={`${second} stroke-accent`} />
      </>
    ),
  },
  {
    type: 'CHART_HIGH_LOW_CLOSE_STOCK',
    label: 'chartStock',
    preview: (
      <>
        {[
          [9, 6, 24, 10, 8],
          [19, 4, 18, 7, 7],
          [29, 10, 28, 15, 9],
          [39, 3, 20, 6, 8],
        ].map(([x, top, bottom, y, h], index) => (
          <g key={x}>
            <path d={`M${x} ${top}V${bottom}`} className="stroke-accent" />
            <rect x={x! - 3} y={y} width="6" height={h} className={index % 2 ? 'fill-accent/45' : first} />
          </g>
        ))}
      </>
    ),
  },
  {
    type: 'CHART_TREEMAP',
    label: 'chartTreemap',
    preview: (
      <>
        <rect x="4" y="4" width="22" height="25" className={first} />
        <rect x="27" y="4" width="17" height="14" className={second} />
        <rect x="27" y="19" width="9" height="10" className={third} />
        <rect x="37" y="19" width="7" height="10" className={second} />
      </>
    ),
  },
  {
    type: 'CHART_REGION_MAP',
    label: 'chartMap',
    preview: (
      <>
        {[
          [4, 38, first],
          [11, 30, 'fill-accent/65'],
          [18, 22, second],
          [25, 13, third],
        ].map(([y, w, tone]) => (
          <rect key={y} x="5" y={y} width={w} height="5" className={String(tone)} />
        ))}
      </>
    ),
  },
];

export function ChartPreview({ kind }: { kind: Kind }): ReactNode {
  return (
    <svg viewBox="0 0 48 32" className="h-8 w-12" aria-hidden>
      {kind.preview}
    </svg>
  );
}
