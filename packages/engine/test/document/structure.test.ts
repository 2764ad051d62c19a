import { expect, test } from 'vitest';
import * as m from '../../src/mutations/index.ts';
import type { PivotTable } from '../../src/document/objects/sheet-objects.ts';
import { rectName } from '../../src/base/address.ts';
import { rectOf, type Region } from '../../src/document/objects/rect.ts';
import { doc, region } from './support.ts';

const sheet = 'Sheet1';
const anchor = { row: 8, col: 3, offsetX: 0, offsetY: 0, width: 100, height: 50 };
const name = (one: Region | null | undefined): string => (one ? rectName(rectOf(one)) : 'none');

test('inserting rows carries everything below', () => {
  const d = doc().fill('A1', [[1], [2], ['=SUM(A1:A2)']]);
  d.edit(
    m.setStyle.of({ sheet, region: region('A2:A2'), set: { bold: true } }),
    m.merge.of({ sheet, regions: [region('C2:D3')] }),
    m.setLink.of({ sheet, links: [[1, 0, { id: 'l', url: 'https://example.com' }]] }),
    m.setSize.of({ sheet, axis: 'row', runs: [[1, 1, 40]] }),
    m.setVisible.of({ sheet, axis: 'row', runs: [[5, 5, 1]] }),
    m.setFilter.of({
      sheet,
      filter: { id: 'f', region: region('F1:G9'), columns: [{ col: 5, visible: ['x'] }], hidden: [[3, 4]] },
    }),
    m.putChart.of({
      sheet,
      chart: { id: 'c', type: 'CHART_LINE', title: '', region: region('A1:A3'), anchor, options: {} },
    }),
    m.putProtect.of({ sheet, protection: { id: 'p', owner: 'ann', region: region('A2:A3') } }),
  );
  d.edit(m.insertDimension.of({ sheet, axis: 'row', at: 1, count: 2 }));
  const sub = d.sheet();
  expect(d.texts('A1:A5')).toEqual([['1'], [''], [''], ['2'], ['3']]);
  expect(d.formula('A5')).toBe('=SUM(A1:A4)');
  expect([d.style('A2'), d.style('A4')]).toEqual([{}, { bold: true }]);
  expect(sub.merges.list().map(rectName)).toEqual(['C4:D5']);
  expect(sub.links.list()).toEqual([{ row: 3, col: 0, value: { id: 'l', url: 'https://example.com' } }]);
  expect(sub.rowSizes.list()).toEqual([[3, 3, 40]]);
  expect(sub.hiddenRows.list()).toEqual([[7, 7, 1]]);
  expect([name(sub.filters[0]?.region), sub.filters[0]?.hidden]).toEqual(['F1:G11', [[5, 6]]]);
  expect([name(sub.charts[0]?.region), sub.charts[0]?.anchor.row]).toEqual(['A1:A5', 10]);
  expect(name(sub.protections[0]?.region)).toBe('A4:A5');
  expect(sub.rows).toBe(202);
});

test('deleting what a thing stands on takes it away, a chart only its data', () => {
  const d = doc().fill('A1', [[1, 2, '=A1+B1', '=SUM(A1:B1)']]);
  d.edit(
    m.putChart.of({
      sheet,
      chart: { id: 'c', type: 'CHART_LINE', title: '', region: region('A1:B3'), anchor, options: {} },
    }),
    m.putProtect.of({ sheet, protection: { id: 'p', owner: 'ann', region: region('A2:B3') } }),
    m.setFilter.of({
      sheet,
      filter: { id: 'f', region: region('A1:B9'), columns: [{ col: 0, visible: ['1'] }], hidden: [[3, 4]] },
    }),
    m.deleteDimension.of({ sheet, axis: 'col', at: 0, count: 2 }),
  );
  const sub = d.sheet();
  expect([d.formula('A1'), d.text('A1')]).toEqual(['=#REF!+#REF!', '#REF!']);
  expect([name(sub.charts[0]?.region), sub.protections, sub.filters, sub.cols]).toEqual(['none', [], [], 24]);
});

test('a range inserted shifts only its own columns', () => {
  const d = doc().fill('A1', [
    [1, 'x'],
    [2, 'y'],
    [3, 'z'],
    ['=SUM(A1:A3)', '=A3'],
  ]);
  d.edit(m.insertRange.of({ sheet, region: region('A2:A2'), axis: 'row' }));
  expect(d.texts('A1:B5')).toEqual([
    ['1', 'x'],
    ['', 'y'],
    ['2', 'z'],
    ['3', '3'],
    ['6', ''],
  ]);
  expect([d.formula('A5'), d.formula('B4')]).toEqual(['=SUM(A1:A4)', '=A4']);
});

test('a range inserted through a merged area is refused', () => {
  const d = doc();
  d.edit(m.merge.of({ sheet, regions: [region('A3:B4')] }));
  const before = d.bytes();
  expect(() => d.edit(m.insertRange.of({ sheet, region: region('A1:A1'), axis: 'row' }))).toThrow(
    'the edit would cut the merged area A3:B4',
  );
  expect(d.bytes()).toBe(before);
});

test('moved rows keep their formulas, references follow', () => {
  const d = doc().fill('A1', [[1], [2], [3], ['=A1'], ['=SUM(A1:A3)']]);
  d.edit(m.moveDimension.of({ sheet, axis: 'row', from: 0, count: 1, to: 3 }));
  expect(d.texts('A1:A5')).toEqual([['2'], ['3'], ['1'], ['1'], ['5']]);
  expect([d.formula('A4'), d.formula('A5')]).toEqual(['=A3', '=SUM(A1:A2)']);
});

test('sorting moves styles and links, relative references stay relative', () => {
  const d = doc().fill('A1', [
    [3, '=A1*10'],
    [1, '=A2*10'],
    [2, '=$A$3*10'],
  ]);
  d.edit(
    m.setStyle.of({ sheet, region: region('A1:B1'), set: { italic: true } }),
    m.setLink.of({ sheet, links: [[0, 0, { id: 'l', url: 'https://example.com' }]] }),
    m.permuteRows.of({ sheet, region: region('A1:B3'), order: [1, 2, 0] }),
  );
  expect(d.texts('A1:B3')).toEqual([
    ['1', '10'],
    ['2', '30'],
    ['3', '30'],
  ]);
  expect([d.formula('B1'), d.formula('B2'), d.formula('B3')]).toEqual(['=A1*10', '=$A$3*10', '=A3*10']);
  expect([d.style('B1'), d.style('B3')]).toEqual([{}, { italic: true }]);
  expect(
    d
      .sheet()
      .links.list()
      .map(({ row, col }) => [row, col]),
  ).toEqual([[2, 0]]);
});

test('an order that is none is refused', () => {
  const d = doc();
  expect(() => d.edit(m.permuteRows.of({ sheet, region: region('A1:A3'), order: [0, 1, 1] }))).toThrow(
    'order: row 1 is listed twice or is none of the 3',
  );
  expect(() => d.edit(m.permuteRows.of({ sheet, region: region('A1:A3'), order: [0, 1] }))).toThrow(
    'order: 2 rows are listed for a region of 3',
  );
});

test('pivot tables follow their source and lose fields that are deleted', () => {
  const pivot: PivotTable = {
    id: 'p',
    name: 'P',
    sourceSheet: 'Data',
    source: region('B2:D4'),
    sheet,
    row: 0,
    col: 0,
    rowGroups: [0],
    columnGroups: [1],
    values: [{ field: 2, aggregation: 'SUM' }],
    filters: [{ field: 1, visible: null }],
    calculated: [],
  };
  const d = doc(sheet, 'Data').fill('Data!B2', [
    ['a', 'b', 'c'],
    ['x', 'k', 1],
    ['y', 'k', 2],
  ]);
  d.edit(m.putPivot.of({ pivot }));
  d.edit(m.insertDimension.of({ sheet: 'Data', axis: 'col', at: 2, count: 1 }));
  expect(d.document.pivots[0]).toMatchObject({
    source: region('B2:E4'),
    rowGroups: [0],
    columnGroups: [2],
    values: [{ field: 3 }],
  });
  d.edit(m.deleteDimension.of({ sheet: 'Data', axis: 'col', at: 3, count: 1 }));
  expect(d.document.pivots[0]).toMatchObject({
    source: region('B2:D4'),
    columnGroups: [],
    values: [{ field: 2 }],
    filters: [],
  });
  expect(d.texts('A1:B4')).toEqual([
    ['a', 'SUM of c'],
    ['x', '1'],
    ['y', '2'],
    ['Grand Total', '3'],
  ]);
  d.edit(m.deleteSheet.of({ sheet: 'Data' }));
  expect([d.text('A1'), d.text('B2')]).toEqual(['#REF!', '']);
});

test('a sub-sheet that comes later is found by formulas that named it before', () => {
  const d = doc().set('A1', '=Later!A1+1');
  expect(d.text('A1')).toBe('#REF!');
  d.edit(m.addSheet.of({ sheet: 'id', name: 'Later' }), m.setValues.of({ sheet: 'id', values: [[0, 0, [41]]] }));
  expect(d.text('A1')).toBe('42');
  d.edit(m.renameSheet.of({ sheet: 'id', name: 'Much later' }));
  expect(d.formula('A1')).toBe("='Much later'!A1+1");
});

test('merging keeps the top left value, a write beyond the grid makes it larger', () => {
  const d = doc().fill('A1', [
    [1, 2],
    [3, 4],
  ]);
  d.edit(m.merge.of({ sheet, regions: [region('A1:B2')] }));
  expect(d.texts('A1:B2')).toEqual([
    ['1', ''],
    ['', ''],
  ]);
  expect(() => d.edit(m.merge.of({ sheet, regions: [region('B2:C3')] }))).toThrow(
    'the edit would cut the merged area A1:B2',
  );
  d.set('AB500', 1);
  expect([d.sheet().rows, d.sheet().cols]).toEqual([500, 28]);
});

test('a line between two cells is one line', () => {
  const d = doc();
  d.edit(m.setBorder.of({ sheet, region: region('A1:A1'), bottom: '1:000000' }));
  d.edit(m.setBorder.of({ sheet, region: region('A2:A2'), top: '2:FF0000' }));
  expect([d.style('A1'), d.style('A2')]).toEqual([{}, { borderTop: '2:FF0000' }]);
  d.edit(m.setBorder.of({ sheet, region: region('A1:A1'), bottom: null }));
  expect(d.style('A2')).toEqual({});
  d.edit(m.setBorder.of({ sheet, region: region('C3:D4'), innerVertical: '1:000000', innerHorizontal: '3:00FF00' }));
  expect([d.style('C3'), d.style('D3'), d.style('C4'), d.style('D4')]).toEqual([
    { borderBottom: '3:00FF00', borderRight: '1:000000' },
    { borderBottom: '3:00FF00' },
    { borderRight: '1:000000' },
    {},
  ]);
});

test('a style for a million rows and all columns costs a run each', () => {
  const d = doc();
  d.edit(m.setStyle.of({ sheet, region: region('A1:XFD1048576'), set: { bold: true } }));
  expect(d.style('XFD1048576')).toEqual({ bold: true });
  d.edit(m.setStyle.of({ sheet, region: region('B2:B3'), set: { bold: null } }));
  expect(d.sheet().styles.column(1)?.list()).toEqual([
    [0, 0, 1],
    [3, 1_048_575, 1],
  ]);
});

test('relative references of a name are offsets, which no edit of rows and columns changes', () => {
  const d = doc().fill('A1', [[1], [2], [3]]);
  d.edit(
    m.defineName.of({ name: 'above', formula: '=Sheet1!A1048576' }),
    m.defineName.of({ name: 'left_in_third', formula: '=Sheet1!XFD$3' }),
    m.defineName.of({ name: 'total', formula: '=SUM(Sheet1!$A$1:$A$3)' }),
  );
  d.fill('B4', [['=left_in_third']]).fill('A4', [['=above', null, '=total']]);
  const texts = (): string => d.texts('A1:C6').flat().join(' ').trim();
  const names = (): string[] => d.document.names().map(({ formula }) => formula);
  const before = [texts(), names()];
  expect([d.text('A4'), d.text('B4'), d.text('C4')]).toEqual(['3', '3', '6']);
  d.edit(m.insertDimension.of({ sheet, axis: 'row', at: 3, count: 1 }));
  expect(names()).toEqual(['=Sheet1!A1048576', '=Sheet1!XFD$3', '=SUM(Sheet1!$A$1:$A$3)']);
  expect([d.text('A5'), d.text('B5'), d.text('C5')]).toEqual(['0', '3', '6']);
  d.edit(m.deleteDimension.of({ sheet, axis: 'row', at: 3, count: 1 }));
  expect([texts(), names()]).toEqual(before);
  d.edit(m.insertDimension.of({ sheet, axis: 'row', at: 1, count: 1 }));
  expect(names()).toEqual(['=Sheet1!A1048576', '=Sheet1!XFD$4', '=SUM(Sheet1!$A$1:$A$4)']);
  expect([d.text('A5'), d.text('B5'), d.text('C5')]).toEqual(['3', '3', '6']);
  d.edit(m.insertDimension.of({ sheet, axis: 'col', at: 1, count: 1 }));
  expect([d.text('A5'), d.text('C5'), d.text('D5')]).toEqual(['3', '0', '6']);
});
