import type { SheetDocument, Chart, Region, SubSheet } from '@sheaf/engine/internal/document';
import { columnName } from '@sheaf/engine';
import { readChartData, chartDataSheet } from '@sheaf/charts/chart-data';
import { resolveOptions, type ResolvedOptions } from '@sheaf/charts/chart-options';
import { accentColors } from './default-theme.ts';
import { xmlDeclaration, relationshipsNamespace, xmlEscape } from './xml-escape.ts';

const chartSpace = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main';

/**
 * Maximum number of pie slices with a color of their own in the file; the program that opens it chooses the colors of
 * further slices.
 */
const maxSlices = 100;

export interface ChartSeriesData {
  readonly index: number;
  readonly name: string;
  readonly nameRef: string | undefined;
  readonly labels: readonly string[];
  readonly labelRef: string | undefined;
  readonly values: readonly (number | null)[];
  readonly valueRef: string;
  readonly look: ResolvedOptions['series'][number] | undefined;
  /**
   * Set if the series has its own ranges instead of a column or row of the chart's range. `labelRef` then holds the x
   * values, and `sizeRef` the bubble sizes.
   */
  readonly own?: { readonly sizeRef: string | undefined };
}

/** Returns the chart's options and its series, with the cell ranges of their names, labels and values. */
export function chartSeriesOf(
  document: SheetDocument,
  sub: SubSheet,
  chart: Chart,
): { lanes: ChartSeriesData[]; options: ResolvedOptions } {
  const data = readChartData(document, sub, chart);
  const options = resolveOptions(chart, data);
  const [top, left] = chart.region ?? [0, 0, 0, 0];
  const quoted = `'${chartDataSheet(document, sub, chart).name.replaceAll("'", "''")}'!`;
  const cell = (row: number, col: number): string => `$${columnName(col)}$${row + 1}`;
  if (chart.series) {
    const ref = (region: Region | null | undefined): string | undefined =>
      region ? `${quoted}${cell(region[0], region[1])}:${cell(region[2], region[3])}` : undefined;
    const lanes = chart.series.flatMap(({ name, labels, values, sizes }, index): ChartSeriesData[] => {
      const valueRef = ref(values);
      if (valueRef === undefined) return [];
      return [
        {
          index,
          name: options.series[index]?.name ?? '',
          nameRef: name && typeof name !== 'string' ? quoted + cell(name[0], name[1]) : undefined,
          labels: data.categories,
          labelRef: ref(labels),
          values: data.series[index]?.values ?? [],
          valueRef,
          look: options.series[index],
          own: { sizeRef: ref(sizes) },
        },
      ];
    });
    return { lanes, options };
  }
  const { columnSeries } = data;
  const hasNames = columnSeries ? data.headerRow : data.categoryColumn;
  const hasLabels = columnSeries ? data.categoryColumn : data.headerRow;
  const first = hasNames ? 1 : 0;
  const last = first + data.categories.length - 1;
  const at = (point: number, lane: number): string =>
    columnSeries ? cell(top + point, left + lane) : cell(top + lane, left + point);
  const span = (lane: number): string => `${quoted}${at(first, lane)}:${at(Math.max(first, last), lane)}`;
  const lanes = data.series.map((one, index): ChartSeriesData => {
    const lane = index + (hasLabels ? 1 : 0);
    return {
      index,
      name: options.series[index]?.name ?? one.name,
      nameRef: hasNames ? quoted + at(0, lane) : undefined,
      labels: data.categories,
      labelRef: hasLabels ? span(0) : undefined,
      values: one.values,
      valueRef: span(lane),
      look: options.series[index],
    };
  });
  return { lanes, options };
}

export function chartXml(document: SheetDocument, sub: SubSheet, chart: Chart): string {
  const { lanes, options } = chartSeriesOf(document, sub, chart);
  const title =
    options.title.visible && options.title.text !== ''
      ? `<c:title>${richText(options.title.text)}<c:overlay val="0"/></c:title><c:autoTitleDeleted val="0"/>`
      : '<c:autoTitleDeleted val="1"/>';
  const position = { top: 't', bottom: 'b', left: 'l', right: 'r' }[options.legend.position];
  const legend = options.legend.visible
    ? `<c:legend><c:legendPos val="${position}"/><c:overlay val="0"/></c:legend>`
    : '';
  return (
    `${xmlDeclaration}<c:chartSpace xmlns:c="${chartSpace}" xmlns:a="${drawing}" xmlns:r="${relationshipsNamespace}">` +
    `<c:roundedCorners val="0"/><c:chart>${title}<c:plotArea><c:layout/>` +
    `${plot(chart.type, lanes, options)}</c:plotArea>${legend}<c:plotVisOnly val="1"/>` +
    '<c:dispBlanksAs val="gap"/></c:chart></c:chartSpace>'
  );
}

const standard = '<c:grouping val="standard"/><c:varyColors val="0"/>';
const stacked = '<c:grouping val="stacked"/><c:varyColors val="0"/>';
const percentStacked = '<c:grouping val="percentStacked"/><c:varyColors val="0"/>';
const clusteredColumns = '<c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/>';
const markers = '<c:marker val="1"/>';
const gap = '<c:gapWidth val="100"/>';
const firstAxes = '<c:axId val="1"/><c:axId val="2"/>';

/** XML element of a chart type, and the XML before and after its series. */
type Plot = readonly [tag: string, before: string, after?: string];

const plots: Readonly<Record<string, Plot>> = {
  CHART_AREA: ['areaChart', standard],
  CHART_AREA_3D: ['area3DChart', standard],
  CHART_STACKED_AREA: ['areaChart', stacked],
  CHART_PERCENT_STACKED_AREA: ['areaChart', percentStacked],
  CHART_LINE: ['lineChart', standard, markers],
  CHART_LINE_3D: ['line3DChart', standard],
  CHART_STACKED_LINE: ['lineChart', stacked, markers],
  CHART_RADAR: ['radarChart', '<c:radarStyle val="marker"/><c:varyColors val="0"/>'],
};

function plotXml([tag, before, after = '']: Plot, lanes: readonly ChartSeriesData[], axes = firstAxes): string {
  return `<c:${tag}>${before}${series(lanes)}${after}${axes}</c:${tag}>`;
}

function plot(type: string, lanes: readonly ChartSeriesData[], options: ResolvedOptions): string {
  const usual = axes(type.endsWith('_BAR') ? withSwappedAxes(options) : options, false);
  const known = plots[type];
  if (known && type.endsWith('_3D')) return plotXml(known, lanes, `${firstAxes}<c:axId val="5"/>`) + usual + depthAxis;
  if (known) return plotXml(known, lanes) + usual;
  switch (type) {
    case 'CHART_HIGH_LOW_CLOSE_STOCK':
      // The file format requires at least three series (high, low and close). With fewer, a line chart is written.
      return plotXml(lanes.length >= 3 ? ['stockChart', '', '<c:hiLowLines/>'] : plots['CHART_LINE']!, lanes) + usual;
    case 'CHART_SCATTER':
      return (
        '<c:scatterChart><c:scatterStyle val="lineMarker"/><c:varyColors val="0"/>' +
        `${points(lanes, false)}${firstAxes}</c:scatterChart>${axes(options, true)}`
      );
    case 'CHART_BUBBLE':
      return (
        `<c:bubbleChart><c:varyColors val="0"/>${points(lanes, true)}<c:bubbleScale val="100"/>` +
        `${firstAxes}</c:bubbleChart>${axes(options, true)}`
      );
    case 'CHART_PIE':
      return `<c:pieChart><c:varyColors val="1"/>${series(lanes.slice(0, 1), true)}<c:firstSliceAng val="0"/></c:pieChart>`;
    case 'CHART_DOUGHNUT':
      return (
        `<c:doughnutChart><c:varyColors val="1"/>${series(lanes, true)}<c:firstSliceAng val="0"/><c:holeSize val="55"/>` +
        '</c:doughnutChart>'
      );
    case 'CHART_CLUSTERED_BAR':
    case 'CHART_STACKED_BAR':
    case 'CHART_PERCENT_STACKED_BAR':
    case 'CHART_STACKED_COLUMN':
    case 'CHART_PERCENT_STACKED_COLUMN': {
      const grouping = type.includes('PERCENT') ? 'percentStacked' : type.includes('STACKED') ? 'stacked' : 'clustered';
      const before =
        `<c:barDir val="${type.endsWith('_BAR') ? 'bar' : 'col'}"/><c:grouping val="${grouping}"/>` +
        '<c:varyColors val="0"/>';
      return (
        plotXml(['barChart', before, grouping === 'clustered' ? gap : `${gap}<c:overlap val="100"/>`], lanes) + usual
      );
    }
    case 'CHART_CUSTOM_COMBO':
      return combo(lanes, options);
    default:
      // Clustered columns. Region maps and tree maps get the same XML: they are written in the newer chartex format,
      // which few programs read, and other programs show these columns instead.
      return plotXml(['barChart', clusteredColumns, gap], lanes) + usual;
  }
}

function combo(lanes: readonly ChartSeriesData[], options: ResolvedOptions): string {
  const parts: string[] = [];
  const kinds: readonly (readonly [kind: string, plot: Plot])[] = [
    ['area', plots['CHART_AREA']!],
    ['column', ['barChart', clusteredColumns, gap]],
    ['line', plots['CHART_LINE']!],
  ];
  for (const axis of ['primary', 'secondary'] as const) {
    for (const [kind, drawn] of kinds) {
      const some = lanes.filter(
        ({ look }) => (look?.type === 'bar' ? 'column' : look?.type) === kind && look?.axis === axis,
      );
      const ids = axis === 'primary' ? firstAxes : '<c:axId val="3"/><c:axId val="4"/>';
      if (some.length > 0) parts.push(plotXml(drawn, some, ids));
    }
  }
  const second = lanes.some(({ look }) => look?.axis === 'secondary') ? secondaryAxes(options) : '';
  return parts.join('') + axes(options, false) + second;
}

/** Returns the XML of the series. If `sliced` is true, each point gets its own color. */
function series(lanes: readonly ChartSeriesData[], sliced = false): string {
  return lanes
    .map(
      (lane) =>
        '<c:ser>' +
        `${start(lane, sliced ? 'slices' : 'shapes')}${labelsOf(lane)}${lane.labelRef ? `<c:cat>${texts(lane.labelRef, lane.labels)}</c:cat>` : ''}` +
        `<c:val>${numbers(lane.valueRef, lane.values)}</c:val></c:ser>`,
    )
    .join('');
}

/**
 * Returns the XML of scatter or bubble series. For series without own ranges, the x values are the labels if all labels
 * are numbers, otherwise the values of the first series. In a bubble chart (`sized`), the remaining series are pairs of
 * y values and bubble sizes.
 */
function points(lanes: readonly ChartSeriesData[], sized: boolean): string {
  if (lanes[0]?.own) return lanes.map((lane) => ownPoints(lane, sized)).join('');
  const labeled =
    lanes[0]?.labelRef !== undefined && lanes[0].labels.every((text) => text !== '' && Number.isFinite(Number(text)));
  const across = labeled ? undefined : lanes.length > 1 ? lanes[0] : undefined;
  const up = across ? lanes.slice(1) : lanes;
  const step = sized ? 2 : 1;
  const made: string[] = [];
  for (let i = 0; i < up.length; i += step) {
    const lane = up[i] as ChartSeriesData;
    const size = sized ? up[i + 1] : undefined;
    const x = across
      ? numbers(across.valueRef, across.values)
      : lane.labelRef
        ? numbers(lane.labelRef, lane.labels.map(Number))
        : undefined;
    made.push(
      '<c:ser>' +
        `${start(lane, sized ? 'shapes' : 'dots')}${labelsOf(lane)}${x ? `<c:xVal>${x}</c:xVal>` : ''}<c:yVal` +
        `>${numbers(lane.valueRef, lane.values)}</c:yVal>` +
        (sized
          ? `<c:bubbleSize>${size ? numbers(size.valueRef, size.values) : constantSizes(lane.values.length)}</c:bubbleSize><c:bubble3D val="0"/>`
          : '<c:smooth val="0"/>') +
        '</c:ser>',
    );
  }
  return made.join('');
}

/**
 * Returns the XML of a scatter or bubble series that has its own ranges. Bubble sizes are written without cached
 * values, because programs read them from the cells.
 */
function ownPoints(lane: ChartSeriesData, sized: boolean): string {
  const { labels, labelRef, values, valueRef, own } = lane;
  const isNumeric = labels.every((text) => text !== '' && Number.isFinite(Number(text)));
  const x =
    labelRef === undefined
      ? ''
      : `<c:xVal>${isNumeric ? numbers(labelRef, labels.map(Number)) : texts(labelRef, labels)}</c:xVal>`;
  const size = own?.sizeRef
    ? `<c:numRef><c:f>${xmlEscape(own.sizeRef)}</c:f></c:numRef>`
    : constantSizes(values.length);
  return (
    `<c:ser>${start(lane, sized ? 'shapes' : 'dots')}${labelsOf(lane)}${x}<c:yVal>${numbers(valueRef, values)}</c:yVal>` +
    `${sized ? `<c:bubbleSize>${size}</c:bubbleSize><c:bubble3D val="0"/>` : '<c:smooth val="0"/>'}</c:ser>`
  );
}

/** Returns bubble sizes of 1 for all points, for bubbles without a size range. */
function constantSizes(count: number): string {
  const values = Array.from({ length: count }, (_, at) => `<c:pt idx="${at}"><c:v>1</c:v></c:pt>`);
  return `<c:numLit><c:ptCount val="${count}"/>${values.join('')}</c:numLit>`;
}

function start(lane: ChartSeriesData, drawn: 'shapes' | 'slices' | 'dots'): string {
  const name = lane.nameRef
    ? `<c:tx><c:strRef><c:f>${xmlEscape(lane.nameRef)}</c:f><c:strCache><c:ptCount val="1"/><c:pt idx="0">` +
      `<c:v>${xmlEscape(lane.name)}</c:v></c:pt></c:strCache></c:strRef></c:tx>`
    : `<c:tx><c:v>${xmlEscape(lane.name)}</c:v></c:tx>`;
  // Some programs do not draw a series without an explicit color, so a color is always written.
  const told = lane.look?.color ? lane.look.color.replace('#', '').slice(-6).toUpperCase() : undefined;
  const color = `<a:solidFill><a:srgbClr val="${told ?? accentColors[lane.index % accentColors.length]}"/></a:solidFill>`;
  const shapes = {
    dots: '<c:spPr><a:ln w="19050"><a:noFill/></a:ln></c:spPr>',
    slices: '',
    shapes: `<c:spPr>${color}<a:ln w="28575">${color}</a:ln></c:spPr>`,
  };
  const marker =
    drawn === 'dots' ? `<c:marker><c:symbol val="circle"/><c:size val="6"/><c:spPr>${color}</c:spPr></c:marker>` : '';
  const points = drawn === 'slices' ? slices(lane) : '';
  return `<c:idx val="${lane.index}"/><c:order val="${lane.index}"/>${name}${shapes[drawn]}${marker}${points}`;
}

function slices(lane: ChartSeriesData): string {
  return lane.values
    .slice(0, maxSlices)
    .map(
      (_, at) =>
        `<c:dPt><c:idx val="${at}"/><c:bubble3D val="0"/><c:spPr><a:solidFill>` +
        `<a:srgbClr val="${accentColors[at % accentColors.length]}"/></a:solidFill></c:spPr></c:dPt>`,
    )
    .join('');
}

function labelsOf(lane: ChartSeriesData): string {
  if (!lane.look?.dataLabels) return '';
  return (
    '<c:dLbls><c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/>' +
    '<c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbls>'
  );
}

function texts(ref: string, list: readonly string[]): string {
  return (
    `<c:strRef><c:f>${xmlEscape(ref)}</c:f><c:strCache><c:ptCount val="${list.length}"/>` +
    `${list.map((text, i) => `<c:pt idx="${i}"><c:v>${xmlEscape(text)}</c:v></c:pt>`).join('')}` +
    '</c:strCache></c:strRef>'
  );
}

function numbers(ref: string, list: readonly (number | null)[]): string {
  const cached = list.map((value, i) => (value === null ? '' : `<c:pt idx="${i}"><c:v>${value}</c:v></c:pt>`)).join('');
  return (
    `<c:numRef><c:f>${xmlEscape(ref)}</c:f><c:numCache><c:formatCode>General</c:formatCode>` +
    `<c:ptCount val="${list.length}"/>${cached}</c:numCache></c:numRef>`
  );
}

const depthAxis =
  '<c:serAx><c:axId val="5"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="1"/><c:axPos val="b"/><c:crossAx val="1"/></c:serAx>';

/**
 * Swaps the x and y axis options for a bar chart. Its vertical category axis is called y in the options, but `axes`
 * writes the x options to the category axis.
 */
function withSwappedAxes(options: ResolvedOptions): ResolvedOptions {
  return { ...options, xAxis: options.yAxis, yAxis: options.xAxis };
}

function axes(options: ResolvedOptions, byNumbers: boolean): string {
  return axis(byNumbers ? 'valAx' : 'catAx', 1, 2, 'b', options.xAxis) + axis('valAx', 2, 1, 'l', options.yAxis);
}

function secondaryAxes(options: ResolvedOptions): string {
  return (
    '<c:catAx><c:axId val="3"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="1"/>' +
    '<c:axPos val="b"/><c:crossAx val="4"/></c:catAx>' +
    `${axis('valAx', 4, 3, 'r', options.secondaryYAxis, '<c:crosses val="max"/>')}`
  );
}

function axis(
  tag: string,
  id: number,
  crosses: number,
  place: string,
  look: ResolvedOptions['xAxis'],
  crossing = '<c:crosses val="autoZero"/>',
): string {
  const limits =
    (look.max === null ? '' : `<c:max val="${look.max}"/>`) + (look.min === null ? '' : `<c:min val="${look.min}"/>`);
  const title = look.title === '' ? '' : `<c:title>${richText(look.title)}<c:overlay val="0"/></c:title>`;
  const format =
    look.numberFormat === '' ? '' : `<c:numFmt formatCode="${xmlEscape(look.numberFormat)}" sourceLinked="0"/>`;
  return (
    `<c:${tag}><c:axId val="${id}"/><c:scaling><c:orientation val="minMax"/>${limits}</c:scaling>` +
    `<c:delete val="${look.visible ? 0 : 1}"/><c:axPos val="${place}"/>` +
    `${look.gridLines ? '<c:majorGridlines/>' : ''}${title}${format}<c:crossAx val="${crosses}"/>` +
    `${crossing}</c:${tag}>`
  );
}

function richText(text: string): string {
  return `<c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>${xmlEscape(text)}</a:t></a:r></a:p></c:rich></c:tx>`;
}
