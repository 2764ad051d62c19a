import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { edit, type SheetDocument } from '@sheaf/engine';
import { insertDimension, setValues } from '@sheaf/engine/internal/mutations';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { png, readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { relationships, workbookParts, zipped, type Parts } from '@sheaf/tools/testing/workbook-parts.ts';

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

/** Returns the parts of the export of a workbook, which must read the same again. */
function exportedParts(parts: Parts): Record<string, string> {
  const { document } = readTestWorkbook(zipped(parts));
  const bytes = writeXlsx(document);
  const again = readTestWorkbook(bytes).document;
  for (const [i, sub] of document.subSheets.entries())
    expect([again.subSheets[i]!.save().merges, again.subSheets[i]!.save().filters]).toEqual([
      sub.save().merges,
      sub.save().filters,
    ]);
  return Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, data]) => [name, strFromU8(data)]));
}

test('ranges that the file spells in its own way go out so: whole columns, single cells with a colon', () => {
  const rule = (priority: number, ref: string): string =>
    `<conditionalFormatting sqref="${ref}"><cfRule type="cellIs" operator="equal" priority="${priority}"><formula>1</formula></cfRule></conditionalFormatting>`;
  const out = exportedParts(
    workbookParts({
      One:
        '<worksheet><sheetData/><mergeCells count="2"><mergeCell ref="A:A"/><mergeCell ref="C1:D2"/>' +
        `</mergeCells>${rule(1, 'F3:F3')}${rule(1, 'G1')}</worksheet>`,
    }),
  )['xl/worksheets/sheet1.xml']!;
  expect(out).toContain('<mergeCells count="2"><mergeCell ref="A:A"/><mergeCell ref="C1:D2"/></mergeCells>');
  expect(out).toContain('<conditionalFormatting sqref="F3:F3"><cfRule type="cellIs" priority="1"');
  // Rules of different ranges may have the same priority.
  expect(out).toContain('<conditionalFormatting sqref="G1"><cfRule type="cellIs" priority="1"');
});

test('carriage returns of texts, empty drawings, empty lists of tables and names of removed filters go out again', () => {
  const parts = workbookParts({
    One:
      '<worksheet xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheetData>' +
      '<row r="1"><c r="A1" t="inlineStr"><is><t>a_x000D_\nb</t></is></c></row></sheetData>' +
      '<drawing r:id="rId1"/><tableParts count="0"/></worksheet>',
  });
  parts['xl/worksheets/_rels/sheet1.xml.rels'] = relationships(['rId1', 'drawing', '../drawings/drawing1.xml']);
  parts['xl/drawings/drawing1.xml'] =
    '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"/>';
  parts['xl/workbook.xml'] = String(parts['xl/workbook.xml']).replace(
    '</sheets>',
    '</sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="true">One!$A$1:$B$9</definedName></definedNames>',
  );
  const { document } = readTestWorkbook(zipped(parts));
  expect(document.value(document.subSheets[0]!, 0, 0)).toBe('a\nb');
  const out = exportedParts(parts);
  expect(out['xl/sharedStrings.xml']).toContain('>a_x000D_&#10;b</t>');
  expect(out['xl/worksheets/sheet1.xml']).toMatch(/<drawing r:id="rId\d+"\/><tableParts count="0"\/>/);
  expect(out['xl/workbook.xml']).toContain(
    '<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="true">One!$A$1:$B$9</definedName>',
  );
});

test('functions as arguments are computed, and go out with the prefix that files give them', () => {
  const cells = (ref: string, formula: string): string =>
    `<c r="${ref}" cm="1"><f t="array" ref="${ref}">${formula}</f><v>0</v></c>`;
  const parts = workbookParts(
    {
      One:
        '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c>' +
        `${cells('D1', '_xlfn.BYROW(A1:B1, _xleta.SUM)')}<c r="F1" t="e"><f>SUM(#REF!:#REF!)</f><v>#REF!</v>` +
        '</c></row>',
    },
    [['rId9', 'sheetMetadata', 'metadata.xml']],
  );
  parts['xl/metadata.xml'] = '<metadata/>';
  const { document } = readTestWorkbook(zipped(parts));
  const sub = document.subSheets[0]!;
  expect([document.value(sub, 0, 3), document.formula(sub, 0, 3)]).toEqual([3, '=BYROW(A1:B1, SUM)']);
  edit(document, [
    setValues.of({ sheet: sub.id, formulas: [[1, 3, 1, '=BYCOL(A1:B1,LAMBDA(n,MAX(n)))+SUM(T:T,MAX)']] }),
  ]);
  const out = strFromU8(unzipSync(writeXlsx(document))['xl/worksheets/sheet1.xml']!);
  expect(out).toContain('_xlfn.BYROW(A1:B1, _xleta.SUM)</f>');
  expect(out).toContain('SUM(T:T,_xleta.MAX)</f>');
  expect(out).toContain('<f>SUM(#REF!:#REF!)</f>');
});

test('more than 5,000 named styles are kept, and a cube formula without a value keeps its mark', () => {
  const named = Array.from({ length: 6000 }, (_, i) => `<cellStyle name="Style ${i}" xfId="${i + 1}"/>`).join('');
  const parts = workbookParts({ One: '<row r="1"><c r="A1" vm="1"><f>CUBEMEMBER("m","[x]")</f></c></row>' }, [
    ['rId8', 'styles', 'styles.xml'],
    ['rId9', 'sheetMetadata', 'metadata.xml'],
  ]);
  parts['xl/styles.xml'] =
    `<styleSheet><fonts><font/></fonts><fills><fill/></fills><borders><border/></borders><cellStyleXfs>${'<xf/>'.repeat(6001)}</cellStyleXfs>` +
    `<cellXfs><xf/></cellXfs><cellStyles><cellStyle name="Normal" xfId="0" builtinId="0"/>${named}</cellStyles></styleSheet>`;
  parts['xl/metadata.xml'] =
    '<metadata><metadataTypes count="1"><metadataType name="XLMDX"/></metadataTypes>' +
    '<valueMetadata count="1"><bk><rc t="1" v="0"/></bk></valueMetadata></metadata>';
  const out = exportedParts(parts);
  expect(out['xl/styles.xml']).toContain('<cellStyle name="Style 5999" ');
  expect(out['xl/worksheets/sheet1.xml']).toMatch(/<c r="A1"[^>]* vm="1"/);
});

test('a filter whose range grows keeps its hidden buttons', () => {
  const { document } = readTestWorkbook(
    zipped(
      workbookParts({
        One:
          '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><autoFilter ref="A1:B4">' +
          '<filterColumn colId="1" hiddenButton="1"/></autoFilter></worksheet>',
      }),
    ),
  );
  edit(document, [insertDimension.of({ sheet: document.subSheets[0]!.id, axis: 'row', at: 2, count: 3 })]);
  expect(strFromU8(unzipSync(writeXlsx(document))['xl/worksheets/sheet1.xml']!)).toContain(
    '<autoFilter ref="A1:B7"><filterColumn colId="1" hiddenButton="1"/></autoFilter>',
  );
});

test('boxes of notes go out with their pictures, and comments with their properties, also when a note moves', () => {
  const parts = workbookParts({
    One:
      '<worksheet xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheetData>' +
      '<row r="1"><c r="A1"><v>3</v></c></row></sheetData><legacyDrawing r:id="rId2"/></worksheet>',
  });
  parts['xl/worksheets/_rels/sheet1.xml.rels'] = relationships(
    ['rId1', 'comments', '../comments1.xml'],
    ['rId2', 'vmlDrawing', '../drawings/vmlDrawing1.vml'],
  );
  parts['xl/comments1.xml'] =
    '<comments><authors><author>A</author></authors><commentList><comment ref="B2" authorId="0"><text><t>' +
    'x</t></text><commentPr autoFill="0"/></comment></commentList></comments>';
  parts['xl/drawings/vmlDrawing1.vml'] =
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shape id="s1"><v:fill relid="rId1" type="frame"/>' +
    '<x:ClientData ObjectType="Note"><x:Anchor>2, 15, 0, 2, 4, 15, 4, 16</x:Anchor><x:Row>1</x:Row><x:Column>1</x:Column></x:ClientData></v:shape></xml>';
  parts['xl/drawings/_rels/vmlDrawing1.vml.rels'] = relationships(['rId1', 'image', '../media/image1.png']);
  parts['xl/media/image1.png'] = png;
  const out = exportedParts(parts);
  expect(out['xl/drawings/kept-vmlDrawing1.vml']).toBe(parts['xl/drawings/vmlDrawing1.vml']);
  expect(out['xl/drawings/_rels/kept-vmlDrawing1.vml.rels']).toContain('/image"');
  expect(out['xl/comments1.xml']).toContain('</text><commentPr autoFill="0"/></comment>');
  expect(out['xl/worksheets/sheet1.xml']!.match(/<legacyDrawing /g)).toHaveLength(1);
  const { document } = readTestWorkbook(zipped(parts));
  edit(document, [insertDimension.of({ sheet: document.subSheets[0]!.id, axis: 'row', at: 0, count: 1 })]);
  const moved = unzipSync(writeXlsx(document));
  const drawing = strFromU8(moved['xl/drawings/kept-vmlDrawing1.vml']!);
  expect(drawing).toContain('<v:fill relid="rId1" type="frame"/>');
  expect(drawing).toContain('<x:Anchor>2, 15, 1, 2, 4, 15, 5, 16</x:Anchor><x:Row>2</x:Row><x:Column>1</x:Column>');
  expect(strFromU8(moved['xl/drawings/_rels/kept-vmlDrawing1.vml.rels']!)).toContain('/image"');
});

test('a column keeps its format where its cells have others down to the end, and open cells in locked rows are told apart', () => {
  const styles =
    '<styleSheet><fonts><font/></fonts><fills><fill/></fills><borders><border/></borders><cellXfs><xf/>' +
    '<xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="9" applyNumberFormat="1"/>' +
    '<xf applyProtection="1"><protection locked="0"/></xf></cellXfs></styleSheet>';
  const rows = Array.from({ length: 250 }, (_, r) => `<row r="${r + 1}"><c r="A${r + 1}" s="2"/></row>`).join('');
  const parts = workbookParts(
    {
      One: `<worksheet><cols><col min="1" max="1" width="9" style="1"/></cols><sheetData>${rows}</sheetData></worksheet>`,
      Two:
        '<worksheet><cols><col min="1" max="2" width="9" style="3"/></cols><sheetData>' +
        '<row r="3" s="2" customFormat="1"><c r="B3" s="3"/></row></sheetData><sheetProtection sheet="1"/>' +
        '</worksheet>',
    },
    [['rId9', 'styles', 'styles.xml']],
  );
  parts['xl/styles.xml'] = styles;
  const { document } = readTestWorkbook(zipped(parts));
  const locked = document.subSheets[1]!.protections.map(({ region }) => region);
  expect(locked.filter((region) => region?.[1] === 0)).toEqual([[2, 0, 2, 0]]);
  expect(locked.filter((region) => region?.[1] === 1)).toEqual([]);
  const out = exportedParts(parts)['xl/worksheets/sheet1.xml']!;
  const cell = /<c r="A250" s="(\d+)"\/>/.exec(out)?.[1];
  const column = /<col min="1" max="1" width="9" style="(\d+)"\/>/.exec(out)?.[1];
  expect(column).toBeDefined();
  expect(cell).not.toBe(column);
});

test('formats of a pivot table that is passed through are those of the file', () => {
  const parts = workbookParts({ One: '<row r="1"><c r="A1"><v>1</v></c></row>' }, [
    ['rId8', 'styles', 'styles.xml'],
    ['rId9', 'pivotCacheDefinition', 'pivotCache/pivotCacheDefinition1.xml'],
  ]);
  parts['xl/styles.xml'] =
    '<styleSheet><fonts><font/></fonts><fills><fill/></fills><borders><border/></borders><cellXfs><xf/></cellXfs>' +
    '<dxfs><dxf><font><i/></font></dxf><dxf><font><b/></font></dxf></dxfs></styleSheet>';
  parts['xl/worksheets/_rels/sheet1.xml.rels'] = relationships([
    'rId1',
    'pivotTable',
    '../pivotTables/pivotTable1.xml',
  ]);
  parts['xl/pivotTables/pivotTable1.xml'] =
    '<pivotTableDefinition name="P" cacheId="5"><location ref="A1:B3" firstHeaderRow="1" firstDataRow="1" firstDataCol="1"/>' +
    '<formats count="1"><format dxfId="1"><pivotArea/></format></formats></pivotTableDefinition>';
  parts['xl/pivotTables/_rels/pivotTable1.xml.rels'] = relationships([
    'rId1',
    'pivotCacheDefinition',
    '../pivotCache/pivotCacheDefinition1.xml',
  ]);
  parts['xl/pivotCache/pivotCacheDefinition1.xml'] =
    '<pivotCacheDefinition><cacheSource type="external"/><cacheFields count="0"/></pivotCacheDefinition>';
  const out = exportedParts(parts);
  const pivot = out['xl/pivotTables/kept-pivotTable1.xml']!;
  const format = Number(/<format dxfId="(\d+)"/.exec(pivot)?.[1]);
  const formats = [...out['xl/styles.xml']!.matchAll(/<dxf>.*?<\/dxf>/g)].map(([xml]) => xml);
  expect(formats[format]).toBe('<dxf><font><b/></font></dxf>');
  expect(pivot).toContain('cacheId="5"');
});

test('empty cells that look like their row or column go out again, and follow inserted rows', () => {
  const parts = workbookParts(
    {
      One:
        '<worksheet><cols><col min="1" max="2" width="9" style="1"/></cols><sheetData><row r="2">' +
        '<c r="A2" s="1"/><c r="B2" s="1"/></row><row r="4" s="1" customFormat="1"><c r="D4" s="1"/></row>' +
        '</sheetData></worksheet>',
    },
    [['rId9', 'styles', 'styles.xml']],
  );
  parts['xl/styles.xml'] =
    '<styleSheet><fonts><font/></fonts><fills><fill/></fills><borders><border/></borders><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>';
  const cellsOf = (xml: string): string[] => [...xml.matchAll(/<c r="(\w+)" s="1"\/>/g)].map(([, ref]) => ref!);
  expect(cellsOf(exportedParts(parts)['xl/worksheets/sheet1.xml']!)).toEqual(['A2', 'B2', 'D4']);
  const { document } = readTestWorkbook(zipped(parts));
  edit(document, [insertDimension.of({ sheet: document.subSheets[0]!.id, axis: 'row', at: 0, count: 1 })]);
  const out = strFromU8(unzipSync(writeXlsx(document))['xl/worksheets/sheet1.xml']!);
  // The last cell keeps the number of rows.
  expect(cellsOf(out)).toEqual(['A3', 'B3', 'D5', 'A201']);
});

test('a time of day as text is a time, and halves of surrogate pairs in texts survive', () => {
  const parts = workbookParts({
    One: '<row r="1"><c r="A1" t="d"><v>12:00:00</v></c><c r="B1" t="d"><v>2021-12-31</v></c><c r="C1" t="inlineStr"><is><t>9_xDC05_</t></is></c></row>',
  });
  const { document } = readTestWorkbook(zipped(parts));
  const valuesOf = (one: SheetDocument): unknown[] => [0, 1, 2].map((col) => one.value(one.subSheets[0]!, 0, col));
  expect(valuesOf(document)).toEqual([0.5, 44_561, '9\udc05']);
  expect(valuesOf(readTestWorkbook(writeXlsx(document)).document)).toEqual(valuesOf(document));
});

test('a time of day may have one digit of hours and name its zone', () => {
  const times = ['9:30', '09:30Z', '9:30:00Z', '10:30+01:00'];
  const cells = times.map((time, i) => `<row r="${i + 1}"><c r="A${i + 1}" t="d"><v>${time}</v></c></row>`);
  const { document } = readTestWorkbook(zipped(workbookParts({ One: cells.join('') })));
  const sub = document.subSheets[0]!;
  expect(times.map((_, row) => Math.round(Number(document.value(sub, row, 0)) * 1440))).toEqual([570, 570, 570, 570]);
});

test('the text of a formula keeps the white space around it', () => {
  const cells = '<c r="A1" t="str"><f>" "&amp;"May"</f><v xml:space="preserve"> May</v></c>';
  const sheet = `<worksheet><sheetData><row r="1">${cells}</row></sheetData></worksheet>`;
  const { document } = readTestWorkbook(zipped(workbookParts({ One: sheet })));
  const out = strFromU8(unzipSync(writeXlsx(document))['xl/worksheets/sheet1.xml']!);
  expect(out).toContain('<v xml:space="preserve"> May</v>');
});
