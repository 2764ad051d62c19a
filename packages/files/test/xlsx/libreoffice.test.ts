import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { read as readWithSheetJs, type CellObject, type WorkBook } from '@e965/xlsx';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import {
  addSheet,
  defineName,
  merge,
  putChart,
  putPivot,
  setBorder,
  setFreeze,
  setLink,
  setRangeBlock,
  setSize,
  setStyle,
  type SheetDocument,
  CellError,
} from '@sheaf/engine';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { documentOf, readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';

/** LibreOffice as a second opinion, where it is installed. */
const isInstalled = spawnSync('soffice', ['--version']).status === 0;
if (!isInstalled)
  process.stdout.write('LibreOffice (soffice) is not installed: files that we write are not opened with it\n');

/** Each with what it must show, by our own arithmetic on paper. */
const formulas: readonly (readonly [string, number | string | boolean])[] = [
  ['=SUM(B2:B6)', 15],
  ['=AVERAGE(B2:B6)', 3],
  ['=MAX(C2:C6)-MIN(C2:C6)', 400],
  ['=COUNTIF(A2:A6,"p*")', 3],
  ['=SUMIFS(C2:C6,A2:A6,"p*",B2:B6,">1")', 700],
  ['=SUMPRODUCT(B2:B6,C2:C6)', 5500],
  ['=VLOOKUP("plum",A2:C6,3,FALSE)', 300],
  ['=INDEX(C2:C6,MATCH("梨",A2:A6,0))', 500],
  ['=IF(AND(B2<B3,NOT(B4<B3)),"up","down")', 'up'],
  ['=IFERROR(1/0,"none")', 'none'],
  ['=ROUND(2.345,2)', 2.35],
  ['=MOD(-7,3)', 2],
  ['=TEXT(1234.5,"#,##0.00")', '1,234.50'],
  ['=UPPER(LEFT("sheaf",3))&"-"&LEN("梨子")', 'SHE-2'],
  ['=SUBSTITUTE("a-b-c","-","+",2)', 'a-b+c'],
  ['=DATE(2024,2,29)', 45_351],
  ['=EDATE(DATE(2024,1,31),1)', 45_351],
  ['=NETWORKDAYS(DATE(2024,1,1),DATE(2024,1,31))', 23],
  ['=WEEKDAY(DATE(2024,2,29),2)', 4],
  ['=PMT(0.01,12,-1000)', 88.848_788_678_341_7],
  ['=STDEV(B2:B6)', 1.581_138_830_084_19],
  ['=MEDIAN(C2:C6)', 300],
  ['=LARGE(C2:C6,2)', 400],
  ['=RANK(C3,C2:C6)', 4],
  ['=ISNUMBER(B2)', true],
  ['=rate*2', 2],
  ["='It''s 2'!A1+1", 43],
  ['=SUMPRODUCT((B2:B6>2)*(C2:C6))', 1200],
  ['=CHOOSE(2,"a","b")', 'b'],
  ['=ROMAN(2024)', 'MMXXIV'],
];

function made(): SheetDocument {
  return documentOf(
    setRangeBlock.of({
      sheet: 'one',
      row: 0,
      col: 0,
      rows: [
        ['name', 'n', 'price', 'ok', 'when'],
        ['pear & <b>', 1, 100, true, 45_351],
        ['  two\nlines', 2, 200, false, 45_351.75],
        ['plum', 3, 300, true, 1],
        ['peach', 4, 400, { error: '#N/A' }, null],
        ['梨', 5, 500, true, -2e-7],
      ],
    }),
    addSheet.of({ sheet: 'two', name: "It's 2" }),
    setRangeBlock.of({ sheet: 'two', row: 0, col: 0, rows: [[42, { formula: '=Sheet1!B2' }]] }),
    defineName.of({ name: 'rate', formula: '=Sheet1!$B$2' }),
    setRangeBlock.of({ sheet: 'one', row: 0, col: 6, rows: formulas.map(([formula]) => [{ formula }]) }),
    setStyle.of({
      sheet: 'one',
      region: [0, 0, 0, 4],
      set: { bold: true, bgColor: 'FFDDEEFF', horizontalAlign: 'center' },
    }),
    setStyle.of({ sheet: 'one', region: [1, 4, 3, 4], set: { numberFormat: 'yyyy-mm-dd' } }),
    setBorder.of({ sheet: 'one', region: [0, 0, 5, 4], bottom: 'thin:FF0000' }),
    merge.of({ sheet: 'one', regions: [[7, 0, 8, 2]] }),
    setSize.of({ sheet: 'one', axis: 'col', runs: [[0, 0, 123]] }),
    setFreeze.of({ sheet: 'one', rows: 1, cols: 1 }),
    setLink.of({ sheet: 'one', links: [[3, 0, { id: 'a', url: 'https://example.org/' }]] }),
    putChart.of({
      sheet: 'one',
      chart: {
        id: 'c',
        type: 'CHART_CLUSTERED_COLUMN',
        title: 'Prices',
        region: [0, 0, 5, 2],
        anchor: { row: 10, col: 0, offsetX: 0, offsetY: 0, width: 400, height: 300 },
        headerRow: true,
        categoryColumn: true,
        options: {},
      },
    }),
  );
}

/** What LibreOffice makes of a file when it opens and saves it. */
async function saved(bytes: Uint8Array): Promise<Uint8Array> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'ours.xlsx'), bytes);
  const profile = pathToFileURL(join(folder, 'profile')).href;
  const run = spawnSync(
    'soffice',
    [
      '--headless',
      '--norestore',
      `-env:UserInstallation=${profile}`,
      '--convert-to',
      'xlsx:Calc MS Excel 2007 XML',
      '--outdir',
      join(folder, 'out'),
      join(folder, 'ours.xlsx'),
    ],
    { encoding: 'utf8', timeout: 240_000 },
  );
  expect(run.status, run.stderr).toBe(0);
  return readFile(join(folder, 'out', 'ours.xlsx'));
}

async function through(bytes: Uint8Array): Promise<WorkBook> {
  return readWithSheetJs(await saved(bytes));
}

/** The same file without the values of its formulas: who opens it must compute them. */
function withoutResults(bytes: Uint8Array): Uint8Array {
  const parts = unzipSync(bytes);
  for (const [name, part] of Object.entries(parts)) {
    if (/^xl\/worksheets\/sheet\d+\.xml$/.test(name))
      parts[name] = strToU8(strFromU8(part).replace(/<\/f><v>[^<]*<\/v>/g, '</f>'));
  }
  return zipSync(parts);
}

function plain(value: unknown): unknown {
  return value instanceof CellError ? value.text : value;
}

function found(book: WorkBook, sheet: string, cell: string): unknown {
  const { t, v, w } = (book.Sheets[sheet]?.[cell] ?? {}) as Partial<CellObject>;
  return t === 'e' ? w : (v ?? null);
}

const columns = 'ABCDE';

function same(book: WorkBook, document: SheetDocument): void {
  const [one, two] = document.subSheets as [SheetDocument['subSheets'][number], SheetDocument['subSheets'][number]];
  expect(book.SheetNames).toEqual(['Sheet1', "It's 2"]);
  for (let row = 0; row < 6; row++) {
    for (let col = 0; col < columns.length; col++)
      expect(found(book, 'Sheet1', `${columns[col]}${row + 1}`), `${columns[col]}${row + 1}`).toEqual(
        plain(document.value(one, row, col)),
      );
  }
  formulas.forEach(([formula, shown], row) => {
    const theirs = found(book, 'Sheet1', `G${row + 1}`);
    expect(plain(document.value(one, row, 6)), `ours: ${formula}`).toEqual(
      typeof shown === 'number' ? expect.closeTo(shown, 10) : shown,
    );
    expect(theirs, `theirs: ${formula}`).toEqual(typeof shown === 'number' ? expect.closeTo(shown, 10) : shown);
  });
  expect(found(book, "It's 2", 'A1')).toBe(plain(document.value(two, 0, 0)));
  expect(found(book, "It's 2", 'B1')).toBe(1);
  expect(book.Sheets['Sheet1']!['!merges']).toEqual([{ s: { r: 7, c: 0 }, e: { r: 8, c: 2 } }]);
}

test('[M10] a file without the results of its formulas opens with the same values', () => {
  const { document } = readTestWorkbook(withoutResults(writeXlsx(made())));
  const sub = document.subSheets[0]!;
  formulas.forEach(([formula, shown], row) =>
    expect(plain(document.value(sub, row, 6)), formula).toEqual(
      typeof shown === 'number' ? expect.closeTo(shown, 10) : shown,
    ),
  );
});

if (isInstalled) {
  test('[M10] LibreOffice opens what we write and shows the same values', { timeout: 300_000 }, async () => {
    const document = made();
    same(await through(writeXlsx(document)), document);
  });

  test('[M10] LibreOffice computes the same from our formulas', { timeout: 300_000 }, async () => {
    const document = made();
    same(await through(withoutResults(writeXlsx(document))), document);
  });

  test(
    '[M10][finding X7] LibreOffice computes our pivot tables itself, and what it lays out its way keeps its place',
    { timeout: 300_000 },
    async () => {
      const rows = [
        ['region', 'item', 'units'],
        ['north', 'pear', 1],
        ['south', 'pear', 2],
        ['north', 'plum', 3],
        ['south', 7, 4],
        ['north', 'pear', 5],
      ];
      const pivot = {
        sourceSheet: 'one',
        source: [0, 0, 5, 2],
        sheet: 'two',
        col: 1,
        rowGroups: [0],
        calculated: [],
      } as const;
      const both = {
        ...pivot,
        id: 'a',
        name: 'Both',
        row: 4,
        columnGroups: [1],
        values: [{ field: 2, aggregation: 'SUM' }],
        filters: [],
      } as const;
      const chosen = {
        ...pivot,
        id: 'b',
        name: 'Chosen',
        row: 14,
        columnGroups: [],
        values: [
          { field: 2, aggregation: 'AVERAGE' },
          { field: 2, aggregation: 'MAX' },
        ],
        filters: [{ field: 1, visible: ['pear'] }],
      } as const;
      const before = documentOf(
        setRangeBlock.of({ sheet: 'one', row: 0, col: 0, rows }),
        addSheet.of({ sheet: 'two', name: 'Pivot' }),
        putPivot.of({ pivot: both }),
        putPivot.of({ pivot: chosen }),
      );
      const bytes = await saved(writeXlsx(before));
      const theirs = readWithSheetJs(bytes).Sheets['Pivot']!;
      const line = (cells: readonly string[]): unknown[] =>
        cells.map((cell) => (theirs[cell] as CellObject | undefined)?.v ?? null);
      // Their tables have one line of headings more.
      expect(line(['B7', 'C7', 'D7', 'E7', 'F7'])).toEqual(['north', null, 6, 3, 9]);
      expect(line(['C9', 'D9', 'E9', 'F9'])).toEqual([4, 8, 3, 15]);
      expect(line(['B17', 'C17', 'D17'])).toEqual(['north', 3, 5]);
      expect(line(['C19', 'D19'])).toEqual([expect.closeTo(8 / 3, 10), 5]);
      // Laid out their way, they stay where others may refer to them, and go out again as they came.
      const { document } = readTestWorkbook(bytes);
      const sub = document.byName('Pivot')!;
      expect([3, 4, 5].map((col) => document.value(sub, 6, col))).toEqual([6, 3, 9]);
      expect(document.value(sub, 16, 3)).toBe(5);
      const parts = Object.keys(unzipSync(writeXlsx(document))).filter((name) => /pivotTables\/[^/]+\.xml$/.test(name));
      expect(parts).toHaveLength(2);
    },
  );
}
