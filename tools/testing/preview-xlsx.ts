import { relationships, workbookParts, zipped, type Parts } from './workbook-parts.ts';

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relationsOf = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

const drawing = 'http://schemas.openxmlformats.org/drawingml/2006';

/** Files in the .xlsx archive for a column chart of Plan!A3:B4, placed at D5. */
const chartParts: Parts = {
  'xl/worksheets/_rels/sheet1.xml.rels': relationships(['rId1', 'drawing', '../drawings/drawing1.xml']),
  'xl/drawings/_rels/drawing1.xml.rels': relationships(['rId1', 'chart', '../charts/chart1.xml']),
  'xl/drawings/drawing1.xml':
    `<xdr:wsDr xmlns:xdr="${drawing}/spreadsheetDrawing" xmlns:a="${drawing}/main"><xdr:twoCellAnchor>` +
    '<xdr:from><xdr:col>3</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>4</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from>' +
    '<xdr:to><xdr:col>7</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>14</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to>' +
    '<xdr:graphicFrame><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Chart 1"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>' +
    '<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic>' +
    `<a:graphicData uri="${drawing}/chart"><c:chart xmlns:c="${drawing}/chart" ${relationsOf} r:id="rId1"/></a:graphicData>` +
    '</a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>',
  'xl/charts/chart1.xml':
    `<c:chartSpace xmlns:c="${drawing}/chart"><c:chart><c:plotArea><c:barChart><c:barDir val="col"/><c:ser>` +
    '<c:idx val="0"/><c:order val="0"/><c:cat><c:strRef><c:f>Plan!$A$3:$A$4</c:f></c:strRef></c:cat>' +
    '<c:val><c:numRef><c:f>Plan!$B$3:$B$4</c:f></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>',
};

/** Files in the .xlsx archive for a picture, placed at B3 of the second sheet. */
const pictureParts: Parts = {
  'xl/worksheets/_rels/sheet2.xml.rels': relationships(['rId1', 'drawing', '../drawings/drawing2.xml']),
  'xl/drawings/_rels/drawing2.xml.rels': relationships(['rId1', 'image', '../media/image1.png']),
  'xl/media/image1.png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  'xl/drawings/drawing2.xml':
    `<xdr:wsDr xmlns:xdr="${drawing}/spreadsheetDrawing" xmlns:a="${drawing}/main" ${relationsOf}><xdr:oneCellAnchor>` +
    '<xdr:from><xdr:col>1</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>2</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from>' +
    '<xdr:ext cx="952500" cy="952500"/><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="Logo"/><xdr:cNvPicPr/></xdr:nvPicPr>' +
    '<xdr:blipFill><a:blip r:embed="rId1"/></xdr:blipFill><xdr:spPr/></xdr:pic><xdr:clientData/></xdr:oneCellAnchor></xdr:wsDr>',
};

/**
 * Builds a workbook with four sheets, for tests of the preview of workbooks. Plan has a merged title, a number format,
 * a formula that refers to Secret, a column width, two frozen rows, a hidden row and a chart. Notes has a picture,
 * Secret is hidden, and Tall has 2,500 rows.
 */
export function previewXlsx(): Uint8Array {
  const text = (ref: string, value: string, style = ''): string =>
    `<c r="${ref}" t="inlineStr"${style}><is><t>${value}</t></is></c>`;
  const plan =
    `<worksheet ${main} ${relationsOf}><sheetPr><tabColor rgb="FF2E7D32"/></sheetPr>` +
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="2" topLeftCell="A3" state="frozen"/></sheetView></sheetViews>' +
    '<cols><col min="1" max="1" width="30" customWidth="1"/></cols><sheetData>' +
    `<row r="1">${text('A1', 'Budget of the year', ' s="2"')}</row>` +
    `<row r="2">${text('A2', 'Item')}${text('B2', 'Cost')}</row>` +
    `<row r="3">${text('A3', 'Rent')}<c r="B3" s="1"><v>1200.5</v></c></row>` +
    `<row r="4">${text('A4', 'Food')}<c r="B4" s="1"><v>300</v></c></row>` +
    `<row r="5" hidden="1">${text('A5', 'Set aside')}</row>` +
    `<row r="6">${text('A6', 'Total')}<c r="B6" s="1"><f>SUM(B3:B4)+Secret!A1</f><v>1</v></c></row>` +
    '</sheetData><mergeCells count="1"><mergeCell ref="A1:C1"/></mergeCells><drawing r:id="rId1"/></worksheet>';
  const tall = Array.from({ length: 2500 }, (_, i) => `<row r="${i + 1}"><c r="A${i + 1}"><v>${i + 1}</v></c></row>`);
  const parts = workbookParts(
    {
      Plan: plan,
      Notes:
        `<worksheet ${main} ${relationsOf}><sheetData><row r="1">${text('B1', '会议记录')}</row></sheetData>` +
        '<drawing r:id="rId1"/></worksheet>',
      Secret: '<row r="1"><c r="A1"><v>7</v></c></row>',
      Tall: tall.join(''),
    },
    [['rId9', 'styles', 'styles.xml']],
  );
  return zipped({
    ...parts,
    ...chartParts,
    ...pictureParts,
    'xl/workbook.xml': String(parts['xl/workbook.xml']).replace(
      '<sheet name="Secret"',
      '<sheet name="Secret" state="hidden"',
    ),
    'xl/styles.xml':
      `<styleSheet ${main}><numFmts count="1"><numFmt numFmtId="170" formatCode="#,##0.00&quot; EUR&quot;"/></numFmts>` +
      '<fonts count="2"><font><sz val="11"/></font><font><b/><sz val="14"/></font></fonts>' +
      '<fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders>' +
      '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>' +
      '<xf numFmtId="170" fontId="0" fillId="0" borderId="0" applyNumberFormat="1"/>' +
      '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" applyFont="1"/></cellXfs></styleSheet>',
  });
}
