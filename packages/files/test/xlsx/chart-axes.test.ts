import { expect, test } from 'vitest';
import { putChart, setRangeBlock } from '@sheaf/engine/internal/mutations';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { documentOf, readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';

const anchor = { row: 5, col: 5, offsetX: 0, offsetY: 0, width: 300, height: 200 };

for (const type of ['CHART_LINE', 'CHART_CLUSTERED_BAR', 'CHART_SCATTER']) {
  test(`[finding T11] axis titles, limits and formats of ${type} survive our own round trip`, () => {
    const options = {
      legend: { visible: false },
      xAxis: { title: 'Month', gridLines: true },
      yAxis: { title: 'Sales', min: 1, max: 9, numberFormat: '0.00', gridLines: false, visible: false },
    };
    const chart = {
      id: 'c',
      type,
      title: 'T',
      region: [0, 0, 2, 1] as const,
      anchor,
      columnSeries: true,
      headerRow: true,
      categoryColumn: true,
      options,
    };
    const document = documentOf(
      setRangeBlock.of({
        sheet: 'one',
        row: 0,
        col: 0,
        rows: [
          ['k', 'v'],
          [1, 2],
          [3, 4],
        ],
      }),
      putChart.of({ sheet: 'one', chart }),
    );
    const { document: read } = readTestWorkbook(writeXlsx(document, { images: new Map() }));
    expect(read.subSheets[0]!.charts[0]).toMatchObject({ type, title: 'T', options });
  });
}
