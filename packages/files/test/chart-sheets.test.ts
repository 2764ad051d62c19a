import { expect, test } from 'vitest';
import { decode } from '../src/index.ts';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { workbookParts, zipped, type Parts } from '@sheaf/tools/testing/workbook-parts.ts';

/** A workbook whose second sheet is a chart, and whose third is a dialog. */
function withChartSheet(): Parts {
  const parts = workbookParts(
    { Data: '<row r="1"><c r="A1" t="inlineStr"><is><t>ocelot</t></is></c><c r="B1"><v>2</v></c></row>' },
    [
      ['rId8', 'chartsheet', 'chartsheets/sheet1.xml'],
      ['rId9', 'dialogsheet', 'dialogsheets/sheet1.xml'],
    ],
  );
  parts['xl/workbook.xml'] = String(parts['xl/workbook.xml']).replace(
    '</sheets>',
    '<sheet name="Chart1" sheetId="8" r:id="rId8"/><sheet name="Dialog1" sheetId="9" r:id="rId9"/></sheets>',
  );
  parts['xl/chartsheets/sheet1.xml'] =
    '<chartsheet xmlns:r="r"><sheetPr/><sheetViews><sheetView zoomScale="90" workbookViewId="0"/>' +
    '</sheetViews><pageMargins left="0.7"/><drawing r:id="rId1"/></chartsheet>';
  parts['xl/dialogsheets/sheet1.xml'] = '<dialogsheet/>';
  return parts;
}

test('[finding F2] a workbook with a chart sheet gives the text of its other sheets, and the name of that one', async () => {
  const decoded = await decode(zipped(withChartSheet()), { kind: 'xlsx' });
  expect(decoded.text).toBe('Data\nocelot\t2\n\nChart1\n\nDialog1');
  expect(decoded.meta).toEqual({ format: 'xlsx', sheets: 3, rows: 1 });
});

test('[finding F2] a workbook with a chart sheet is imported, the import says what is not shown, and the chart sheet is kept', () => {
  const { document, warnings } = readTestWorkbook(zipped(withChartSheet()));
  expect(document.subSheets.map(({ name }) => name)).toEqual(['Data']);
  expect(warnings).toEqual([
    "'Chart1' is a chart sheet, which is not shown here; it is kept for export",
    "'Dialog1' is a dialog sheet, which is not shown here; it is kept for export",
  ]);
});

test('[finding F2] names that belong to sheets behind a chart sheet are theirs', () => {
  const cells = '<row r="1"><c r="A1"><f>here*3</f></c><c r="B1"><v>2</v></c><c r="C1"><v>5</v></c></row>';
  const parts = workbookParts({ One: cells, Two: cells }, [['rId8', 'chartsheet', 'chartsheets/sheet1.xml']]);
  const names = [
    ['1', 'One!$B$1'],
    ['2', 'Two!$C$1'],
  ]
    .map(([sheet, place]) => `<definedName name="here" localSheetId="${sheet}">${place}</definedName>`)
    .join('');
  parts['xl/workbook.xml'] =
    '<workbook xmlns:r="r"><sheets><sheet name="Chart1" r:id="rId8"/><sheet name="One" r:id="rId1"/>' +
    `<sheet name="Two" r:id="rId2"/></sheets><definedNames>${names}</definedNames></workbook>`;
  parts['xl/chartsheets/sheet1.xml'] = '<chartsheet/>';
  const { document } = readTestWorkbook(zipped(parts));
  expect(document.subSheets.map((sub) => document.value(sub, 0, 0))).toEqual([6, 15]);
});

test('[finding X1] text is found in workbooks whatever way their XML is written', async () => {
  const parts = workbookParts(
    {
      'HR ':
        "<x:worksheet xmlns:x='m'><x:dimension ref='A1:C2'/><x:sheetData ><x:row r='1' >" +
        "<x:c t='s' r='A1'><x:v><!-- --> 0</x:v></x:c><x:c r='C1' s='1'><x:v>46086</x:v></x:c>" +
        "</x:row><x:row r='2'/></x:sheetData></x:worksheet>",
    },
    [
      ['rId8', 'sharedStrings', 'SharedStrings.xml'],
      ['rId9', 'styles', 'styles.xml'],
    ],
  );
  parts['xl/sharedStrings.xml'] =
    '<sst><si><r><rPr><b/></rPr><t>oce</t></r><r><t><![CDATA[lot]]></t></r><rPh><t>no</t></rPh></si></sst>';
  parts['xl/styles.xml'] =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[Red]yyyy\\-mm\\-dd;@"/></numFmts>' +
    '<cellStyleXfs><xf/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>' +
    '</styleSheet>';
  expect((await decode(zipped(parts), { kind: 'xlsx' })).text).toBe('HR\nocelot\t\t2026-03-05');
});
