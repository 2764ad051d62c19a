import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellReplies, cellRepliesText } from '../../src/document/get-cell-data-reply.ts';
import { CsvError, csvCell, parseCsv, toCsv } from '../../src/document/csv.ts';
import { hiddenRows } from '../../src/document/filter.ts';
import { BadPattern, find } from '../../src/document/find.ts';
import * as m from '../../src/mutations/index.ts';
import { sortOrder } from '../../src/document/sort-order.ts';
import { doc, rect, region } from './support.ts';

const sheet = 'Sheet1';

test('cells are told by type; empty ones are left out', () => {
  const d = doc().fill('A1', [[1.5, 'text', true, '=A1*2', '=1/0', 45000, '=F1+1', 'link', null, '=B1&"!"']]);
  d.edit(
    m.setStyle.of({ sheet, region: region('F1:G1'), set: { numberFormat: 'yyyy-mm-dd' } }),
    m.setLink.of({ sheet, links: [[0, 7, { id: 'l', url: 'https://example.com' }]] }),
  );
  const cells = [
    { row: 0, col: 0, value_type: 'NUMBER', number_value: 1.5 },
    { row: 0, col: 1, value_type: 'STRING', string_value: 'text' },
    { row: 0, col: 2, value_type: 'BOOL', bool_value: true },
    { row: 0, col: 3, value_type: 'FORMULA', number_value: 3, formula: '=A1*2' },
    { row: 0, col: 4, value_type: 'ERROR', string_value: '#DIV/0!', formula: '=1/0' },
    { row: 0, col: 5, value_type: 'TIME_STRING', number_value: 45000, string_value: '2023-03-15' },
    { row: 0, col: 6, value_type: 'FORMULA', number_value: 45001, string_value: '2023-03-16', formula: '=F1+1' },
    { row: 0, col: 7, value_type: 'RICH_STRING', string_value: 'link', link_id: 'l' },
    { row: 0, col: 9, value_type: 'FORMULA', string_value: 'text!', formula: '=B1&"!"' },
  ];
  expect(cellReplies(d.document, d.sheet(), rect('A1:Z50'))).toEqual(cells);
  expect(JSON.parse(cellRepliesText(d.document, d.sheet(), rect('A1:Z50')))).toEqual(cells);
  expect(cellReplies(d.document, d.sheet(), rect('B1:C1'))).toEqual(cells.slice(1, 3));
  expect(cellReplies(d.document, d.sheet(), rect('A2:Z999'))).toEqual([]);
});

test('the used range leaves out what only has a style', () => {
  const d = doc();
  d.edit(m.setStyle.of({ sheet, region: region('A1:Z90'), set: { bold: true } }));
  expect(d.document.usedRange(d.sheet())).toBeUndefined();
  d.set('C5', 1).set('E3', 2).set('D9', '=1');
  expect(d.document.usedRange(d.sheet())).toEqual({ top: 2, left: 2, bottom: 8, right: 4 });
});

test.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['\uFEFFa\r\nb\r\n', [['a'], ['b']]],
  ['"a ""quoted"" word","two\nlines",', [['a "quoted" word', 'two\nlines', '']]],
  ['a\n\nb', [['a'], [''], ['b']]],
  ['', []],
  ['x,"y"z\r1', [['x', 'yz'], ['1']]],
])('CSV %j', (text, records) => {
  expect(parseCsv(text)).toEqual(records);
});

test('an unclosed quote names its line', () => {
  expect(() => parseCsv('a,b\n"x\ny",1\nc,"never\nclosed')).toThrow(
    new CsvError('line 4: a quote is opened and never closed', 4),
  );
});

test.each([
  ['', null],
  ['12', 12],
  ['-1.5e3', -1500],
  ['.5', 0.5],
  ['1,5', '1,5'],
  ['TRUE', true],
  ['false', false],
  ['=A1', { formula: '=A1' }],
  ['=', '='],
  ['007', 7],
  ['12px', '12px'],
  [' 1', ' 1'],
  ['2024-01-02', '2024-01-02'],
  ['1e999', '1e999'],
  ['Infinity', 'Infinity'],
])('a field %j means %j', (field, cell) => {
  expect(csvCell(field)).toEqual(cell);
});

test('CSV out: computed values, dates as shown, quotes where needed, a line feed after every record', () => {
  const d = doc().fill('A1', [
    ['a,b', 'say "x"', '=1/4', 45000],
    ['two\nlines', true, '=NA()', null],
  ]);
  d.edit(
    m.setStyle.of({ sheet, region: region('D1:D2'), set: { numberFormat: 'd/m/yyyy' } }),
    m.setStyle.of({ sheet, region: region('C1:C1'), set: { numberFormat: '0%' } }),
  );
  expect(toCsv(d.document, d.sheet(), rect('A1:D2'))).toBe(
    '"a,b","say ""x""",0.25,15/3/2023\n"two\nlines",TRUE,#N/A,\n',
  );
});

test('sorted: numbers, text folded, booleans, errors, blanks last in either direction; equal rows keep their order', () => {
  const d = doc().fill('A1', [
    ['b'],
    [2],
    [null],
    [true],
    ['#N/A'],
    ['A'],
    [-1],
    ['a'],
    [false],
    ['\u{1F600}'],
    ['\uFF21'],
    [''],
  ]);
  d.edit(m.setValues.of({ sheet, values: [[11, 0, [null]]] }));
  const shown = (order: readonly number[]): string[] => order.map((i) => d.text(`A${i + 1}`));
  expect(shown(sortOrder(d.sheet(), rect('A1:A12'), [{ col: 0, descending: false }]))).toEqual([
    '-1',
    '2',
    'A',
    'a',
    'b',
    '\uFF21',
    '\u{1F600}',
    'FALSE',
    'TRUE',
    '#N/A',
    '',
    '',
  ]);
  expect(shown(sortOrder(d.sheet(), rect('A1:A12'), [{ col: 0, descending: true }]))).toEqual([
    '#N/A',
    'TRUE',
    'FALSE',
    '\u{1F600}',
    '\uFF21',
    'b',
    'A',
    'a',
    '2',
    '-1',
    '',
    '',
  ]);
});

test('several keys in their order', () => {
  const d = doc().fill('A1', [
    ['x', 2, 'first'],
    ['y', 1, 'second'],
    ['X', 1, 'third'],
    ['y', 1, 'fourth'],
  ]);
  expect(
    sortOrder(d.sheet(), rect('A1:C4'), [
      { col: 0, descending: true },
      { col: 1, descending: false },
    ]),
  ).toEqual([1, 3, 2, 0]);
});

test('numbers of every size and sign, zeros equal and blanks last, as a stable comparison orders them', () => {
  const cell = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom(-0, 0, null, 5e-324, -5e-324, 2 ** 53, -1e308),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 40 }), fc.boolean(), (rows, descending) => {
      const d = doc().fill('A1', rows);
      const compare = (a: number | null, b: number | null, down: boolean): number => {
        if (a === null || b === null) return Number(a === null) - Number(b === null);
        return a === b ? 0 : a < b === down ? 1 : -1;
      };
      const expected = rows
        .map((_, i) => i)
        .sort((a, b) => compare(rows[a]![0], rows[b]![0], descending) || compare(rows[a]![1], rows[b]![1], false));
      expect(
        sortOrder(d.sheet(), rect(`A1:B${rows.length}`), [
          { col: 0, descending },
          { col: 1, descending: false },
        ]),
      ).toEqual(expected);
    }),
  );
});

test('find looks at what is shown, page by page', () => {
  const d = doc('Sheet1', 'Other')
    .fill('A1', [
      ['Apple', 'apple pie', '=1+1'],
      ['grape', 0.5, 'APPLE'],
    ])
    .set('Other!B2', 'pineapple');
  d.edit(m.setStyle.of({ sheet, region: region('B2:B2'), set: { numberFormat: '0%' } }));
  const places = (options: Omit<Parameters<typeof find>[1], 'term'> & { term: string }): string[] =>
    find(d.document, options).results.map((one) => `${one.sheet}!${one.address}`);
  expect(places({ term: 'apple' })).toEqual(['Sheet1!A1', 'Sheet1!B1', 'Sheet1!C2', 'Other!B2']);
  expect(places({ term: 'apple', matchCase: true })).toEqual(['Sheet1!B1', 'Other!B2']);
  expect(places({ term: 'apple', entireCell: true })).toEqual(['Sheet1!A1', 'Sheet1!C2']);
  expect(places({ term: '50%' })).toEqual(['Sheet1!B2']);
  expect(places({ term: '1+1', formulas: true })).toEqual(['Sheet1!C1']);
  expect(places({ term: '^a.*e$', regex: true })).toEqual(['Sheet1!A1', 'Sheet1!B1', 'Sheet1!C2']);
  expect(places({ term: 'a.*e', regex: true, entireCell: true, matchCase: true })).toEqual(['Sheet1!B1']);
  expect(places({ term: 'apple', within: { top: 1 }, sheets: [d.sheet()] })).toEqual(['Sheet1!C2']);
  expect(find(d.document, { term: 'apple', most: 2 })).toMatchObject({ total: 4, overflow: true, nextOffset: 2 });
  expect(find(d.document, { term: 'apple', most: 2, offset: 2 })).toMatchObject({
    total: 4,
    overflow: false,
    nextOffset: 0,
  });
  expect(() => find(d.document, { term: '(?<=a)b', regex: true })).toThrow(BadPattern);
});

test('past 100,000 results counting stops', () => {
  const d = doc();
  d.edit(m.setRangeBlock.of({ sheet, row: 0, col: 0, rows: Array.from({ length: 100_001 }, () => ['x']) }));
  expect(find(d.document, { term: 'x', most: 1 })).toMatchObject({ total: 100_000, overflow: true, nextOffset: 0 });
});

test('a filter hides rows whose shown text is not listed; the heading stays', () => {
  const d = doc().fill('A1', [
    ['fruit', 'n'],
    ['apple', 1],
    ['pear', 2],
    ['apple', 2],
    [null, 1],
  ]);
  d.edit(m.setStyle.of({ sheet, region: region('B1:B9'), set: { numberFormat: '0.0' } }));
  expect(hiddenRows(d.document, d.sheet(), region('A1:B5'), [{ col: 0, visible: ['apple', ''] }])).toEqual([[2, 2]]);
  expect(
    hiddenRows(d.document, d.sheet(), region('A1:B5'), [
      { col: 0, visible: ['apple'] },
      { col: 1, visible: ['2.0'] },
    ]),
  ).toEqual([
    [1, 2],
    [4, 4],
  ]);
  expect(hiddenRows(d.document, d.sheet(), region('A1:B5'), [{ col: 0, visible: [] }])).toEqual([[1, 4]]);
});
