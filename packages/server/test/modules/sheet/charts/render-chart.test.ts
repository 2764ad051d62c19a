import { expect, test } from 'vitest';
import { readChartData } from '@sheaf/charts/chart-data';
import { resolveOptions } from '@sheaf/charts/chart-options';
import { renderChart } from '../../../../src/modules/sheet/charts/render-chart.ts';
import { chartTypes } from '@sheaf/charts/chart-types';
import { type Chart, setRangeBlock } from '@sheaf/engine';
import { documentOf } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';

const anchor = { row: 0, col: 5, offsetX: 0, offsetY: 0, width: 480, height: 300 };
const rows = [
  ['city', 'high', 'low', 'close'],
  ['Ayr', 9, 2, 5],
  ['Bonn', 8, 3, 6],
  ['Cork', 7, 4, 5],
  ['Dole', 6, 1, 2],
];

async function draw(
  chart: Partial<Chart>,
  format: 'svg' | 'png' = 'svg',
  cells: (string | number)[][] = rows,
): Promise<Uint8Array> {
  const document = documentOf(setRangeBlock.of({ sheet: 'one', row: 0, col: 0, rows: cells }));
  const whole: Chart = {
    id: 'c',
    type: 'CHART_LINE',
    title: 'Weather',
    region: [0, 0, cells.length - 1, cells[0]!.length - 1],
    anchor,
    headerRow: true,
    categoryColumn: true,
    options: {},
    ...chart,
  };
  const sub = document.subSheets[0]!;
  const data = readChartData(document, sub, whole);
  return renderChart({
    data,
    options: resolveOptions(whole, data),
    type: whole.type,
    width: anchor.width,
    height: anchor.height,
    format,
  });
}

const svgOf = async (...given: Parameters<typeof draw>): Promise<string> =>
  Buffer.from(await draw(...given)).toString();
const count = (svg: string, pattern: RegExp): number => [...svg.matchAll(pattern)].length;

const colors = {
  legend: { visible: false },
  series: [{ color: '123456' }, { color: '#654321' }, { color: 'FFABCDEF' }],
};

test.each(chartTypes)('%s is drawn with its title', async (type) => {
  const svg = await svgOf({ type });
  expect(svg).toMatch(/^<svg /);
  expect(svg).toContain('>Weather</text>');
  expect(svg).not.toContain('NaN');
});

test('columns: one mark for each value of each series', async () => {
  const svg = await svgOf({ type: 'CHART_CLUSTERED_COLUMN', options: colors });
  expect([count(svg, /fill="#123456"/g), count(svg, /fill="#654321"/g), count(svg, /fill="#ABCDEF"/gi)]).toEqual([
    4, 4, 4,
  ]);
  for (const name of ['Ayr', 'Bonn', 'Cork', 'Dole']) expect(svg).toContain(`>${name}</text>`);
});

test('bars lie on their side', async () => {
  const svg = await svgOf({ type: 'CHART_CLUSTERED_BAR', options: colors });
  expect(count(svg, /fill="#123456"/g)).toBe(4);
});

test('lines: one line for each series, and a dot for each value', async () => {
  const svg = await svgOf({ type: 'CHART_LINE', options: colors });
  expect(count(svg, /<path[^>]*fill="none"[^>]*stroke="#123456"/g)).toBe(1);
  expect(count(svg, /<path[^>]*fill="none"[^>]*stroke="#654321"/g)).toBe(1);
  expect(count(svg, /<path[^>]*fill="#fff"[^>]*stroke="#123456"/g)).toBe(4);
});

test('a pie has a slice for each category and names them', async () => {
  const svg = await svgOf({ type: 'CHART_PIE', options: { legend: { visible: false } } });
  for (const name of ['Ayr', 'Bonn', 'Cork', 'Dole']) expect(count(svg, new RegExp(`>${name}</text>`, 'g'))).toBe(1);
});

test('a scatter has a point for each pair of numbers', async () => {
  const svg = await svgOf(
    { type: 'CHART_SCATTER', options: { legend: { visible: false }, series: [{}, { color: '123456' }] } },
    'svg',
    [
      ['x', 'y', 'z'],
      ['a', 1, 10],
      ['b', 2, 20],
      ['c', 3, 30],
    ],
  );
  expect(count(svg, /fill="#123456"/g)).toBe(3);
});

test('bubbles have their size by area', async () => {
  const svg = await svgOf(
    { type: 'CHART_BUBBLE', options: { legend: { visible: false }, series: [{ color: '123456' }] } },
    'svg',
    [
      ['x', 'y', 'size'],
      [1, 5, 1],
      [2, 6, 4],
    ],
  );
  const scales = [...svg.matchAll(/fill="#123456"[^>]*/g)].map(([tag]) => tag);
  expect(scales).toHaveLength(2);
});

test('a combination draws columns and a line on a second axis', async () => {
  const options = {
    legend: { visible: false },
    secondaryYAxis: { title: 'Second' },
    series: [{ color: '123456' }, { color: '654321' }, { color: 'ABCDEF', axis: 'secondary' }],
  };
  const svg = await svgOf({ type: 'CHART_CUSTOM_COMBO', options });
  expect(count(svg, /fill="#123456"/g)).toBe(4);
  expect(count(svg, /<path[^>]*fill="none"[^>]*stroke="#ABCDEF"/gi)).toBe(1);
  expect(svg).toContain('>Second</text>');
});

test('a region map is a table of regions, highest first', async () => {
  const svg = await svgOf({ type: 'CHART_REGION_MAP' });
  for (const name of ['1. Ayr', '2. Bonn', '3. Cork', '4. Dole']) expect(svg).toContain(`>${name}</text>`);
});

test('a tree map has a tile for each category, a stock chart a mark for each day', async () => {
  expect(await svgOf({ type: 'CHART_TREEMAP' })).toContain('>Dole</text>');
  const svg = await svgOf({ type: 'CHART_HIGH_LOW_CLOSE_STOCK' });
  expect(svg).toContain('>Ayr</text>');
});

test('hostile titles and names stay text', async () => {
  const evil = '</text><script>alert(1)</script><image href="x" onerror="y">';
  const svg = await svgOf(
    { type: 'CHART_LINE', title: evil, options: { legend: { visible: true }, xAxis: { title: evil } } },
    'svg',
    [
      [evil, evil, 'b'],
      [evil, 1, 2],
      ['c', 3, 4],
    ],
  );
  expect(svg).not.toContain('<script');
  expect(svg).not.toContain('<image');
  expect(svg).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});

test('a PNG has the signature and the size asked for', async () => {
  const png = Buffer.from(await draw({ type: 'CHART_CLUSTERED_COLUMN' }, 'png'));
  expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([480, 300]);
});

test('a chart without cells is drawn empty', async () => {
  expect(await svgOf({ type: 'CHART_PIE', region: null })).toContain('>Weather</text>');
});
