import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { relationships, workbookParts, zipped } from '@sheaf/tools/testing/workbook-parts.ts';

/** Files as other programs write them, out again and read once more. */

test('[finding X4] what a validation says without meaning it goes out as it came', () => {
  const rules =
    '<dataValidation type="custom" operator="equal" allowBlank="1" showErrorMessage="1" sqref="E2:E6"><formula1>COUNTA(B2:D2)=3</formula1></dataValidation>' +
    '<dataValidation type="list" operator="notEqual" allowBlank="1" showDropDown="0" ' +
    'showErrorMessage="1" sqref="A1"><formula1>$B$1:$B$3</formula1></dataValidation>' +
    '<dataValidation type="whole" allowBlank="1" showErrorMessage="1" sqref="A2"><formula1>1</formula1><formula2>9</formula2></dataValidation>';
  const { document } = readTestWorkbook(
    zipped(
      workbookParts({
        One: `<worksheet><sheetData/><dataValidations count="3">${rules}</dataValidations></worksheet>`,
      }),
    ),
  );
  const bytes = writeXlsx(document);
  const out = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml']!);
  expect(out).toMatch(/<dataValidation type="custom" operator="equal" allowBlank="1" [^>]*sqref="E2:E6">/);
  expect(out).toMatch(
    /<dataValidation type="list" operator="notEqual" allowBlank="1" showDropDown="0" [^>]*sqref="A1">/,
  );
  expect(out).toMatch(/<dataValidation type="whole" allowBlank="1" [^>]*sqref="A2">/);
  expect(readTestWorkbook(bytes).document.subSheets[0]!.validations).toEqual(document.subSheets[0]!.validations);
});

test('[finding X4] a sheet whose last rows only look like something is as long when it comes back', () => {
  const styles =
    '<styleSheet><fonts><font/></fonts><fills><fill/></fills><borders><border/></borders><cellXfs><xf/>' +
    '<xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>';
  const rows = Array.from({ length: 450 }, (_, r) => `<row r="${r + 2}"><c r="A${r + 2}" s="1"/></row>`);
  const parts = workbookParts({ One: `<row r="1"><c r="A1"><v>1</v></c></row>${rows.join('')}` }, [
    ['rId80', 'styles', 'styles.xml'],
  ]);
  parts['xl/styles.xml'] = styles;
  const { document } = readTestWorkbook(zipped(parts));
  const [sub] = document.subSheets;
  expect(sub!.rows).toBe(451);
  const bytes = writeXlsx(document);
  const again = readTestWorkbook(bytes).document;
  expect(again.subSheets[0]!.save()).toEqual(sub!.save());
  expect(again.style(again.subSheets[0]!, 450, 0)).toEqual(document.style(sub!, 450, 0));
  // The cells say so, as in the file: a format of the whole column would show below them too.
  expect(strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml']!).match(/<c /g)).toHaveLength(451);
});

test('[finding X4] a note whose box nobody placed gets no place by being written', () => {
  const parts = workbookParts({ One: '<row r="1"><c r="A1"><v>3</v></c></row>' });
  parts['xl/worksheets/_rels/sheet1.xml.rels'] = relationships(['rId1', 'comments', '../comments1.xml']);
  parts['xl/comments1.xml'] =
    '<comments><authors><author>A</author></authors><commentList><comment ref="B2" authorId="0"><text><t>x</t></text></comment></commentList></comments>';
  const { document } = readTestWorkbook(zipped(parts));
  const again = readTestWorkbook(writeXlsx(document)).document;
  expect(again.subSheets[0]!.comments).toEqual(document.subSheets[0]!.comments);
});
