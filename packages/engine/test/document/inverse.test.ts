import { expect, test } from 'vitest';
import * as m from '../../src/mutations/index.ts';
import type { Mutation } from '../../src/mutations/index.ts';
import { loadSnapshot, encodeSnapshot } from '../../src/history/snapshot.ts';
import type { PivotTable } from '../../src/document/objects/sheet-objects.ts';
import { doc, region, type TestDocument } from './support.ts';

const pivot: PivotTable = {
  id: 'p1',
  name: 'Pivot',
  sourceSheet: 'Sheet1',
  source: region('A1:C6'),
  sheet: 'Sheet1',
  row: 0,
  col: 12,
  rowGroups: [0],
  columnGroups: [],
  values: [{ field: 2, aggregation: 'SUM' }],
  filters: [],
  calculated: [],
};
const anchor = { row: 8, col: 3, offsetX: 0, offsetY: 0, width: 100, height: 50 };

/** One of everything, so that every edit has something to carry along. */
function rich(): TestDocument {
  const d = doc('Sheet1', 'Other');
  d.fill('A1', [
    ['region', 'item', 'amount', '=SUM(C2:C6)', '=Other!A1&"!"'],
    ['north', 'a', 1, '=C2*2', '=ROW()'],
    ['south', 'b', 2, '=C3*2', '=$C$3'],
    ['north', 'c', 3, '=C4*2', '=SUBTOTAL(109,C2:C6)'],
    ['east', 'd', 4, '=C5*2', '=total'],
    ['west', 'e', 5, '=C6*2', '=SUM(C:C)'],
  ]);
  d.fill('Other!A1', [['other', '=Sheet1!C4', '=SUM(Sheet1!C3:C5)', '=Missing!A1', '=SEQUENCE(3)']]);
  d.edit(
    m.defineName.of({ name: 'total', formula: '=SUM(Sheet1!$C$2:$C$6)' }),
    m.defineName.of({ name: 'lost', formula: '=Missing!$A$1' }),
    m.setStyle.of({ sheet: 'Sheet1', region: region('A1:E1'), set: { bold: true, bgColor: 'FFEEEEEE' } }),
    m.setStyle.of({ sheet: 'Sheet1', region: region('C1:C1048576'), set: { numberFormat: '0.00' } }),
    m.setBorder.of({
      sheet: 'Sheet1',
      region: region('A1:C6'),
      top: '1:000000',
      bottom: '2:FF0000',
      innerVertical: '1:00FF00',
    }),
    m.merge.of({ sheet: 'Sheet1', regions: [region('G2:H4'), region('G8:I8')] }),
    m.setSize.of({ sheet: 'Sheet1', axis: 'row', runs: [[1, 3, 30]] }),
    m.setSize.of({ sheet: 'Sheet1', axis: 'col', runs: [[2, 2, 120]] }),
    m.setVisible.of({ sheet: 'Sheet1', axis: 'col', runs: [[9, 9, 1]] }),
    m.setFreeze.of({ sheet: 'Sheet1', rows: 1, cols: 2 }),
    m.setFilter.of({
      sheet: 'Sheet1',
      filter: {
        id: 'f1',
        region: region('A1:C6'),
        columns: [{ col: 0, visible: ['north'] }],
        hidden: [
          [2, 2],
          [4, 5],
        ],
      },
    }),
    m.setLink.of({
      sheet: 'Sheet1',
      links: [
        [1, 1, { id: 'l1', url: 'https://example.com' }],
        [4, 0, { id: 'l2', url: 'https://example.org' }],
      ],
    }),
    m.setRichText.of({ sheet: 'Sheet1', texts: [[2, 0, [{ text: 'so' }, { text: 'uth', style: { bold: true } }]]] }),
    m.putImage.of({ sheet: 'Sheet1', image: { id: 'i1', name: 'logo', blob: 'b1', mime: 'image/png', anchor } }),
    m.putChart.of({
      sheet: 'Sheet1',
      chart: {
        id: 'c1',
        type: 'CHART_LINE',
        title: 'Amounts',
        region: region('A1:C6'),
        anchor,
        options: { legend: { show: true } },
      },
    }),
    m.putProtect.of({ sheet: 'Sheet1', protection: { id: 'r1', owner: 'ann', region: region('B2:C4') } }),
    m.putPivot.of({ pivot }),
    m.putMark.of({
      sheet: 'Sheet1',
      list: 'formats',
      mark: {
        id: 'x1',
        regions: [region('A2:C6')],
        kind: 'formula',
        formulas: ['$B2>Other!$A$1'],
        style: { bold: true },
      },
    }),
    m.putMark.of({
      sheet: 'Sheet1',
      list: 'comments',
      mark: { id: 'k1', regions: [region('B3')], entries: [{ id: 'e1', author: 'ann', at: 1, text: 'hm' }] },
    }),
    m.putMark.of({
      sheet: 'Sheet1',
      list: 'tables',
      mark: {
        id: 't1',
        number: 7,
        name: 'Data',
        regions: [region('A1:D6')],
        columns: [1, 2, 3, 4].map((number) => ({ number, name: '' })),
        next: 5,
      },
    }),
    m.defineName.of({ name: 'amounts', formula: '=SUM(Data[amount])' }),
    m.setValues.of({
      sheet: 'Other',
      formulas: [
        [5, 0, 1, '=SUM(Data[amount])+amounts'],
        [6, 0, 1, '=COUNTA(Data[#All])'],
      ],
    }),
    m.setValues.of({ sheet: 'Sheet1', formulas: [[1, 5, 5, '=Data[@amount]*2']] }),
  );
  return d;
}

const sheet = 'Sheet1';
const cases: [string, () => Mutation][] = [
  [
    'set_values',
    () =>
      m.setValues.of({
        sheet,
        values: [
          [1, 0, ['x', null, 7, true, { error: '#N/A' }]],
          [500, 40, [1]],
        ],
        formulas: [[1, 3, 2, '=A2&1']],
      }),
  ],
  ['set_values over a spilled array', () => m.setValues.of({ sheet: 'Other', values: [[2, 4, [1]]] })],
  [
    'set_range_block',
    () => m.setRangeBlock.of({ sheet, row: 3, col: 1, rows: [[1, null, { formula: '=B4' }], ['t']] }),
  ],
  ['set_range_block on blank cells', () => m.setRangeBlock.of({ sheet, row: 300, col: 30, rows: [[1, 2], [3]] })],
  ['clear_contents', () => m.clearContents.of({ sheet, region: region('A1:Z1048576') })],
  [
    'set_style',
    () =>
      m.setStyle.of({ sheet, region: region('B1:C3'), set: { bold: null, italic: true, numberFormat: 'yyyy-mm-dd' } }),
  ],
  ['set_style clear', () => m.setStyle.of({ sheet, region: region('A1:XFD1048576'), clear: 'all' })],
  [
    'set_border',
    () => m.setBorder.of({ sheet, region: region('B2:C3'), top: null, left: '5:123456', innerHorizontal: '1:000000' }),
  ],
  ['merge', () => m.merge.of({ sheet, regions: [region('A2:B3'), region('D4:E4')] })],
  ['unmerge', () => m.unmerge.of({ sheet, regions: [region('G2:H4')] })],
  ['insert rows', () => m.insertDimension.of({ sheet, axis: 'row', at: 2, count: 3 })],
  ['insert columns', () => m.insertDimension.of({ sheet, axis: 'col', at: 1, count: 2 })],
  ['insert rows far below', () => m.insertDimension.of({ sheet, axis: 'row', at: 1000, count: 1_000_000 })],
  ['delete rows', () => m.deleteDimension.of({ sheet, axis: 'row', at: 1, count: 3 })],
  ['delete columns', () => m.deleteDimension.of({ sheet, axis: 'col', at: 0, count: 3 })],
  ['delete columns of the pivot table', () => m.deleteDimension.of({ sheet, axis: 'col', at: 10, count: 6 })],
  ['delete all rows', () => m.deleteDimension.of({ sheet, axis: 'row', at: 0, count: 200 })],
  ['move rows down', () => m.moveDimension.of({ sheet, axis: 'row', from: 4, count: 2, to: 12 })],
  ['move rows up', () => m.moveDimension.of({ sheet, axis: 'row', from: 4, count: 2, to: 0 })],
  ['move columns', () => m.moveDimension.of({ sheet, axis: 'col', from: 2, count: 1, to: 6 })],
  ['move_lines inside', () => m.moveLines.of({ sheet, axis: 'row', from: 4, count: 1, to: 6 })],
  ['move_lines out', () => m.moveLines.of({ sheet, axis: 'row', from: 4, count: 2, to: 12 })],
  ['move_lines in', () => m.moveLines.of({ sheet, axis: 'row', from: 9, count: 2, to: 3 })],
  ['move_lines, columns out', () => m.moveLines.of({ sheet, axis: 'col', from: 0, count: 1, to: 6 })],
  ['move_lines, columns inside', () => m.moveLines.of({ sheet, axis: 'col', from: 2, count: 1, to: 0 })],
  [
    'set_size',
    () =>
      m.setSize.of({
        sheet,
        axis: 'row',
        runs: [
          [0, 2, 12.5],
          [2, 4, 0],
        ],
      }),
  ],
  [
    'set_visible',
    () =>
      m.setVisible.of({
        sheet,
        axis: 'row',
        runs: [
          [0, 3, 1],
          [1, 1, 0],
        ],
      }),
  ],
  ['insert_range down', () => m.insertRange.of({ sheet, region: region('A2:C3'), axis: 'row' })],
  ['insert_range right', () => m.insertRange.of({ sheet, region: region('B5:C6'), axis: 'col' })],
  ['delete_range up', () => m.deleteRange.of({ sheet, region: region('A2:C3'), axis: 'row' })],
  ['delete_range left', () => m.deleteRange.of({ sheet, region: region('B5:D6'), axis: 'col' })],
  ['freeze', () => m.setFreeze.of({ sheet, rows: 0, cols: 0 })],
  [
    'set_filter',
    () => m.setFilter.of({ sheet, filter: { id: 'f2', region: region('A20:B30'), columns: [], hidden: [] } }),
  ],
  [
    'update_filter',
    () =>
      m.updateFilter.of({
        sheet,
        filter: { id: 'f1', region: region('A1:D6'), columns: [{ col: 1, visible: ['a'] }], hidden: [[2, 5]] },
      }),
  ],
  ['remove_filter', () => m.removeFilter.of({ sheet, id: 'f1' })],
  ['permute_rows', () => m.permuteRows.of({ sheet, region: region('A2:E6'), order: [4, 2, 0, 1, 3] })],
  [
    'set_link',
    () =>
      m.setLink.of({
        sheet,
        links: [
          [1, 1, { id: 'l3', url: 'https://example.net' }],
          [0, 0, { id: 'l4', url: 'https://example.net' }],
        ],
      }),
  ],
  [
    'clear_link',
    () =>
      m.clearLink.of({
        sheet,
        cells: [
          [1, 1],
          [0, 0],
        ],
      }),
  ],
  ['put_image', () => m.putImage.of({ sheet, image: { id: 'i2', name: 'x', blob: 'b2', mime: 'image/png', anchor } })],
  ['remove_image', () => m.removeImage.of({ sheet, id: 'i1' })],
  ['add_sheet', () => m.addSheet.of({ sheet: 'new', name: 'Missing', at: 0 })],
  ['delete_sheet that others read', () => m.deleteSheet.of({ sheet: 'Sheet1' })],
  ['delete_sheet with an array', () => m.deleteSheet.of({ sheet: 'Other' })],
  ['rename_sheet', () => m.renameSheet.of({ sheet, name: 'My data' })],
  ['rename_sheet to a name that was missing', () => m.renameSheet.of({ sheet, name: 'missing' })],
  ['move_sheet', () => m.moveSheet.of({ sheet, to: 1 })],
  [
    'put_chart',
    () =>
      m.putChart.of({ sheet, chart: { id: 'c1', type: 'CHART_PIE', title: 'T', region: null, anchor, options: {} } }),
  ],
  ['remove_chart', () => m.removeChart.of({ sheet, id: 'c1' })],
  ['put_pivot', () => m.putPivot.of({ pivot: { ...pivot, columnGroups: [1], row: 4 } })],
  ['put_pivot with no room', () => m.putPivot.of({ pivot: { ...pivot, id: 'p2', row: 0, col: 1 } })],
  ['remove_pivot', () => m.removePivot.of({ id: 'p1' })],
  ['put_protect', () => m.putProtect.of({ sheet, protection: { id: 'r2', owner: 'bob', region: null } })],
  ['remove_protect', () => m.removeProtect.of({ sheet, id: 'r1' })],
  [
    'put_mark',
    () => m.putMark.of({ sheet, list: 'formats', mark: { id: 'x1', regions: [region('A1')], kind: 'blank' }, at: 0 }),
  ],
  [
    'put_mark, a new one',
    () =>
      m.putMark.of({
        sheet,
        list: 'validations',
        mark: { id: 'v1', regions: [region('A1:A9')], kind: 'whole', formulas: ['1', '9'] },
      }),
  ],
  [
    'put_mark, a table under another name',
    () =>
      m.putMark.of({
        sheet,
        list: 'tables',
        mark: {
          id: 't1',
          number: 7,
          name: 'Sales',
          regions: [region('A1:C7')],
          totals: true,
          columns: [1, 2, 3].map((number) => ({ number, name: '' })),
          next: 5,
        },
      }),
  ],
  ['remove_mark, a table', () => m.removeMark.of({ sheet, list: 'tables', id: 't1' })],
  ['delete the headings of a table', () => m.deleteDimension.of({ sheet, axis: 'row', at: 0, count: 1 })],
  ['delete a column of a table', () => m.deleteDimension.of({ sheet, axis: 'col', at: 2, count: 1 })],
  ['remove_mark', () => m.removeMark.of({ sheet, list: 'comments', id: 'k1' })],
  ['set_setup', () => m.setSetup.of({ sheet, setup: { zoom: 50, gridlines: false } })],
  [
    'set_groups',
    () =>
      m.setGroups.of({
        sheet,
        axis: 'row',
        runs: [
          [1, 4, 1],
          [2, 3, 2],
          [5, 5, 8],
        ],
      }),
  ],
  ['define_name', () => m.defineName.of({ name: 'TOTAL', formula: '=1' })],
  ['remove_name', () => m.removeName.of({ name: 'total' })],
  ['restore_block', () => m.restoreBlock.of({ sheet, region: region('A1:E6'), values: [[0, 0, [1, 2]]] })],
  [
    'restore_styles',
    () => m.restoreStyles.of({ sheet, region: region('A1:E6'), styles: [{ italic: true }], runs: [[0, 0, 3, 0]] }),
  ],
  [
    'restore_state',
    () => m.restoreState.of({ sheet, state: { merges: [], links: [] }, names: [{ name: 'total', formula: '=2' }] }),
  ],
  ['set_grid', () => m.setGrid.of({ sheet, rows: 300, cols: 30 })],
  [
    'set_rich_text',
    () =>
      m.setRichText.of({
        sheet,
        texts: [
          [2, 0, null],
          [3, 0, [{ text: 'north' }]],
        ],
      }),
  ],
];

test('every kind of mutation is here', () => {
  const used = new Set(cases.map(([, make]) => make().type));
  expect(m.mutationKinds.filter(({ type }) => !used.has(type))).toEqual([]);
});

test('numbers and names of mutations never change', () => {
  const numbered = m.mutationKinds.map(({ type, name }) => `${type} ${name}`);
  const released = [
    '1 set_values',
    '2 set_range_block',
    '3 clear_contents',
    '4 set_style',
    '5 set_border',
    '6 merge',
    '7 unmerge',
    '8 insert_dimension',
    '9 delete_dimension',
    '10 move_dimension',
    '11 set_size',
    '12 set_visible',
    '13 insert_range',
    '14 delete_range',
    '15 set_freeze',
    '16 set_filter',
    '17 update_filter',
    '18 remove_filter',
    '19 permute_rows',
    '20 set_link',
    '21 clear_link',
    '22 put_image',
    '23 remove_image',
    '24 add_sheet',
    '25 delete_sheet',
    '26 rename_sheet',
    '27 move_sheet',
    '28 put_chart',
    '29 remove_chart',
    '30 put_pivot',
    '31 remove_pivot',
    '32 put_protect',
    '33 remove_protect',
    '34 define_name',
    '35 remove_name',
    '36 restore_block',
    '37 restore_styles',
    '38 restore_state',
    '39 set_grid',
    '40 set_rich_text',
    '41 move_lines',
    '44 put_mark',
    '45 remove_mark',
    '46 set_setup',
    '47 set_groups',
  ];
  expect(numbered.slice(0, released.length)).toEqual(released);
});

for (const [name, make] of cases) {
  test(`${name}: undone, the snapshot is the same byte for byte; done again, too`, () => {
    const d = rich();
    const before = d.bytes();
    const mutation = JSON.parse(JSON.stringify(make())) as Mutation;
    const { inverse } = d.edit(mutation);
    const after = d.bytes();
    expect(after).not.toBe(before);
    const { inverse: again } = d.edit(...(JSON.parse(JSON.stringify(inverse)) as Mutation[]));
    expect(d.bytes()).toBe(before);
    d.edit(...(JSON.parse(JSON.stringify(again)) as Mutation[]));
    expect(d.bytes()).toBe(after);
  });
}

test('a snapshot opens as the document it was made from', () => {
  const d = rich();
  const bytes = encodeSnapshot(d.document);
  expect(Buffer.compare(encodeSnapshot(loadSnapshot(bytes)), bytes)).toBe(0);
});
