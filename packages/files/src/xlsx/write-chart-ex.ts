import type { Chart, SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { chartSeriesOf } from './write-chart.ts';
import { xmlDeclaration, relationshipsNamespace, xmlEscape } from './xml-escape.ts';

export const chartExNamespace = 'http://schemas.microsoft.com/office/drawing/2014/chartex';
export const chartExRelation = 'http://schemas.microsoft.com/office/2014/relationships/chartEx';
export const chartExType = 'application/vnd.ms-office.chartex+xml';
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main';

/**
 * Chart types that require chartex, Excel's newer chart format, with the names that the format uses for their layout,
 * their values and their XML namespace.
 */
const layouts = {
  CHART_TREEMAP: {
    layout: 'treemap',
    dimension: 'size',
    namespace: 'cx1',
    schema: 'http://schemas.microsoft.com/office/drawing/2015/9/8/chartex',
  },
  CHART_REGION_MAP: {
    layout: 'regionMap',
    dimension: 'colorVal',
    namespace: 'cx4',
    schema: 'http://schemas.microsoft.com/office/drawing/2016/5/10/chartex',
  },
} as const;

export function layoutOf({ type }: Chart): (typeof layouts)[keyof typeof layouts] | undefined {
  return layouts[type as keyof typeof layouts];
}

export function chartExXml(document: SheetDocument, sub: SubSheet, chart: Chart): string {
  const { lanes, options } = chartSeriesOf(document, sub, chart);
  const { layout = 'treemap', dimension = 'size' } = layoutOf(chart) ?? {};
  const [lane] = lanes;
  const labels = lane?.labelRef
    ? `<cx:strDim type="cat"><cx:f>${xmlEscape(lane.labelRef)}</cx:f>${level(lane.labels.map(xmlEscape))}</cx:strDim>`
    : '';
  const values = lane
    ? `<cx:numDim type="${dimension}"><cx:f>${xmlEscape(lane.valueRef)}</cx:f>${level(lane.values, ' formatCode="General"')}</cx:numDim>`
    : '';
  const title =
    options.title.visible && options.title.text !== ''
      ? `<cx:title pos="t" align="ctr" overlay="0"><cx:tx><cx:txData><cx:v>${xmlEscape(options.title.text)}</cx:v></cx:txData></cx:tx></cx:title>`
      : '';
  const name = lane
    ? `<cx:tx><cx:txData>${lane.nameRef ? `<cx:f>${xmlEscape(lane.nameRef)}</cx:f>` : ''}<cx:v>${xmlEscape(lane.name)}</cx:v></cx:txData></cx:tx>`
    : '';
  const look =
    layout === 'treemap'
      ? '<cx:parentLabelLayout val="overlapping"/>'
      : '<cx:geography cultureLanguage="en-US" cultureRegion="US" attribution=""/>';
  const place = { top: 't', bottom: 'b', left: 'l', right: 'r' }[options.legend.position];
  const legend = options.legend.visible ? `<cx:legend pos="${place}" align="ctr" overlay="0"/>` : '';
  return (
    `${xmlDeclaration}<cx:chartSpace xmlns:a="${drawing}" xmlns:r="${relationshipsNamespace}" xmlns:cx="${chartExNamespace}">` +
    `<cx:chartData><cx:data id="0">${labels}${values}</cx:data></cx:chartData><cx:chart>${title}<cx:plotArea>` +
    `<cx:plotAreaRegion><cx:series layoutId="${layout}" uniqueId="{00000000-0000-4000-A000-000000000001}">${name}` +
    `<cx:dataId val="0"/><cx:layoutPr>${look}</cx:layoutPr></cx:series></cx:plotAreaRegion></cx:plotArea>${legend}` +
    '</cx:chart></cx:chartSpace>'
  );
}

function level(list: readonly (string | number | null)[], attributes = ''): string {
  const points = list.map((one, i) => (one === null ? '' : `<cx:pt idx="${i}">${one}</cx:pt>`));
  return `<cx:lvl ptCount="${list.length}"${attributes}>${points.join('')}</cx:lvl>`;
}
