import { utils, write, type BookType } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { unzipSync, zipSync, strToU8 } from 'fflate';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { decode } from '../../src/index.ts';
import { convertToXlsx } from '../../src/xls/convert-workbook.ts';

function file(kind: BookType): Uint8Array {
  const book = utils.book_new();
  const sheet = utils.aoa_to_sheet([
    ['item', 'price'],
    ['pear', 2.5],
    ['plum', 4],
  ]);
  sheet['B4'] = { t: 'n', v: 6.5, f: 'SUM(B2:B3)' };
  sheet['!ref'] = 'A1:B4';
  utils.book_append_sheet(book, sheet, 'Sales');
  return new Uint8Array(write(book, { type: 'buffer', bookType: kind }) as Buffer);
}

test.each(['xlsb', 'ods'] as const)('[finding X22] an .%s file comes in with values and formulas', async (kind) => {
  const { bytes, warnings } = await convertToXlsx(file(kind));
  const { document } = readTestWorkbook(bytes);
  const [sub] = document.subSheets;
  expect(sub!.name).toBe('Sales');
  expect([sub!.sheet.read(1, 0), sub!.sheet.read(1, 1), sub!.sheet.read(3, 1)]).toEqual(['pear', 2.5, 6.5]);
  // The library writes no formulas into .xlsb files.
  if (kind === 'ods') expect(document.workbook.formulaText(sub!.sheet.id, 3, 1)).toBe('=SUM(B2:B3)');
  expect(warnings.join()).toMatch(new RegExp(`^of an \\.${kind} file, values, formulas`));
});

test('an .xlsx file is left as it is', async () => {
  const bytes = file('xlsx');
  expect((await convertToXlsx(bytes)).bytes).toBe(bytes);
});

test('[T20] an .ods file that repeats a cell millions of times is refused before it is expanded', async () => {
  const cells = '<table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="16384"/>';
  const content =
    '<office:document-content xmlns:office="o" xmlns:table="t"><office:body><office:spreadsheet><table:table table:name="S">' +
    `<table:table-row table:number-rows-repeated="1048576">${cells}</table:table-row></table:table></office:spreadsheet>` +
    '</office:body></office:document-content>';
  const bytes = zipSync({ 'content.xml': strToU8(content), 'META-INF/manifest.xml': strToU8('<m/>') });
  await expect(convertToXlsx(bytes)).rejects.toThrow(/more than \d+ cells/);
});

test('an OpenDocument text is not taken for a spreadsheet', async () => {
  const content =
    '<office:document-content xmlns:office="o"><office:body><office:text/></office:body></office:document-content>';
  const bytes = zipSync({ 'content.xml': strToU8(content), 'META-INF/manifest.xml': strToU8('<m/>') });
  await expect(convertToXlsx(bytes)).rejects.toThrow('not a spreadsheet');
});

/** An .xlsb file whose sheet has four bytes of its first record of the type replaced by a number. */
function damagedXlsb(type: number, at: number, number: number): Uint8Array {
  const parts = unzipSync(file('xlsb'));
  const sheet = parts['xl/worksheets/sheet1.bin']!;
  const view = new DataView(sheet.buffer, sheet.byteOffset);
  // Records of cells have one byte for their type and one for their length.
  for (let place = 0; place < sheet.length;) {
    const isLong = sheet[place]! > 127;
    const start = place + (isLong ? 3 : 2);
    if (!isLong && sheet[place] === type) {
      view.setUint32(start + at, number, true);
      return zipSync(parts);
    }
    place = start + sheet[start - 1]!;
  }
  throw new Error(`the sheet has no record ${type}`);
}

const rowHeader = 0;
const number = 5;
const text = 6;

test('[T99] an .xlsb file with a cell past the last row or column is refused at once', async () => {
  for (const [bytes, what] of [
    [damagedXlsb(rowHeader, 0, 0xffff_fff0), 'row 4294967281'],
    [damagedXlsb(number, 0, 30_000_000), 'column 30000001'],
  ] as const) {
    await expect(decode(bytes, { kind: 'xlsb' })).rejects.toThrow(`has a cell in ${what}`);
    await expect(convertToXlsx(bytes)).rejects.toThrow(`has a cell in ${what}`);
  }
});

test('[T99] a text of an .xlsb file that says it has four billion characters ends with the file', async () => {
  const decoded = await decode(damagedXlsb(text, 8, 0xffff_fff0), { kind: 'xlsb' });
  expect(decoded.text.length).toBeLessThan(10_000);
});
