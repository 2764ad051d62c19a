import { png } from './document-fixtures.ts';
import { chartFrame, chartSeries, chartXml } from './full-feature-workbook.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const columns =
  '<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/>' +
  `${chartSeries(0, 'Second!$H$70', 'Second!$H$71:$H$73', 'Second!$I$71:$I$73')}<c:axId val="1"/><c:axId val="2"/></c:barChart>`;

/**
 * Test features that refer to cells or to other files of the .xlsx archive, for example charts, cell comments, formulas
 * over ranges and links to other workbooks. They are part of `workbookFeatures`.
 */
export const linkedFeatures = {
  chart: {
    cells: {
      70: '<c r="H70" t="inlineStr"><is><t>Sold</t></is></c>',
      71: '<c r="H71"><v>1</v></c><c r="I71"><v>4</v></c>',
      72: '<c r="H72"><v>2</v></c><c r="I72"><v>6</v></c>',
      73: '<c r="H73"><v>3</v></c><c r="I73"><v>5</v></c>',
    },
    anchors: chartFrame('rId50', 75),
    drawingRelations: [['rId50', 'chart', '../charts/chart1.xml']],
    parts: { 'xl/charts/chart1.xml': chartXml(columns, 'Sales') },
  },
  note: {
    shapes:
      '<v:shape id="_x0000_s1100" type="#_x0000_t202" style="visibility:hidden" fillcolor="#ffffe1"><x:ClientData ObjectType="Note">' +
      '<x:Anchor>9, 15, 90, 2, 11, 31, 95, 1</x:Anchor><x:Row>90</x:Row><x:Column>7</x:Column></x:ClientData></v:shape>',
    sheetRelations: [['rId40', 'comments', '../comments1.xml']],
    parts: {
      'xl/comments1.xml':
        `<comments xmlns="${main}"><authors><author>Ada</author></authors><commentList><comment ref="H91" authorId="0"><text>` +
        '<r><rPr><b/></rPr><t>Ada:</t></r><r><t xml:space="preserve"> too low?</t></r></text></comment></commentList></comments>',
    },
  },
  arrayFormula: {
    cells: {
      94: '<c r="H94"><f t="array" ref="H94:H95">ROW(I94:I95)*2</f><v>188</v></c>',
      95: '<c r="H95"><v>190</v></c>',
    },
  },
  sharedFormula: {
    cells: {
      97: '<c r="H97"><f t="shared" ref="H97:H99" si="0">I97+$I$97</f><v>0</v></c>',
      98: '<c r="H98"><f t="shared" si="0"/><v>0</v></c>',
      99: '<c r="H99"><f t="shared" si="0"/><v>0</v></c>',
    },
  },
  otherWorkbook: {
    cells: { 101: '<c r="H101"><f>[1]Prices!A1*2</f><v>14</v></c>' },
    bookRelations: [['rId25', 'externalLink', 'externalLinks/externalLink1.xml']],
    externalReferences: '<externalReference r:id="rId25"/>',
    parts: {
      'xl/externalLinks/externalLink1.xml':
        `<externalLink xmlns="${main}"><externalBook xmlns:r="${office}" r:id="rId1"><sheetNames><sheetName val="Prices"/></sheetNames>` +
        '<sheetDataSet><sheetData sheetId="0"><row r="1"><cell r="A1"><v>7</v></cell></row></sheetData></sheetDataSet></externalBook></externalLink>',
      'xl/externalLinks/_rels/externalLink1.xml.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" ' +
        `Type="${office}/externalLinkPath" Target="prices.xlsx" TargetMode="External"/></Relationships>`,
    },
  },
  background: {
    elements: { picture: '<picture r:id="rId41"/>' },
    sheetRelations: [['rId41', 'image', '../media/background.png']],
    parts: { 'xl/media/background.png': png },
  },
  scenarios: {
    elements: {
      scenarios:
        '<scenarios current="0" show="0"><scenario name="Best" locked="1" count="1" user="Ada" comment="As hoped">' +
        '<inputCells r="I105" val="9"/></scenario></scenarios>',
    },
    cells: { 105: '<c r="I105"><v>3</v></c>' },
  },
} as const;
