import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { ChartOptions } from '@sheaf/charts/chart-options';
import { chartTypes, type ChartType } from '@sheaf/charts/chart-types';
import type { Chart, SheetDocument } from '@sheaf/engine/internal/document';
import { edit } from '@sheaf/engine';
import { putChart, setRangeBlock } from '@sheaf/engine/internal/mutations';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { chartXml, drawingXml, chartFrame } from '@sheaf/tools/testing/xlsx/full-feature-workbook.ts';
import { documentOf, readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { relationships, workbookParts, zipped, type Parts } from '@sheaf/tools/testing/workbook-parts.ts';

/** [finding X5] Charts as Excel writes them, one of each kind: into a document, out again and back. */

const cx = 'http://schemas.microsoft.com/office/drawing/2014/chartex';
const main = 'http://schemas.openxmlformats.org/drawingml/2006/main';

const cell = (ref: string, value: string | number): string =>
  typeof value === 'number'
    ? `<c r="${ref}"><v>${value}</v></c>`
    : `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`;
const rows = [
  ['Land', 'High', 'Low', 'Close'],
  ['France', 9, 3, 5],
  ['Japan', 8, 2, 4],
  ['Peru', 7, 1, 6],
]
  .map((line, r) => `<row r="${r + 1}">${line.map((value, c) => cell(`${'ABCD'[c]}${r + 1}`, value)).join('')}</row>`)
  .join('');

const named = (index: number, column: string): string =>
  `<c:idx val="${index}"/><c:order val="${index}"/><c:tx><c:strRef><c:f>'The data'!$${column}$1</c:f></c:strRef></c:tx>`;
const numbers = (column: string): string => `<c:numRef><c:f>'The data'!$${column}$2:$${column}$4</c:f></c:numRef>`;
const bars = (index: number, column: string): string =>
  `<c:ser>${named(index, column)}<c:cat><c:strRef><c:f>'The data'!$A$2:$A$4</c:f></c:strRef></c:cat><c:val>${numbers(column)}</c:val></c:ser>`;
const dots = (index: number, x: string, y: string, size = ''): string =>
  `<c:ser>${named(index, y)}<c:xVal>${numbers(x)}</c:xVal><c:yVal>${numbers(y)}</c:yVal>${size && `<c:bubbleSize>${numbers(size)}</c:bubbleSize>`}</c:ser>`;
const axes = '<c:axId val="1"/><c:axId val="2"/>';
const several = ['B', 'C', 'D'].map((column, i) => bars(i, column)).join('');
const group = (tag: string, before = '', inside = several): string => `<c:${tag}>${before}${inside}${axes}</c:${tag}>`;
const stacked = (how: string): string => `<c:grouping val="${how}"/>`;
const toward = (where: string, how: string): string => `<c:barDir val="${where}"/><c:grouping val="${how}"/>`;

const plots: Partial<Record<ChartType, string>> = {
  CHART_AREA: group('areaChart', stacked('standard')),
  CHART_AREA_3D: group('area3DChart', stacked('standard')),
  CHART_STACKED_AREA: group('areaChart', stacked('stacked')),
  CHART_PERCENT_STACKED_AREA: group('areaChart', stacked('percentStacked')),
  CHART_LINE: group('lineChart', stacked('standard')),
  CHART_LINE_3D: group('line3DChart', stacked('standard')),
  CHART_STACKED_LINE: group('lineChart', stacked('stacked')),
  CHART_HIGH_LOW_CLOSE_STOCK: group('stockChart'),
  CHART_RADAR: group('radarChart', '<c:radarStyle val="marker"/>'),
  CHART_SCATTER: group('scatterChart', '<c:scatterStyle val="lineMarker"/>', dots(0, 'D', 'C') + dots(1, 'B', 'C')),
  CHART_PIE: `<c:pieChart>${bars(0, 'C')}</c:pieChart>`,
  CHART_CLUSTERED_BAR: group('barChart', toward('bar', 'clustered')),
  CHART_CLUSTERED_COLUMN: group('barChart', toward('col', 'clustered')),
  CHART_BUBBLE: group('bubbleChart', '', dots(0, 'B', 'C', 'D') + dots(1, 'C', 'D', 'B')),
  CHART_CUSTOM_COMBO:
    group('barChart', toward('col', 'clustered'), bars(0, 'B')) +
    `<c:lineChart>${stacked('standard')}${bars(1, 'C')}<c:axId val="3"/><c:axId val="4"/></c:lineChart>`,
  CHART_DOUGHNUT: `<c:doughnutChart>${several}</c:doughnutChart>`,
  CHART_STACKED_COLUMN: group('barChart', toward('col', 'stacked')),
  CHART_PERCENT_STACKED_COLUMN: group('barChart', toward('col', 'percentStacked')),
  CHART_STACKED_BAR: group('barChart', toward('bar', 'stacked')),
  CHART_PERCENT_STACKED_BAR: group('barChart', toward('bar', 'percentStacked')),
};

const layouts: Partial<Record<ChartType, string>> = { CHART_TREEMAP: 'treemap', CHART_REGION_MAP: 'regionMap' };

function chartEx(layout: string): string {
  return (
    `<cx:chartSpace xmlns:cx="${cx}" xmlns:a="${main}"><cx:chartData><cx:data id="0"><cx:strDim type="cat">` +
    '<cx:f>_xlchart.v1.0</cx:f></cx:strDim><cx:numDim type="size"><cx:f>\'The data\'!$C$2:$C$4</cx:f></cx:numDim></cx:data></cx:chartData>' +
    '<cx:chart><cx:title><cx:tx><cx:rich><a:bodyPr/><a:p><a:r><a:t>A title</a:t></a:r></a:p></cx:rich></cx:tx></cx:title><cx:plotArea>' +
    `<cx:plotAreaRegion><cx:series layoutId="${layout}" uniqueId="{1}"><cx:tx><cx:txData><cx:f>'The data'!$C$1</cx:f><cx:v>Low</cx:v></cx:txData></cx:tx>` +
    '<cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>'
  );
}

function alternative(): string {
  const inner = chartFrame('rId1', 3).replaceAll('http://schemas.openxmlformats.org/drawingml/2006/chart', cx);
  return inner
    .replace(
      '<xdr:graphicFrame',
      '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="cx1"><xdr:graphicFrame',
    )
    .replace(
      '</xdr:graphicFrame>',
      '</xdr:graphicFrame></mc:Choice><mc:Fallback><xdr:sp/></mc:Fallback></mc:AlternateContent>',
    );
}

function workbook(type: string, plot?: string): Uint8Array {
  const layout = layouts[type as ChartType] ?? (plot === undefined ? type : undefined);
  const parts: Parts = workbookParts({
    Charts:
      '<worksheet xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheetData/><drawing r:id="rId1"/></worksheet>',
    'The data': rows,
  });
  const inside = layout === undefined;
  parts['xl/workbook.xml'] = (parts['xl/workbook.xml'] as string).replace(
    '</sheets>',
    '</sheets><definedNames><definedName name="_xlchart.v1.0" hidden="1">\'The data\'!$A$2:$A$4</definedName></definedNames>',
  );
  parts['xl/worksheets/_rels/sheet1.xml.rels'] = relationships(['rId1', 'drawing', '../drawings/drawing1.xml']);
  parts['xl/drawings/drawing1.xml'] = drawingXml(inside ? chartFrame('rId1', 3) : alternative());
  parts['xl/drawings/_rels/drawing1.xml.rels'] = relationships(
    inside ? ['rId1', 'chart', '../charts/chart1.xml'] : ['rId1', 'chartEx', '../charts/chartEx1.xml'],
  );
  parts[`xl/charts/${inside ? 'chart1' : 'chartEx1'}.xml`] = inside ? chartXml(plot!, 'A title') : chartEx(layout);
  return zipped(parts);
}

/** What people see of a chart, by the sheet's name and without the ids. */
function facts(document: SheetDocument): unknown {
  return document.subSheets.map(({ name, charts }) => ({
    name,
    charts: charts.map(({ type, title, region, series, dataSheet, columnSeries, options }) => ({
      type,
      title,
      region,
      series,
      data: dataSheet && document.subSheet(dataSheet).name,
      columnSeries,
      kinds: (options as ChartOptions).series?.map((one) => [one?.type, one?.axis]),
    })),
  }));
}

describe('[finding X5] every kind of chart keeps its sheet, type, series and titles', () => {
  test.each(chartTypes.map((type) => [type]))('%s', (type) => {
    const { document, warnings } = readTestWorkbook(workbook(type, plots[type]));
    expect(warnings).toEqual([]);
    const [home] = document.subSheets;
    const [chart] = home!.charts;
    expect(chart).toMatchObject({ type, title: 'A title', dataSheet: document.byName('The data')!.id });
    const before = facts(document);
    const bytes = writeXlsx(document);
    expect(facts(readTestWorkbook(bytes).document)).toEqual(before);
    // Once somebody changes it, it is no longer written as it came.
    const { kept: _, ...own } = chart as Chart;
    edit(document, [putChart.of({ sheet: home!.id, chart: own })]);
    expect(facts(readTestWorkbook(writeXlsx(document)).document)).toEqual(before);
  });

  test('a title in a cell, and one that is the name of the only series', () => {
    const plot = plots.CHART_PIE!;
    const told = (title: string): string | undefined => {
      const parts = unzipSync(workbook('CHART_PIE', plot));
      const xml = strFromU8(parts['xl/charts/chart1.xml']!).replace(/<c:title>.*<\/c:title>/, title);
      return readTestWorkbook(zipped({ ...parts, 'xl/charts/chart1.xml': xml })).document.subSheets[0]!.charts[0]
        ?.title;
    };
    expect(
      told(
        '<c:title><c:tx><c:strRef><c:f>\'The data\'!$A$1</c:f><c:strCache><c:ptCount val="1"/><c:pt idx="0">' +
          '<c:v>Land</c:v></c:pt></c:strCache></c:strRef></c:tx></c:title>',
      ),
    ).toBe('Land');
    expect(told('<c:title><c:overlay val="0"/></c:title>')).toBe('Low');
    expect(told('')).toBe('');
  });

  test('a series without a name takes none from the cells of axis titles and labels', () => {
    const linked = (ref: string): string => `<c:tx><c:strRef><c:f>'The data'!${ref}</c:f></c:strRef></c:tx>`;
    const label = `<c:dLbls><c:dLbl><c:idx val="0"/>${linked('$D$2')}</c:dLbl></c:dLbls>`;
    const series = `<c:ser><c:idx val="0"/><c:order val="0"/>${label}<c:val>${numbers('C')}</c:val></c:ser>`;
    const axis = `<c:valAx><c:axId val="2"/><c:title>${linked('$A$1')}</c:title></c:valAx>`;
    for (const plot of [series, series.replace(label, '')]) {
      const { document, warnings } = readTestWorkbook(workbook('CHART_LINE', group('lineChart', '', plot) + axis));
      expect(warnings).toEqual([]);
      expect(document.subSheets[0]!.charts).toMatchObject([{ region: [1, 2, 3, 2], headerRow: false }]);
    }
  });

  test.each([
    ['surfaceChart', "a chart on 'Charts' is of a kind that is not drawn here (surfaceChart); it is kept for export"],
    ['sunburst', "a chart on 'Charts' is of a kind that is not drawn here (sunburst); it is kept for export"],
  ])('a warning names any other: %s', (kind, warning) => {
    const bytes = workbook(kind, kind === 'sunburst' ? undefined : group(kind));
    const { document, warnings } = readTestWorkbook(bytes);
    expect(warnings).toEqual([warning]);
    const part = kind === 'sunburst' ? /^xl\/charts\/.*chartEx/ : /^xl\/charts\/.*chart\d/;
    const parts = unzipSync(writeXlsx(document));
    const out = Object.keys(parts).filter((name) => part.test(name));
    expect(out.map((name) => strFromU8(parts[name]!).includes(kind))).toEqual([true]);
  });

  test('cells that no chart here takes are named in the warning', () => {
    const other = several.replace("'The data'!$B$2:$B$4", 'Charts!$B$2:$B$4');
    const { warnings } = readTestWorkbook(workbook('CHART_LINE', group('lineChart', stacked('standard'), other)));
    expect(warnings).toEqual([
      "a chart on 'Charts' (CHART_LINE) is from cells that charts here do not take (Charts!$B$2:$B$4, 'The " +
        "data'!$C$2:$C$4, 'The data'!$D$2:$D$4); it is kept for export",
    ]);
  });

  test('a tree map made here shows columns to programs that draw none', () => {
    const chart = {
      id: 'c',
      type: 'CHART_TREEMAP',
      title: 'Sizes <&>',
      region: [0, 0, 2, 1] as const,
      anchor: { row: 5, col: 5, offsetX: 0, offsetY: 0, width: 300, height: 200 },
      columnSeries: true,
      headerRow: true,
      categoryColumn: true,
      options: {},
    };
    const values = [
      ['k', 'v'],
      ['a', 2],
      ['b & c', 4],
    ];
    const document = documentOf(
      setRangeBlock.of({ sheet: 'one', row: 0, col: 0, rows: values }),
      putChart.of({ sheet: 'one', chart }),
    );
    const parts = unzipSync(writeXlsx(document));
    expect(strFromU8(parts['xl/charts/chartEx1.xml']!)).toContain('<cx:series layoutId="treemap"');
    expect(strFromU8(parts['xl/charts/chart1.xml']!)).toContain('<c:barChart>');
    expect(strFromU8(parts['[Content_Types].xml']!)).toContain('/xl/charts/chartEx1.xml');
    expect(readTestWorkbook(zipped(parts)).document.subSheets[0]!.charts[0]).toMatchObject({
      type: 'CHART_TREEMAP',
      title: 'Sizes <&>',
      region: [0, 0, 2, 1],
    });
  });
});
