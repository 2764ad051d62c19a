import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { type SheetDocument, edit, addSheet, putPivot, setRangeBlock, setStyle, type PivotTable } from '@sheaf/engine';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { documentOf, readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { workbookParts, zipped } from '@sheaf/tools/testing/workbook-parts.ts';

const rows = [
  ['region', 'item', 'units', 'when'],
  ['north', 'pear', 1, 45_000],
  ['south', 'pear', 2, 45_001],
  ['north', 'plum & co', 3, 45_001],
  ['south', 7, 4, null],
  ['north', 'pear', 5, 45_000],
];

const plain: PivotTable = {
  id: 'p1',
  name: 'By region',
  sourceSheet: 'one',
  source: [0, 0, 5, 3],
  sheet: 'two',
  row: 4,
  col: 1,
  rowGroups: [0],
  columnGroups: [],
  values: [{ field: 2, aggregation: 'SUM' }],
  filters: [],
  calculated: [],
};

function withPivot(given: Partial<PivotTable> = {}): SheetDocument {
  return documentOf(
    setRangeBlock.of({ sheet: 'one', row: 0, col: 0, rows }),
    setStyle.of({ sheet: 'one', region: [1, 3, 5, 3], set: { numberFormat: 'yyyy-mm-dd' } }),
    addSheet.of({ sheet: 'two', name: 'Pivot' }),
    putPivot.of({ pivot: { ...plain, ...given } }),
  );
}

function shown(document: SheetDocument, name: string): string[] {
  const sub = document.byName(name)!;
  const used = document.usedRange(sub)!;
  return Array.from({ length: used.bottom - used.top + 1 }, (_, r) =>
    Array.from({ length: used.right - used.left + 1 }, (_, c) => document.text(sub, used.top + r, used.left + c)).join(
      ',',
    ),
  );
}

const cases: [string, Partial<PivotTable>, string[]][] = [
  ['rows', {}, ['region,SUM of units', 'north,9', 'south,6', 'Grand Total,15']],
  [
    'rows and columns',
    { columnGroups: [1] },
    ['region,7,pear,plum & co,Grand Total', 'north,,6,3,9', 'south,4,2,,6', 'Grand Total,4,8,3,15'],
  ],
  [
    'several values',
    {
      values: [
        { field: 2, aggregation: 'AVERAGE' },
        { field: 2, aggregation: 'VARP' },
        { field: 1, aggregation: 'COUNT' },
      ],
    },
    [
      'region,AVERAGE of units,VARP of units,COUNT of item',
      'north,3,2.666666667,3',
      'south,3,1,2',
      'Grand Total,3,2,5',
    ],
  ],
  [
    'a filter on a group',
    { filters: [{ field: 0, visible: ['north'] }] },
    ['region,SUM of units', 'north,9', 'Grand Total,9'],
  ],
  [
    'a filter on another field',
    { filters: [{ field: 1, visible: ['pear', '7'] }] },
    ['region,SUM of units', 'north,6', 'south,6', 'Grand Total,12'],
  ],
  [
    'a filter by days and blanks',
    { filters: [{ field: 3, visible: ['2023-03-15', ''] }] },
    ['region,SUM of units', 'north,6', 'south,4', 'Grand Total,10'],
  ],
  [
    'a filter that hides nothing',
    { filters: [{ field: 1, visible: null }] },
    ['region,SUM of units', 'north,9', 'south,6', 'Grand Total,15'],
  ],
];

for (const [what, given, expected] of cases) {
  test(`a pivot table comes back as one: ${what}`, () => {
    const before = withPivot(given);
    expect(shown(before, 'Pivot')).toEqual(expected);
    const { document, warnings } = readTestWorkbook(writeXlsx(before));
    expect(warnings).toEqual([]);
    expect(shown(document, 'Pivot')).toEqual(expected);
    const [source, target] = document.subSheets;
    const { id: _, words: __, sourceSheet, sheet, filters, ...rest } = document.pivots[0]!;
    const { id: _id, sourceSheet: _from, sheet: _to, filters: wanted, ...before2 } = { ...plain, ...given };
    expect([sourceSheet, sheet]).toEqual([source!.id, target!.id]);
    expect(rest).toEqual(before2);
    expect(filters.map(({ field, visible }) => [field, visible && [...visible].sort()])).toEqual(
      wanted.map(({ field, visible }) => [field, visible && [...visible].sort()]),
    );
    // It lives: what its source says counts.
    edit(document, [setRangeBlock.of({ sheet: source!.id, row: 1, col: 2, rows: [[101]] })]);
    expect(shown(document, 'Pivot')).not.toEqual(expected);
  });
}

test('[finding T8] days of a pivot table are days in the file', () => {
  const before = withPivot({ rowGroups: [3] });
  const expected = ['when,SUM of units', '2023-03-15,6', '2023-03-16,5', '(blank),4', 'Grand Total,15'];
  expect(shown(before, 'Pivot')).toEqual(expected);
  const { document } = readTestWorkbook(writeXlsx(before));
  expect(shown(document, 'Pivot')).toEqual(expected);
  const target = document.subSheets[1]!;
  expect(document.value(target, plain.row + 1, plain.col)).toBe(45_000);
  const sheet = strFromU8(unzipSync(writeXlsx(before))['xl/worksheets/sheet2.xml']!);
  expect(sheet).toMatch(/<c r="B6" s="[1-9]\d*"><v>45000<\/v><\/c>/);
});

test('days of a pivot table keep the other settings of cells without a format', () => {
  const first = '<xf><alignment readingOrder="2"/></xf>';
  const parts = workbookParts({ Data: '', Pivot: '' }, [['rId9', 'styles', 'styles.xml']]);
  parts['xl/styles.xml'] =
    `<styleSheet><fonts><font/></fonts><fills><fill/></fills><borders><border/></borders><cellXfs>${first}</cellXfs></styleSheet>`;
  const { document } = readTestWorkbook(zipped(parts));
  const [source, target] = document.subSheets.map(({ id }) => id) as [string, string];
  edit(document, [
    setRangeBlock.of({ sheet: source, row: 0, col: 0, rows }),
    setStyle.of({ sheet: source, region: [1, 3, 5, 3], set: { numberFormat: 'yyyy-mm-dd' } }),
    putPivot.of({ pivot: { ...plain, sourceSheet: source, sheet: target, rowGroups: [3] } }),
  ]);
  const written = unzipSync(writeXlsx(document));
  const look = Number(/<c r="B6" s="(\d+)"/.exec(strFromU8(written['xl/worksheets/sheet2.xml']!))?.[1]);
  const looks = /<cellXfs.*<\/cellXfs>/
    .exec(strFromU8(written['xl/styles.xml']!))![0]
    .match(/<xf [^>]*?(?:\/>|>.*?<\/xf>)/g)!;
  expect(looks[look]).toContain('numFmtId="164"');
  expect(looks[look]).toContain('<alignment readingOrder="2"/>');
});

test('what the format cannot say is written as values', () => {
  const pivots: Partial<PivotTable>[] = [
    { calculated: [{ name: 'half', formula: '=units/2' }] },
    { row: 0, filters: [{ field: 1, visible: ['pear'] }] },
    { values: [] },
  ];
  for (const given of pivots) {
    const before = withPivot(given);
    const bytes = writeXlsx(before);
    expect(Object.keys(unzipSync(bytes)).filter((name) => name.includes('pivot'))).toEqual([]);
    const { document } = readTestWorkbook(bytes);
    expect(document.pivots).toEqual([]);
    expect(shown(document, 'Pivot')).toEqual(shown(before, 'Pivot'));
  }
});

test('the parts name the source, the groups and how values are summed up', () => {
  const parts = unzipSync(writeXlsx(withPivot({ columnGroups: [1], values: [{ field: 2, aggregation: 'MAX' }] })));
  const cache = strFromU8(parts['xl/pivotCache/pivotCacheDefinition1.xml']!);
  const table = strFromU8(parts['xl/pivotTables/pivotTable1.xml']!);
  expect(cache).toContain('<worksheetSource ref="A1:D6" sheet="Sheet1"/>');
  expect(cache).toContain(
    '<cacheField name="item" numFmtId="0">' +
      '<sharedItems containsMixedTypes="1" containsNumber="1" minValue="7" maxValue="7" count="3">' +
      '<n v="7"/><s v="pear"/><s v="plum &amp; co"/></sharedItems></cacheField>',
  );
  expect(table).toContain('<location ref="B5:F8" firstHeaderRow="1" firstDataRow="2" firstDataCol="1"/>');
  expect(table).toContain(
    '<rowFields count="1"><field x="0"/></rowFields><colFields count="1"><field x="1"/></colFields>',
  );
  expect(table).toContain('<dataField name="MAX of units" fld="2" subtotal="max" baseField="0" baseItem="0"/>');
  expect(strFromU8(parts['xl/workbook.xml']!)).toContain('<pivotCaches><pivotCache cacheId="1" r:id=');
});

test('[finding X7] a pivot table that is kept as it came is a part that programs can read', () => {
  const parts = unzipSync(writeXlsx(withPivot()));
  const path = 'xl/pivotTables/pivotTable1.xml';
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  // Without values, as a list that only filters: not one of ours.
  const foreign = strFromU8(parts[path]!).replace(/<dataFields.*<\/dataFields>/, '');
  const { document } = readTestWorkbook(zipSync({ ...parts, [path]: strToU8(foreign) }));
  expect(document.pivots).toEqual([]);
  const written = unzipSync(writeXlsx(document));
  const kept = Object.keys(written).filter((name) => /^xl\/pivotTables\/[^/]*\.xml$/.test(name));
  expect(kept).toHaveLength(1);
  const text = strFromU8(written[kept[0]!]!);
  expect(text).toContain(`<pivotTableDefinition xmlns="${main}" `);
  expect(text).toContain('<location ref="B5:C8"');
});
