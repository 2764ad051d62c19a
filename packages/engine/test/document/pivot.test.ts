import { expect, test } from 'vitest';
import { cellReplies } from '../../src/document/get-cell-data-reply.ts';
import { find } from '../../src/document/find.ts';
import * as m from '../../src/mutations/index.ts';
import { pivotFits } from '../../src/document/pivot/pivot-output.ts';
import { aggregations, type PivotTable } from '../../src/document/objects/sheet-objects.ts';
import { doc, rect, region, type TestDocument } from './support.ts';

const base: PivotTable = {
  id: 'p',
  name: 'P',
  sourceSheet: 'Data',
  source: region('A1:D7'),
  sheet: 'Sheet1',
  row: 0,
  col: 0,
  rowGroups: [],
  columnGroups: [],
  values: [],
  filters: [],
  calculated: [],
};

function sales(): TestDocument {
  return doc('Sheet1', 'Data').fill('Data!A1', [
    ['region', 'year', 'revenue', 'profit'],
    ['north', 2023, 10, 1],
    ['south', 2023, 20, 2],
    ['North', 2024, 30, 6],
    ['south', 2024, 40, 4],
    ['east', 2024, 50, 5],
    [null, 2024, 60, 30],
  ]);
}

const show = (d: TestDocument, change: Partial<PivotTable>): void =>
  void d.edit(m.putPivot.of({ pivot: { ...base, ...change } }));

test('rows, columns and grand totals', () => {
  const d = sales();
  show(d, { rowGroups: [0], columnGroups: [1], values: [{ field: 2, aggregation: 'SUM' }] });
  expect(d.texts('A1:D6')).toEqual([
    ['region', '2023', '2024', 'Grand Total'],
    ['east', '', '50', '50'],
    ['north', '10', '30', '40'],
    ['south', '20', '40', '60'],
    ['(blank)', '', '60', '60'],
    ['Grand Total', '30', '180', '210'],
  ]);
});

test('several values, and calculated ones over sums of fields', () => {
  const d = sales();
  show(d, {
    columnGroups: [1],
    values: [{ field: 2, aggregation: 'SUM' }],
    calculated: [{ name: 'margin', formula: "='profit'/revenue" }],
  });
  expect(d.texts('A1:G3')).toEqual([
    ['year', '2023', '2023', '2024', '2024', 'Grand Total', 'Grand Total'],
    ['', 'SUM of revenue', 'margin', 'SUM of revenue', 'margin', 'SUM of revenue', 'margin'],
    ['Grand Total', '30', '0.1', '180', '0.25', '210', '0.228571429'],
  ]);
  show(d, {
    rowGroups: [1],
    calculated: [
      { name: 'bad', formula: '=profit+' },
      { name: 'zero', formula: '=1/(profit-profit)' },
    ],
  });
  expect(d.texts('A1:C2')).toEqual([
    ['year', 'bad', 'zero'],
    ['2023', '#NAME?', '#DIV/0!'],
  ]);
});

test.each([
  ['SUM', '210'],
  ['COUNT', '6'],
  ['AVERAGE', '35'],
  ['MAX', '60'],
  ['MIN', '10'],
  ['PRODUCT', '720000000'],
  ['COUNTNUMS', '6'],
  ['STDEV', '18.70828693'],
  ['STDEVP', '17.07825128'],
  ['VAR', '350'],
  ['VARP', '291.6666667'],
] as const)('%s of revenue is %s', (aggregation, text) => {
  const d = sales();
  show(d, { values: [{ field: 2, aggregation }] });
  expect(d.texts('A1:B2')).toEqual([
    ['', `${aggregation} of revenue`],
    ['Grand Total', text],
  ]);
});

test('all eleven aggregations are tested', () => {
  expect([...aggregations]).toEqual([
    'SUM',
    'COUNT',
    'AVERAGE',
    'MAX',
    'MIN',
    'PRODUCT',
    'COUNTNUMS',
    'STDEV',
    'STDEVP',
    'VAR',
    'VARP',
  ]);
});

test('text is counted, errors show', () => {
  const d = sales().set('Data!C2', 'ten').set('Data!C3', '=1/0');
  show(d, {
    rowGroups: [0],
    values: [
      { field: 2, aggregation: 'COUNT' },
      { field: 2, aggregation: 'COUNTNUMS' },
      { field: 2, aggregation: 'SUM' },
    ],
  });
  expect(d.texts('B3:D4')).toEqual([
    ['2', '1', '30'],
    ['2', '1', '#DIV/0!'],
  ]);
});

test('filters keep the records whose shown text is listed', () => {
  const d = sales();
  show(d, {
    rowGroups: [0],
    values: [{ field: 2, aggregation: 'SUM' }],
    filters: [
      { field: 1, visible: ['2023'] },
      { field: 0, visible: null },
    ],
  });
  expect(d.texts('A1:B4')).toEqual([
    ['region', 'SUM of revenue'],
    ['north', '10'],
    ['south', '20'],
    ['Grand Total', '30'],
  ]);
});

test('a pivot table follows its source, formulas follow it, and undoing brings all back', () => {
  const d = sales().set('H1', '=SUM(B2:B9)');
  show(d, { rowGroups: [0], values: [{ field: 2, aggregation: 'SUM' }] });
  expect(d.text('H1')).toBe('420');
  const before = d.bytes();
  const { inverse, changed } = d.edit(
    m.setValues.of({
      sheet: 'Data',
      values: [
        [1, 0, ['west']],
        [1, 2, [1000]],
      ],
    }),
  );
  expect(d.texts('A1:B7')).toEqual([
    ['region', 'SUM of revenue'],
    ['east', '50'],
    ['North', '30'],
    ['south', '60'],
    ['west', '1000'],
    ['(blank)', '60'],
    ['Grand Total', '1200'],
  ]);
  expect(d.text('H1')).toBe('2400');
  expect(changed.some(({ sheet, col }) => sheet === 'Sheet1' && col === 7)).toBe(true);
  d.edit(...inverse);
  expect(d.bytes()).toBe(before);
});

test('data is never overwritten: #SPILL! until there is room', () => {
  const d = sales().set('A3', 'mine');
  const pivot = { ...base, rowGroups: [0], values: [{ field: 2, aggregation: 'SUM' as const }] };
  expect(pivotFits(d.document, pivot)).toBe(false);
  show(d, pivot);
  expect(d.texts('A1:A3')).toEqual([['#SPILL!'], [''], ['mine']]);
  d.set('A3', '');
  d.edit(m.clearContents.of({ sheet: 'Sheet1', region: region('A3:A3') }));
  expect(pivotFits(d.document, pivot)).toBe(true);
  expect(d.texts('A1:A3')).toEqual([['region'], ['east'], ['north']]);
  const before = d.bytes();
  const { inverse } = d.edit(m.setValues.of({ sheet: 'Sheet1', values: [[3, 1, ['in the way']]] }));
  expect(d.texts('A1:B4')).toEqual([
    ['#SPILL!', ''],
    ['', ''],
    ['', ''],
    ['', 'in the way'],
  ]);
  d.edit(...inverse);
  expect(d.bytes()).toBe(before);
});

test('the output is computed, not content: clearing leaves it, removing the table clears it', () => {
  const d = sales();
  show(d, { rowGroups: [0], values: [{ field: 2, aggregation: 'SUM' }] });
  d.edit(m.clearContents.of({ sheet: 'Sheet1', region: region('A1:Z99') }));
  expect(d.text('A2')).toBe('east');
  d.edit(m.removePivot.of({ id: 'p' }));
  expect(d.texts('A1:B3')).toEqual([
    ['', ''],
    ['', ''],
    ['', ''],
  ]);
  expect(d.document.pivotsMeeting(d.sheet(), { top: 0, left: 0, bottom: 9, right: 9 })).toEqual([]);
});

test('[finding T8] labels of days are days: values, shown by the format of their source', () => {
  const d = doc('Sheet1', 'Data').fill('Data!A1', [
    ['day', 'n'],
    [45_001, 1],
    [45_000, 2],
    [45_001, 3],
  ]);
  d.edit(m.setStyle.of({ sheet: 'Data', region: region('A1:A9'), set: { numberFormat: 'yyyy-mm-dd' } }));
  show(d, { source: region('A1:B4'), rowGroups: [0], values: [{ field: 1, aggregation: 'SUM' }] });
  expect(d.texts('A2:B3')).toEqual([
    ['2023-03-15', '2'],
    ['2023-03-16', '4'],
  ]);
  expect(d.document.value(d.sheet(), 1, 0)).toBe(45_000);
  expect(cellReplies(d.document, d.sheet(), rect('A2:A4'))).toEqual([
    { row: 1, col: 0, value_type: 'TIME_STRING', number_value: 45_000, string_value: '2023-03-15' },
    { row: 2, col: 0, value_type: 'TIME_STRING', number_value: 45_001, string_value: '2023-03-16' },
    { row: 3, col: 0, value_type: 'STRING', string_value: 'Grand Total' },
  ]);
  expect(find(d.document, { term: '2023-03-16', sheets: [d.sheet()] }).results.map(({ address }) => address)).toEqual([
    'A3',
  ]);
  d.set('Data!D1', '=GETPIVOTDATA("n",Sheet1!A1,"day",45001)').set(
    'Data!D2',
    '=GETPIVOTDATA("n",Sheet1!A1,"day","2023-03-15")',
  );
  expect([d.text('Data!D1'), d.text('Data!D2')]).toEqual(['4', '2']);
  show(d, { source: region('A1:B4'), columnGroups: [0], values: [{ field: 1, aggregation: 'SUM' }] });
  expect(d.texts('A1:D2')).toEqual([
    ['day', '2023-03-15', '2023-03-16', 'Grand Total'],
    ['Grand Total', '2', '4', '6'],
  ]);
  d.edit(m.setStyle.of({ sheet: 'Data', region: region('A1:A9'), set: { numberFormat: 'd mmm yy' } }));
  expect(d.text('B1')).toBe('15 Mar 23');
});
