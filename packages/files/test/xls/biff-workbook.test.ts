import { expect, test } from 'vitest';
import { concat, u16, u32, utf16 } from '@sheaf/tools/testing/formats/bytes.ts';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import type { SheetDocument } from '@sheaf/engine';
import { convertToXlsx } from '../../src/xls/convert-workbook.ts';
import {
  cellFormat,
  font,
  formula,
  label,
  link,
  note,
  number,
  record,
  text16,
  text8,
  u8,
  workbook,
  type SheetParts,
} from './biff-fixture.ts';

async function read(bytes: Uint8Array): Promise<{ document: SheetDocument; warnings: readonly string[] }> {
  const converted = await convertToXlsx(bytes);
  const { document, warnings } = readTestWorkbook(converted.bytes);
  return { document, warnings: [...converted.warnings, ...warnings] };
}

const fonts = [
  font('Calibri', 11),
  font('Calibri', 11, { bold: true, color: 10 }),
  font('Arial', 20, { italic: true }),
];
const formats = [cellFormat(), cellFormat({ font: 1, fill: 13, left: [2, 12] }), cellFormat({ font: 2, number: 164 })];
const globals = [...fonts, record(0x41e, u16(164), text16('0.00" kg"')), ...formats];
const sheet = (name: string, ...records: Uint8Array[]): SheetParts => ({ name, records });
/** Tokens: a cell reference with relative row and column, and one on another sheet. */
const cell = (row: number, col: number): Uint8Array => concat(u8(0x44), u16(row, col | 0xc000));
const cellOn = (reference: number, row: number, col: number): Uint8Array =>
  concat(u8(0x5a), u16(reference, row, col | 0xc000));
const own = record(0x1ae, u16(1, 0x0401));

test('[finding X15] an .xls file keeps fonts, fills, borders and number formats', async () => {
  const { document } = await read(workbook(globals, [sheet('S', label(0, 0, 'Total', 1), number(0, 1, 2.5, 2))]));
  const [sub] = document.subSheets;
  expect(document.style(sub!, 0, 0)).toMatchObject({
    bold: true,
    fontColor: 'FFFF0000',
    bgColor: 'FFFFFF00',
    borderLeft: 'medium:0000FF',
  });
  expect(document.style(sub!, 0, 1)).toMatchObject({ italic: true, fontFamily: 'Arial', fontSize: 20 });
  expect(document.text(sub!, 0, 1)).toBe('2.50 kg');
});

test('[finding X15] an .xls file keeps widths, merges, freeze, notes, links and names', async () => {
  const { document, warnings } = await read(
    workbook(
      [
        ...globals,
        own,
        record(0x17, u16(1, 0, 0, 0)),
        record(0x18, u16(0), u8(0, 5), u16(7, 0, 0, 0, 0), u8(1), utf16('Start'), u8(0x3a), u16(0, 0, 0)),
      ],
      [
        sheet(
          'S',
          record(0x7d, u16(1, 1, 20 * 256, 0, 0, 0)),
          number(0, 0, 7),
          formula(0, 1, 7, concat(u8(0x43), u16(1, 0))),
          record(0x23e, u16(0x01be, 0, 0), u32(0)),
          record(0x41, u16(1, 2, 2, 1), u8(0)),
          record(0xe5, u16(1, 3, 4, 0, 2)),
          ...note(1, 1, 'Ada', 'Look here', 1),
          link(2, 0, 'https://example.com/'),
        ),
      ],
    ),
  );
  const [sub] = document.subSheets;
  expect(warnings).toEqual([]);
  expect(sub!.colSizes.get(1)).toBe(145);
  expect(sub!.freeze).toEqual({ rows: 2, cols: 1 });
  expect(sub!.merges.list()).toEqual([{ top: 3, bottom: 4, left: 0, right: 2 }]);
  expect(sub!.comments.map(({ entries }) => [entries[0]!.author, entries[0]!.text])).toEqual([['Ada', 'Look here']]);
  expect(sub!.links.get(2, 0)?.url).toBe('https://example.com/');
  expect(document.workbook.formulaText(sub!.sheet.id, 0, 1)).toBe('=Start');
  expect(sub!.sheet.read(0, 1)).toBe(7);
});

test('[finding X15] a formula that refers to another workbook keeps its value and is named', async () => {
  const path = '\u0001prices.xls';
  const other = record(0x1ae, u16(1), text16(path), text16('Sheet1'));
  const { document, warnings } = await read(
    workbook(
      [...globals, own, other, record(0x17, u16(2, 0, 0, 0, 1, 0, 0))],
      [
        sheet(
          'S',
          number(0, 0, 1),
          formula(1, 0, 1948, cellOn(1, 0, 0)),
          formula(2, 0, 2, concat(cell(0, 0), u8(0x1e, 1, 0, 3))),
        ),
      ],
    ),
  );
  const [sub] = document.subSheets;
  expect(sub!.sheet.read(1, 0)).toBe(1948);
  expect(sub!.sheet.read(2, 0)).toBe(2);
  expect(warnings.join()).toMatch(/'S' A2: the formula refers to prices\.xls/);
});

test('[finding X15] cached cells of another workbook are read', async () => {
  const other = record(0x1ae, u16(1), text16('\u0001prices.xls'), text16('Sheet1'));
  const cached = [
    record(0x59, u16(1, 0)),
    record(0x5a, u8(0, 0), u16(0), u8(1), new Uint8Array(new Float64Array([8]).buffer)),
  ];
  const { document } = await read(
    workbook(
      [...globals, own, other, ...cached, record(0x17, u16(2, 0, 0, 0, 1, 0, 0))],
      [sheet('S', formula(0, 0, 16, concat(cellOn(1, 0, 0), u8(0x1e, 2, 0, 5))))],
    ),
  );
  const [sub] = document.subSheets;
  expect(sub!.sheet.read(0, 0)).toBe(16);
  expect(document.workbook.formulaText(sub!.sheet.id, 0, 0)).toContain('prices.xls');
});

test('a sheet may be called History, and one that is left out is named', async () => {
  const { document, warnings } = await read(
    workbook(globals, [sheet('History', number(0, 0, 3)), { name: 'Chart1', records: [], kind: 2 }]),
  );
  expect(document.subSheets.map(({ name }) => name)).toEqual(['History']);
  expect(warnings).toEqual(["'Chart1' is a chart sheet and was left out"]);
});

test('a shared formula counts its references from every cell, and whole columns stay whole', async () => {
  const shared = concat(u8(0x4c), u16(0, 0xc0ff), u8(0x1e, 2, 0, 0x05));
  const column = concat(u8(0x25), u16(0, 0xffff, 0, 0), u8(0x19, 0x10, 0, 0));
  const exp = concat(u8(0x01), u16(0, 1));
  const { document } = await read(
    workbook(globals, [
      sheet(
        'S',
        number(0, 0, 3),
        formula(0, 1, 6, exp),
        record(0x4bc, u16(0, 1), u8(1, 1, 0, 2), u16(shared.length), shared),
        number(1, 0, 4),
        formula(1, 1, 8, exp),
        formula(0, 2, 7, column),
      ),
    ]),
  );
  const [sub] = document.subSheets;
  const texts = ['B1', 'B2', 'C1'].map((_, index) =>
    document.workbook.formulaText(sub!.sheet.id, index === 1 ? 1 : 0, index === 2 ? 2 : 1),
  );
  expect(texts).toEqual(['=A1*2', '=A2*2', '=SUM($A:$A)']);
  expect([sub!.sheet.read(0, 1), sub!.sheet.read(1, 1), sub!.sheet.read(0, 2)]).toEqual([6, 8, 7]);
});

test('texts of the shared table continue in the next record with their own character size', async () => {
  const table = concat(
    record(0xfc, u32(1, 1), u16(6), u8(0), new Uint8Array(Buffer.from('abc', 'latin1'))),
    record(0x3c, u8(1), utf16('漢字é')),
  );
  const { document } = await read(workbook([...globals, table], [sheet('S', record(0xfd, u16(0, 0, 0), u32(0)))]));
  expect(document.subSheets[0]!.sheet.read(0, 0)).toBe('abc漢字é');
});

test.each([
  ['a record that ends too early', record(0xfc, u32(1, 1), u16(400), u8(0), u8(65))],
  ['a name that ends too early', record(0x18, u16(0), u8(0, 200), u16(0, 0, 0, 0, 0), u8(1))],
])('a damaged file says so: %s', async (_, broken) => {
  await expect(read(workbook([...globals, broken], [sheet('S', number(0, 0, 1))]))).rejects.toThrow(
    /The file is damaged: one of its (?:records|texts) is truncated/,
  );
});

test('a formula that cannot be read keeps its value and is named', async () => {
  const { document, warnings } = await read(
    workbook(globals, [
      sheet('S', formula(0, 0, 5, u8(0x18, 0, 0, 0, 0, 0)), label(1, 0, text8('x').length.toString())),
    ]),
  );
  expect(document.subSheets[0]!.sheet.read(0, 0)).toBe(5);
  expect(warnings).toEqual(["'S' A1: the formula is not understood; its last value was kept"]);
});
