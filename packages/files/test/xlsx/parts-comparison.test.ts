import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { RawBook } from './conformance/book.ts';
import { compareParts } from './conformance/parts.ts';
import { describedWorkbook } from '@sheaf/tools/testing/xlsx/described-workbook.ts';

/** Returns the kinds that are counted as lost when a part says something else. */
function lostBy(part: string, from: string, to: string): string[] {
  const original = describedWorkbook();
  const files = unzipSync(original);
  const xml = strFromU8(files[part]!);
  expect(xml).toContain(from);
  files[part] = strToU8(xml.replace(from, to));
  const { lost } = compareParts(new RawBook(original), new RawBook(zipSync(files)));
  return lost.filter(({ reason }) => reason === undefined).map(({ kind }) => kind);
}

const sheet = 'xl/worksheets/sheet2.xml';

test('a lost attribute is counted, also one whose value is 0 or 1', () => {
  expect(lostBy(sheet, ' thickBot="1"', '')).toEqual(['row @thickBot']);
  expect(lostBy(sheet, ' formatCells="0"', '')).toEqual(['worksheet sheetProtection@formatCells']);
  expect(lostBy(sheet, ' hidden="1"', '')).toEqual(['column @hidden']);
  expect(lostBy(sheet, ' dtr="0"', '')).toEqual(['formula @dtr']);
});

test('an attribute with the default value of its element is not counted', () => {
  expect(lostBy(sheet, ' objects="1"', ' objects="1" sort="1"')).toEqual([]);
  expect(lostBy(sheet, '<filterColumn colId="1" hiddenButton="1"/>', '<filterColumn colId="1"/>')).toEqual([
    'worksheet filterColumn@hiddenButton',
  ]);
});

test('columns count by what they say, not by their elements', () => {
  expect(
    lostBy(
      sheet,
      'max="16384" width="3.5" style="2" hidden="1"/>',
      'max="9" width="3.5" style="2" hidden="1"/><col min="10" max="16384" width="3.5" style="2" hidden="1"/>',
    ),
  ).toEqual([]);
  expect(lostBy(sheet, 'max="16384"', 'max="16383"')).toEqual(['column @width', 'column @hidden', 'column @style']);
});

test('runs and phonetic guides of texts, formats of cells and targets of links are compared by what they are', () => {
  expect(lostBy('xl/sharedStrings.xml', ' tint="0.5"', '')).toEqual(['cell rich text']);
  expect(lostBy('xl/sharedStrings.xml', '<rPh sb="0" eb="2"><t>カンジ</t></rPh>', '')).toEqual(['cell phonetic']);
  expect(lostBy('xl/styles.xml', ' readingOrder="2"', '')).toEqual(['cell alignment']);
  expect(lostBy('xl/worksheets/_rels/sheet2.xml.rels', 'https://example.com/page', 'https://example.com/')).toEqual([
    'worksheet hyperlink target',
  ]);
});
