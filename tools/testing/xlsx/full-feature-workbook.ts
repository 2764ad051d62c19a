import {
  relationships as relationshipsXml,
  zipped,
  type Parts,
  type Relation,
} from '@sheaf/tools/testing/workbook-parts.ts';
import { png } from './document-fixtures.ts';

const office = 'application/vnd.openxmlformats-officedocument';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const r = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const chartSpace = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const sheetDrawing = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing';
const x14 = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main';
const xm = 'http://schemas.microsoft.com/office/excel/2006/main';
const threads = 'http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments';

/** Returns the XML of a .rels file. A type with a colon is a full URI; other types get the standard prefix. */
function relations(list: readonly (readonly [id: string, type: string, target: string, mode?: string])[]): string {
  const items = list.map(
    ([id, type, target, mode]) =>
      `<Relationship Id="${id}" Type="${type.includes(':') ? type : `${r}/${type}`}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ''}/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join('')}</Relationships>`;
}

export function chartXml(plot: string, title: string): string {
  return (
    `<c:chartSpace xmlns:c="${chartSpace}" xmlns:a="${drawing}"><c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r>` +
    `<a:t>${title}</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea>${plot}</c:plotArea></c:chart></c:chartSpace>`
  );
}

export function chartSeries(index: number, name: string, labels: string, values: string): string {
  return (
    `<c:ser><c:idx val="${index}"/><c:order val="${index}"/><c:tx><c:strRef><c:f>${name}</c:f></c:strRef></c:tx>` +
    `<c:cat><c:strRef><c:f>${labels}</c:f></c:strRef></c:cat><c:val><c:numRef><c:f>${values}</c:f></c:numRef></c:val></c:ser>`
  );
}

export function chartFrame(id: string, row: number): string {
  return (
    `<xdr:twoCellAnchor><xdr:from><xdr:col>6</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from>` +
    `<xdr:to><xdr:col>12</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row + 10}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to>` +
    `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${row + 2}" name="Chart ${row}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>` +
    '<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm>' +
    `<a:graphic><a:graphicData uri="${chartSpace}"><c:chart xmlns:c="${chartSpace}" r:id="${id}"/></a:graphicData></a:graphic>` +
    '</xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>'
  );
}

export function drawingXml(anchors: string): string {
  return `<xdr:wsDr xmlns:xdr="${sheetDrawing}" xmlns:a="${drawing}" xmlns:r="${r}">${anchors}</xdr:wsDr>`;
}

const theme =
  `<a:theme xmlns:a="${drawing}" name="Autumn"><a:themeElements><a:clrScheme name="Autumn">` +
  ['dk1', 'lt1', 'dk2', 'lt2', 'accent1', 'accent2', 'accent3', 'accent4', 'accent5', 'accent6', 'hlink', 'folHlink']
    .map(
      (name, i) =>
        `<a:${name}><a:srgbClr val="${(0x102030 + i * 0x111111).toString(16).padStart(6, '0').toUpperCase()}"/></a:${name}>`,
    )
    .join('') +
  '</a:clrScheme></a:themeElements></a:theme>';

const styles =
  `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="0.000"/></numFmts>` +
  '<fonts count="3"><font><sz val="10"/><name val="Arial"/></font><font><b/><sz val="10"/><name val="Arial"/></font>' +
  '<font><sz val="14"/><color rgb="FF9C0006"/><name val="Arial"/></font></fonts>' +
  '<fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  '<fill><patternFill patternType="lightTrellis"><fgColor rgb="FFFF0000"/><bgColor rgb="FFFFFF00"/></patternFill></fill>' +
  '<fill><gradientFill degree="90"><stop position="0"><color rgb="FFFFFFFF"/></stop><stop position="1">' +
  '<color rgb="FF00B050"/></stop></gradientFill></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>' +
  '<xf numFmtId="164" fontId="2" fillId="0" borderId="0" applyFont="1"/></cellStyleXfs>' +
  '<cellXfs count="7"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
  '<xf numFmtId="0" fontId="0" fillId="2" borderId="0" xfId="0" applyFill="1"/>' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment horizontal="left" indent="3"/></xf>' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment textRotation="45"/></xf>' +
  '<xf numFmtId="164" fontId="2" fillId="0" borderId="0" xfId="1"/>' +
  '<xf numFmtId="0" fontId="0" fillId="3" borderId="0" xfId="0" applyFill="1"/></cellXfs>' +
  '<cellStyles count="2"><cellStyle name="Normal" xfId="0" builtinId="0"/><cellStyle name="Loud" xfId="1"/></cellStyles>' +
  '<dxfs count="2"><dxf><font><color rgb="FF9C0006"/></font></dxf><dxf><fill><patternFill><bgColor rgb="FFC6EFCE"/></patternFill></fill></dxf></dxfs>' +
  '</styleSheet>';

const rows = Array.from({ length: 12 }, (_, i) => {
  const row = i + 1;
  const grouped = row >= 8 && row <= 10 ? ' outlineLevel="1"' : row === 11 ? ' collapsed="1"' : '';
  const look = [0, 1, 2, 3, 4, 5, 6][row % 7];
  const first =
    row === 1
      ? '<c r="A1" t="inlineStr"><is><t>Item</t></is></c><c r="B1" t="inlineStr"><is><t>Price</t></is></c><c r="C1" t="inlineStr"><is><t>Count</t></is></c>'
      : `<c r="A${row}" s="${look}" t="inlineStr"><is><t>item ${row}</t></is></c><c r="B${row}"><v>` +
        `${row * 10}</v></c><c r="C${row}"><f>B${row}*2</f><v>${row * 20}</v></c>`;
  return `<row r="${row}"${grouped}>${first}</row>`;
}).join('');

const dataSheet =
  `<worksheet xmlns="${main}" xmlns:r="${r}" xmlns:x14="${x14}" xmlns:xm="${xm}">` +
  '<sheetPr><tabColor rgb="FF00B0F0"/><outlinePr summaryBelow="0"/><pageSetUpPr fitToPage="1"/></sheetPr><dimension ref="A1:C12"/>' +
  '<sheetViews><sheetView showGridLines="0" showZeros="0" zoomScale="85" workbookViewId="0"/></sheetViews>' +
  '<sheetFormatPr baseColWidth="10" defaultColWidth="12.7109375" defaultRowHeight="18"/>' +
  '<cols><col min="5" max="6" width="9.140625" outlineLevel="2"/></cols>' +
  `<sheetData>${rows}</sheetData>` +
  '<conditionalFormatting sqref="B2:B12"><cfRule type="expression" dxfId="1" priority="2"><formula>$B2&gt;Lists!$A$2</formula></cfRule>' +
  '<cfRule type="cellIs" dxfId="0" priority="1" operator="greaterThan"><formula>100</formula></cfRule></conditionalFormatting>' +
  '<dataValidations count="2">' +
  '<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="A2:A12"><formula1>' +
  'Lists!$A$1:$A$3</formula1></dataValidation>' +
  '<dataValidation type="whole" operator="between" sqref="B2:B12 E2"><formula1>1</formula1><formula2>1000</formula2></dataValidation></dataValidations>' +
  '<printOptions horizontalCentered="1" gridLines="1"/><pageMargins left="0.2" right="0.3" top="0.4" bottom="0.5" header="0.1" footer="0.15"/>' +
  '<pageSetup paperSize="9" scale="70" orientation="landscape" r:id="rId4"/>' +
  '<headerFooter><oddHeader>&amp;LLeft&amp;CTitle &amp;P</oddHeader><oddFooter>&amp;R&amp;D</oddFooter></headerFooter>' +
  '<rowBreaks count="1" manualBreakCount="1"><brk id="6" max="16383" man="1"/></rowBreaks>' +
  '<colBreaks count="1" manualBreakCount="1"><brk id="3" max="1048575" man="1"/></colBreaks>' +
  '<drawing r:id="rId1"/><legacyDrawing r:id="rId3"/><tableParts count="1"><tablePart r:id="rId5"/></tableParts>' +
  '<extLst><ext uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}"><x14:conditionalFormattings><x14:conditionalFormatting>' +
  '<x14:cfRule type="expression" priority="3" id="{11111111-2222-3333-4444-555555555555}"><xm:f>Lists!$A$1="pear"</xm:f></x14:cfRule>' +
  '<xm:sqref>C2:C12</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext></extLst></worksheet>';

const shape =
  '<xdr:twoCellAnchor><xdr:from><xdr:col>4</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>3</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from>' +
  '<xdr:to><xdr:col>6</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>6</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to>' +
  '<xdr:sp macro="" textlink=""><xdr:nvSpPr><xdr:cNvPr id="9" name="Note box"/><xdr:cNvSpPr txBox="1"/></xdr:nvSpPr>' +
  '<xdr:spPr><a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:blipFill><a:blip r:embed="rId2"/></a:blipFill></xdr:spPr>' +
  '<xdr:txBody><a:bodyPr/><a:p><a:r><a:t>Look here</a:t></a:r></a:p></xdr:txBody></xdr:sp><xdr:clientData/></xdr:twoCellAnchor>';

const vml =
  '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shape id="_x0000_s1025">' +
  '<x:ClientData ObjectType="Note"><x:Anchor>3, 15, 1, 2, 6, 31, 7, 1</x:Anchor><x:Row>2</x:Row><x:Column>1</x:Column></x:ClientData>' +
  '</v:shape><v:shape id="_x0000_s1026"><x:ClientData ObjectType="Note"><x:Anchor>2, 15, 3, 2, 4, 31, 7, 1</x:Anchor><x:Row>3</x:Row>' +
  '<x:Column>1</x:Column></x:ClientData></v:shape></xml>';

/**
 * Builds an .xlsx workbook for tests of import and export, with many features that must be preserved. Its sheets are
 * Data, Picture (a chart sheet), Lists (hidden, with charts of data on another sheet) and Deep (very hidden). `changed`
 * replaces or adds files in the archive.
 */
export function fullFeatureWorkbook(changed: Parts = {}): Uint8Array {
  const bar =
    '<c:barChart><c:barDir val="bar"/><c:grouping val="percentStacked"/>' +
    `${chartSeries(0, 'Data!$B$1', 'Data!$A$2:$A$12', 'Data!$B$2:$B$12')}${chartSeries(1, 'Data!$C$1', 'Data!$A$2:$A$12', 'Data!$C$2:$C$12')}` +
    '<c:axId val="1"/><c:axId val="2"/></c:barChart>';
  const ring = `<c:doughnutChart>${chartSeries(0, 'Data!$C$1', 'Data!$A$2:$A$5', 'Data!$C$2:$C$5')}</c:doughnutChart>`;
  const sheets: Relation[] = [
    ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
    ['rId2', 'chartsheet', 'chartsheets/sheet1.xml'],
    ['rId3', 'worksheet', 'worksheets/sheet2.xml'],
    ['rId4', 'worksheet', 'worksheets/sheet3.xml'],
    ['rId5', 'styles', 'styles.xml'],
    ['rId6', 'theme', 'theme/theme1.xml'],
    ['rId7', 'externalLink', 'externalLinks/externalLink1.xml'],
    ['rId8', 'vbaProject', 'vbaProject.bin'],
  ];
  return zipped({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/>' +
      '<Default Extension="png" ContentType="image/png"/>' +
      '<Default Extension="bin" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.pr' +
      'interSettings"/>' +
      `${['1', '2', '3']
        .map(
          (n) =>
            `<Override PartName="/xl/charts/chart${n}.xml" ContentType="${office}.drawingml.chart+xml"/>` +
            `<Override PartName="/xl/drawings/drawing${n}.xml" ContentType="${office}.drawing+xml"/>`,
        )
        .join('')}` +
      `<Override PartName="/xl/chartsheets/sheet1.xml" ContentType="${office}.spreadsheetml.chartsheet+xml"/>` +
      '<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>',
    '_rels/.rels': relations([
      ['rId1', 'officeDocument', 'xl/workbook.xml'],
      [
        'rId2',
        'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties',
        'docProps/core.xml',
      ],
      ['rId3', 'extended-properties', 'docProps/app.xml'],
    ]),
    'docProps/core.xml':
      '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">' +
      '<dc:creator>Ada &amp; Bob</dc:creator><dc:title>Prices</dc:title></cp:coreProperties>',
    'docProps/app.xml':
      '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Company>Pears Ltd</Company>' +
      '<TitlesOfParts>3</TitlesOfParts></Properties>',
    'xl/workbook.xml':
      `<workbook xmlns="${main}" xmlns:r="${r}"><workbookProtection lockStructure="1" workbookPassword="CC1A"/>` +
      '<bookViews><workbookView tabRatio="700"/></bookViews><sheets><sheet name="Data" sheetId="1" r:id="rId1"/>' +
      '<sheet name="Picture" sheetId="2" r:id="rId2"/><sheet name="Lists" sheetId="3" state="hidden" r:id="rId3"/>' +
      '<sheet name="Deep" sheetId="4" state="veryHidden" r:id="rId4"/></sheets>' +
      '<externalReferences><externalReference r:id="rId7"/></externalReferences>' +
      '<definedNames><definedName name="_xlnm.Print_Area" localSheetId="0">Data!$A$1:$C$12</definedName>' +
      '<definedName name="_xlnm.Print_Titles" localSheetId="0">Data!$A:$A,Data!$1:$1</definedName>' +
      '<definedName name="local" localSheetId="2">Lists!$A$2</definedName></definedNames>' +
      '<calcPr calcId="1" iterate="1" iterateCount="25" iterateDelta="0.01"/></workbook>',
    'xl/_rels/workbook.xml.rels': relationshipsXml(...sheets),
    'xl/styles.xml': styles,
    'xl/theme/theme1.xml': theme,
    'xl/vbaProject.bin': new Uint8Array([1, 2, 3]),
    'xl/externalLinks/externalLink1.xml':
      `<externalLink xmlns="${main}" xmlns:r="${r}"><externalBook r:id="rId1"><sheetNames>` +
      '<sheetName val="Other"/></sheetNames></externalBook></externalLink>',
    'xl/externalLinks/_rels/externalLink1.xml.rels': relations([
      ['rId1', 'externalLinkPath', 'other.xlsx', 'External'],
    ]),
    'xl/worksheets/sheet1.xml': dataSheet,
    'xl/worksheets/_rels/sheet1.xml.rels': relations([
      ['rId1', 'drawing', '../drawings/drawing1.xml'],
      ['rId2', 'comments', '../comments1.xml'],
      ['rId3', 'vmlDrawing', '../drawings/vmlDrawing1.vml'],
      ['rId4', 'printerSettings', '../printerSettings/printerSettings1.bin'],
      ['rId5', 'table', '../tables/table1.xml'],
      [
        'rId6',
        'http://schemas.microsoft.com/office/2017/10/relationships/threadedComment',
        '../threadedComments/threadedComment1.xml',
      ],
    ]),
    'xl/printerSettings/printerSettings1.bin': new Uint8Array([7, 7, 7]),
    'xl/comments1.xml':
      `<comments xmlns="${main}"><authors><author>Ada</author><author>tc={AAAA}</author></authors><commentList>` +
      '<comment ref="B3" authorId="0"><text><r><rPr><b/></rPr><t>Ada:</t></r><r><t xml:space="preserve"> too low?</t></r></text></comment>' +
      '<comment ref="B4" authorId="1"><text><t>[Threaded comment] why</t></text></comment></commentList></comments>',
    'xl/threadedComments/threadedComment1.xml':
      `<ThreadedComments xmlns="${threads}">` +
      '<threadedComment ref="B4" dT="2024-01-02T03:04:05.00" personId="{P1}" id="{AAAA}"><text>why</text>' +
      '</threadedComment>' +
      '<threadedComment ref="B4" dT="2024-01-03T03:04:05.00" personId="{P1}" id="{BBBB}" parentId="{AAAA}">' +
      '<text>because</text></threadedComment></ThreadedComments>',
    'xl/drawings/vmlDrawing1.vml': vml,
    'xl/drawings/drawing1.xml': drawingXml(shape),
    'xl/drawings/_rels/drawing1.xml.rels': relations([['rId2', 'image', '../media/image1.png']]),
    'xl/media/image1.png': new Uint8Array(png),
    'xl/tables/table1.xml':
      `<table xmlns="${main}" id="4" name="Prices" displayName="Prices" ref="A1:C12" totalsRowShown="0"><autoFilter ref="A1:C12"/>` +
      '<tableColumns count="3"><tableColumn id="1" name="Item"/><tableColumn id="2" name="Price"/>' +
      '<tableColumn id="3" name="Count"><calculatedColumnFormula>Prices[Price]*2</calculatedColumnFormula>' +
      '</tableColumn></tableColumns>' +
      '<tableStyleInfo name="TableStyleMedium9" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/></table>',
    'xl/chartsheets/sheet1.xml':
      `<chartsheet xmlns="${main}" xmlns:r="${r}"><sheetViews><sheetView workbookViewId="0"/></sheetViews>` +
      '<drawing r:id="rId1"/></chartsheet>',
    'xl/chartsheets/_rels/sheet1.xml.rels': relations([['rId1', 'drawing', '../drawings/drawing3.xml']]),
    'xl/drawings/drawing3.xml': drawingXml(chartFrame('rId1', 0)),
    'xl/drawings/_rels/drawing3.xml.rels': relations([['rId1', 'chart', '../charts/chart3.xml']]),
    'xl/charts/chart3.xml': chartXml(bar, 'On its own'),
    'xl/worksheets/sheet2.xml':
      `<worksheet xmlns="${main}" xmlns:r="${r}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>pear</t></is></c></row>` +
      '<row r="2"><c r="A2"><v>55</v></c></row><row r="3"><c r="A3" t="inlineStr"><is><t>plum</t></is></c></row></sheetData><drawing r:id="rId1"/></worksheet>',
    'xl/worksheets/_rels/sheet2.xml.rels': relations([['rId1', 'drawing', '../drawings/drawing2.xml']]),
    'xl/drawings/drawing2.xml': drawingXml(chartFrame('rId1', 0) + chartFrame('rId2', 20)),
    'xl/drawings/_rels/drawing2.xml.rels': relations([
      ['rId1', 'chart', '../charts/chart1.xml'],
      ['rId2', 'chart', '../charts/chart2.xml'],
    ]),
    'xl/charts/chart1.xml': chartXml(bar, 'Shares'),
    'xl/charts/chart2.xml': chartXml(ring, 'Ring'),
    'xl/worksheets/sheet3.xml': `<worksheet xmlns="${main}"><sheetData/></worksheet>`,
    ...changed,
  });
}
