import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { putMark, setRangeBlock } from '@sheaf/engine/internal/mutations';
import { choicesOf } from '@sheaf/engine/internal/document';
import { edit } from '@sheaf/engine';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { relationships, workbookParts, zipped } from '@sheaf/tools/testing/workbook-parts.ts';

const rules = [
  '<cfRule type="cellIs" dxfId="0" priority="2" operator="greaterThan"><formula>$B$1</formula></cfRule>',
  '<cfRule type="containsText" dxfId="0" priority="3" operator="containsText" text="a&quot;b"><formula>NOT(ISERROR(SEARCH("a""b",A1)))</formula></cfRule>',
  '<cfRule type="top10" dxfId="0" priority="4" stopIfTrue="1" percent="1" bottom="1" rank="5"/>',
  '<cfRule type="aboveAverage" dxfId="0" priority="5" aboveAverage="0" equalAverage="1" stdDev="2"/>',
  '<cfRule type="timePeriod" dxfId="0" priority="6" timePeriod="lastWeek"/>',
  '<cfRule type="duplicateValues" dxfId="0" priority="7"/>',
  '<cfRule type="expression" dxfId="0" priority="1"><formula>A1&gt;0</formula></cfRule>',
  '<cfRule type="colorScale" priority="8"><colorScale><cfvo type="min"/><cfvo type="percentile" val="50' +
    '"/><cfvo type="max"/><color rgb="FFF8696B"/><color rgb="FFFFEB84"/><color rgb="FF63BE7B"/></colorSca' +
    'le></cfRule>',
  '<cfRule type="dataBar" priority="9"><dataBar showValue="0"><cfvo type="num" val="1"/><cfvo type="max"/><color rgb="FF638EC6"/></dataBar></cfRule>',
  '<cfRule type="iconSet" priority="10"><iconSet iconSet="3Arrows" reverse="1"><cfvo type="percent" val' +
    '="0"/><cfvo type="percent" val="33"/><cfvo type="percent" val="67" gte="0"/></iconSet></cfRule>',
];
const validation =
  '<dataValidations count="3"><dataValidation type="list" allowBlank="1" showInputMessage="1" showError' +
  'Message="1" prompt="p" sqref="C1:C9"><formula1>"a,b"</formula1></dataValidation>' +
  '<dataValidation type="whole" errorStyle="warning" operator="greaterThan" showInputMessage="1" showEr' +
  'rorMessage="1" errorTitle="t" error="e" sqref="D1 D3:D4"><formula1>5</formula1></dataValidation>' +
  '<dataValidation promptTitle="any" showInputMessage="1" showErrorMessage="1" sqref="E1"/></da' +
  'taValidations>';

function workbook(): Uint8Array {
  const parts = workbookParts(
    {
      One: `<worksheet><sheetData><row r="1"><c r="A1"><v>3</v></c></row></sheetData>${rules
        .map((rule) => `<conditionalFormatting sqref="A1:A9 B2">${rule}</conditionalFormatting>`)
        .join('')}${validation}</worksheet>`,
    },
    [['rId9', 'styles', 'styles.xml']],
  );
  return zipped({
    ...parts,
    'xl/styles.xml':
      '<styleSheet><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders>' +
      '<cellXfs count="1"><xf/></cellXfs><dxfs count="1"><dxf><font><b/><color rgb="FF9C0006"/></font><fill' +
      '><patternFill><bgColor rgb="FFFFC7CE"/></patternFill></fill></dxf></dxfs></styleSheet>',
  });
}

test('conditional formats and validation are read into the document and written from it', () => {
  const { document } = readTestWorkbook(workbook());
  const [sub] = document.subSheets;
  expect(sub!.formats.map(({ kind }) => kind)).toEqual([
    'formula',
    'cell',
    'text',
    'top',
    'average',
    'date',
    'duplicate',
    'scale',
    'bar',
    'icons',
  ]);
  expect(sub!.formats[0]).toMatchObject({
    regions: [
      [0, 0, 8, 0],
      [1, 1, 1, 1],
    ],
    formulas: ['A1>0'],
    style: { bold: true, fontColor: 'FF9C0006', bgColor: 'FFFFC7CE' },
  });
  expect(sub!.formats[2]).toMatchObject({ test: 'contains', formulas: ['"a""b"'] });
  expect(sub!.formats[3]).toMatchObject({ rank: 5, percent: true, below: true, stop: true });
  expect(sub!.validations).toMatchObject([
    { kind: 'list', formulas: ['"a,b"'], prompt: { text: 'p' } },
    {
      kind: 'whole',
      test: 'greater',
      formulas: ['5'],
      required: true,
      error: { style: 'warning', title: 't', text: 'e' },
    },
    // What allows everything does not refuse blanks, and goes out as it came.
    { kind: 'any', kept: { blank: false } },
  ]);
  expect(sub!.validations[2]!.required).toBeUndefined();
  expect(sub!.carried.filter(({ kind }) => /conditional|validation/i.test(kind))).toEqual([]);
  const again = readTestWorkbook(writeXlsx(document)).document.subSheets[0]!;
  expect(again.formats).toEqual(sub!.formats);
  expect(again.validations).toEqual(sub!.validations);
});

test('notes are read into the document and written from it, also beside a thread', () => {
  const parts = workbookParts({ One: '<row r="1"><c r="A1"><v>3</v></c></row>' });
  parts['xl/worksheets/_rels/sheet1.xml.rels'] = relationships(['rId1', 'comments', '../comments1.xml']);
  parts['xl/comments1.xml'] =
    '<comments><authors><author>Ann &amp; Bo</author></authors><commentList><comment ref="B2" authorId="0">' +
    '<text><r><rPr><b/></rPr><t>Why</t></r><r><t>?</t></r></text></comment></commentList></comments>';
  const { document } = readTestWorkbook(zipped(parts));
  const [sub] = document.subSheets;
  expect(sub!.comments).toMatchObject([
    { regions: [[1, 1, 1, 1]], entries: [{ author: 'Ann & Bo', at: 0, text: 'Why?' }], note: true },
  ]);
  const thread = {
    id: 'c',
    regions: [[0, 0, 0, 0] as const],
    entries: [
      { id: '1', author: 'u', at: 1, text: 'one' },
      { id: '2', author: 'v', at: 2, text: 'two' },
    ],
  };
  edit(document, [putMark.of({ sheet: sub!.id, list: 'comments', mark: thread })]);
  const again = readTestWorkbook(writeXlsx(document)).document.subSheets[0]!;
  expect(again.comments.map(({ note, entries }) => [note, ...entries.map((one) => one.text)])).toEqual([
    [true, 'Why?'],
    [undefined, 'one', 'two'],
  ]);
  expect(again.comments[0]!.kept).toBe(sub!.comments[0]!.kept);
});

test('a rule that is made here keeps its number format', () => {
  const { document } = readTestWorkbook(zipped(workbookParts({ One: '<row r="1"><c r="A1"><v>3</v></c></row>' })));
  const style = { bold: true as const, numberFormat: '0.00 "<kg>"', bgColor: 'FFFFC7CE' };
  const mark = { id: 'f', regions: [[0, 0, 8, 0] as const], kind: 'duplicate' as const, style };
  edit(document, [putMark.of({ sheet: document.subSheets[0]!.id, list: 'formats', mark })]);
  const bytes = writeXlsx(document);
  expect(readTestWorkbook(bytes).document.subSheets[0]!.formats[0]).toMatchObject({ style });
  expect(strFromU8(unzipSync(bytes)['xl/styles.xml']!)).toContain(
    '<dxf><font><b/></font><numFmt numFmtId="164" formatCode="0.00 &quot;&lt;kg&gt;&quot;"/><fill>',
  );
});

test('formulas of rules are written as files have them and read as people write them', () => {
  const { document } = readTestWorkbook(zipped(workbookParts({ One: '<row r="1"/>' })));
  const sheet = document.subSheets[0]!.id;
  const regions = [[0, 0, 8, 0] as const];
  const formulas = ['IFS(A1>1,TRUE)', 'LET(x,A1,x>1)'];
  edit(document, [
    setRangeBlock.of({ sheet, row: 0, col: 3, rows: [[{ formula: '=SEQUENCE(3)' }]] }),
    ...formulas.map((formula, i) =>
      putMark.of({
        sheet,
        list: 'formats',
        mark: { id: `f${i}`, regions, kind: 'formula', formulas: [formula], style: { bold: true } },
      }),
    ),
    putMark.of({ sheet, list: 'validations', mark: { id: 'v', regions, kind: 'list', formulas: ['$D$1#'] } }),
  ]);
  const bytes = writeXlsx(document, { at: new Date(0) });
  const xml = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml']!);
  expect([...xml.matchAll(/<formula1?>([^<]*)</g)].map(([, formula]) => formula)).toEqual([
    '_xlfn.IFS(A1&gt;1,TRUE)',
    '_xlfn.LET(_xlpm.x,A1,_xlpm.x&gt;1)',
    '_xlfn.ANCHORARRAY($D$1)',
  ]);
  const again = readTestWorkbook(bytes).document;
  const [sub] = again.subSheets;
  expect(sub!.formats.map((one) => one.formulas)).toEqual([['IFS(A1>1,TRUE)'], ['LET(x,A1,x>1)']]);
  expect(choicesOf(again, sub!, sub!.validations[0]!, 0, 0)).toEqual(['1', '2', '3']);
  expect(strFromU8(unzipSync(writeXlsx(again, { at: new Date(0) }))['xl/worksheets/sheet1.xml']!)).toBe(xml);
});

test('formulas of unchanged rules go out as they came, however they are spelled', () => {
  const spelled = [
    'IFS(A1&gt;1,TRUE)',
    '_xlfn.LET(_xlpm.x,A1,_xlpm.x&gt;1)',
    'ISNUMBER(MATCH(A1,Rate,0))',
    'SUM( A1 )',
    '_xlfn.IFS(A1,1)+)',
  ];
  const rules = spelled.map(
    (formula, i) =>
      `<conditionalFormatting sqref="A1"><cfRule type="expression" priority="${i + 1}"><formula>${formula}</formula>` +
      '</cfRule></conditionalFormatting>',
  );
  const validations = spelled.map(
    (formula) =>
      `<dataValidation type="custom" allowBlank="1" sqref="A1"><formula1>${formula}</formula1></dataValidation>`,
  );
  const given = `${rules.join('')}<dataValidations count="${spelled.length}">${validations.join('')}</dataValidations>`;
  const { document } = readTestWorkbook(zipped(workbookParts({ One: `<worksheet><sheetData/>${given}</worksheet>` })));
  const xml = strFromU8(unzipSync(writeXlsx(document))['xl/worksheets/sheet1.xml']!);
  expect(xml).toContain(given);
});
