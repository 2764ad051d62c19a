import { png } from './document-fixtures.ts';
import { linkedFeatures } from './linked-workbook-features.ts';
import type { Parts, Relation } from '../workbook-parts.ts';

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const compatibility = 'http://schemas.openxmlformats.org/markup-compatibility/2006';
const drawing2010 = 'http://schemas.microsoft.com/office/drawing/2010/main';
const sheet2009 = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main';
const richData = 'http://schemas.microsoft.com/office/spreadsheetml/2017/richdata';

/**
 * XML elements that follow the cells in a worksheet's XML, in the order that .xlsx requires. A test feature can add
 * them.
 */
export const sheetElements = [
  'scenarios',
  'mergeCells',
  'conditionalFormatting',
  'dataValidations',
  'pageMargins',
  'pageSetup',
  'headerFooter',
  'rowBreaks',
  'ignoredErrors',
  'legacyDrawing',
  'picture',
  'oleObjects',
  'controls',
  'tableParts',
  'extLst',
] as const;

/** A workbook feature that tests add to a generated .xlsx file, in rows and columns that no other feature uses. */
export interface WorkbookFeature {
  readonly elements?: Partial<Record<(typeof sheetElements)[number], string>>;
  /** XML of the feature's cells by row number. */
  readonly cells?: Readonly<Record<number, string>>;
  readonly anchors?: string;
  /** XML of the VML shapes (an older drawing format) that the feature needs. */
  readonly shapes?: string;
  readonly drawingRelations?: readonly Relation[];
  readonly sheetRelations?: readonly Relation[];
  readonly bookRelations?: readonly Relation[];
  readonly names?: string;
  /** XML of the workbook's references to external workbooks. */
  readonly externalReferences?: string;
  readonly parts?: Parts;
}

function corner(name: string, row: number, col: number): string {
  return (
    `<xdr:${name}><xdr:col>${col}</xdr:col><xdr:colOff>19050</xdr:colOff><xdr:row>${row}</xdr:row>` +
    `<xdr:rowOff>9525</xdr:rowOff></xdr:${name}>`
  );
}

/**
 * Returns the XML of a drawing object that only newer programs read. Older programs draw the VML shape with the same
 * number instead.
 */
function newerObject(row: number, shape: number, name: string, text: string): string {
  return (
    `<mc:AlternateContent xmlns:mc="${compatibility}"><mc:Choice xmlns:a14="${drawing2010}" Requires="a14">` +
    `<xdr:twoCellAnchor editAs="oneCell">${corner('from', row, 8)}${corner('to', row + 2, 10)}<xdr:sp macro="" textlink="">` +
    `<xdr:nvSpPr><xdr:cNvPr id="${shape}" name="${name}" hidden="1"><a:extLst><a:ext uri="{63B3BB69-23CF-44E3-9099-C40C66FF867C}">` +
    `<a14:compatExt spid="_x0000_s${shape}"/></a:ext></a:extLst></xdr:cNvPr><xdr:cNvSpPr/></xdr:nvSpPr><xdr:spPr/>` +
    `<xdr:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></xdr:txBody></xdr:sp><xdr:clientData/>` +
    '</xdr:twoCellAnchor></mc:Choice><mc:Fallback/></mc:AlternateContent>'
  );
}

function legacyShape(shape: number, id: string, type: string, text: string): string {
  return (
    `<v:shape id="${id}" o:spid="_x0000_s${shape}" type="#_x0000_t201" style="position:absolute"><v:textbox><div><font>${text}</font>` +
    `</div></v:textbox><x:ClientData ObjectType="${type}"><x:Anchor> 8, 2, 20, 1, 10, 2, 22, 1</x:Anchor></x:ClientData></v:shape>`
  );
}

/**
 * Workbook features by name. Our documents can display and edit some of them. The others are stored unchanged for
 * export.
 */
export const workbookFeatures = {
  merges: { elements: { mergeCells: '<mergeCells count="1"><mergeCell ref="H14:I15"/></mergeCells>' } },
  conditionalFormats: {
    elements: {
      conditionalFormatting:
        '<conditionalFormatting sqref="H16:H18"><cfRule type="cellIs" dxfId="0" priority="1" operator="greaterThan">' +
        '<formula>5</formula></cfRule></conditionalFormatting>',
    },
  },
  validation: {
    elements: {
      dataValidations:
        '<dataValidations count="1"><dataValidation type="list" allowBlank="1" showInputMessage="1" sqref="I16:I18" promptTitle="Pick" ' +
        'prompt="One"><formula1>"a,b"</formula1></dataValidation></dataValidations>',
    },
  },
  page: {
    elements: {
      pageMargins: '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>',
      pageSetup: '<pageSetup paperSize="9" orientation="landscape" horizontalDpi="300" verticalDpi="300"/>',
      headerFooter: '<headerFooter alignWithMargins="0"><oddHeader>&amp;CTitle</oddHeader></headerFooter>',
      rowBreaks: '<rowBreaks count="1" manualBreakCount="1"><brk id="20" max="16383" man="1"/></rowBreaks>',
    },
  },
  names: { names: '<definedName name="rate" comment="A rate">Second!$H$30</definedName>' },
  table: {
    cells: {
      40: '<c r="H40" t="inlineStr"><is><t>Item</t></is></c><c r="I40" t="inlineStr"><is><t>Price</t></is></c>',
      41: '<c r="H41" t="inlineStr"><is><t>Tea</t></is></c><c r="I41"><v>3</v></c>',
    },
    elements: { tableParts: '<tableParts count="1"><tablePart r:id="rId30"/></tableParts>' },
    sheetRelations: [['rId30', 'table', '../tables/table1.xml']],
    parts: {
      'xl/tables/table1.xml':
        '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="Prices" displayName="Prices" ref="H40:I41" ' +
        'totalsRowShown="0"><autoFilter ref="H40:I41"><filterColumn colId="1" hiddenButton="1"/></autoFilter><tableColumns count="2">' +
        '<tableColumn id="1" name="Item"/><tableColumn id="2" name="Price" dataDxfId="0"/></tableColumns>' +
        '<tableStyleInfo name="TableStyleMedium2" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/></table>',
    },
  },
  dataTable: {
    cells: {
      44: '<c r="H44"><f t="dataTable" ref="H44:H45" dt2D="0" dtr="0" r1="B2"/><v>1</v></c>',
      45: '<c r="H45"><v>2</v></c>',
    },
  },
  ignoredErrors: {
    elements: { ignoredErrors: '<ignoredErrors><ignoredError sqref="H46" numberStoredAsText="1"/></ignoredErrors>' },
  },
  textBox: {
    anchors:
      `<xdr:twoCellAnchor>${corner('from', 24, 7)}${corner('to', 27, 9)}<xdr:sp macro="" textlink=""><xdr:nvSpPr>` +
      '<xdr:cNvPr id="7" name="TextBox 6"/><xdr:cNvSpPr txBox="1"/></xdr:nvSpPr><xdr:spPr><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>' +
      '</xdr:spPr><xdr:txBody><a:bodyPr/><a:p><a:r><a:t>Read </a:t></a:r><a:r><a:t>me</a:t></a:r></a:p><a:p><a:r><a:t>first</a:t></a:r></a:p>' +
      '</xdr:txBody></xdr:sp><xdr:clientData/></xdr:twoCellAnchor>',
  },
  control: {
    anchors: newerObject(20, 1025, 'Button 1', 'Start'),
    shapes: legacyShape(1025, 'Button_x0020_1', 'Button', 'Start'),
    elements: {
      controls:
        `<mc:AlternateContent xmlns:mc="${compatibility}"><mc:Choice xmlns:x14="${sheet2009}" Requires="x14"><controls>` +
        '<mc:AlternateContent><mc:Choice Requires="x14"><control shapeId="1025" r:id="rId21" name="Button 1"><controlPr defaultSize="0" print="0"/>' +
        '</control></mc:Choice></mc:AlternateContent></controls></mc:Choice></mc:AlternateContent>',
    },
    sheetRelations: [['rId21', 'ctrlProp', '../ctrlProps/ctrlProp1.xml']],
    parts: { 'xl/ctrlProps/ctrlProp1.xml': `<formControlPr xmlns="${sheet2009}" objectType="Button" lockText="1"/>` },
  },
  embedded: {
    anchors: newerObject(30, 1026, 'Object 2', ''),
    shapes: legacyShape(1026, 'Object_x0020_2', 'Pict', ''),
    elements: {
      oleObjects: '<oleObjects><oleObject progId="Package" shapeId="1026" r:id="rId22"/></oleObjects>',
    },
    sheetRelations: [['rId22', 'oleObject', '../embeddings/oleObject1.bin']],
    parts: { 'xl/embeddings/oleObject1.bin': Uint8Array.of(1, 2, 3) },
  },
  cellPicture: {
    cells: { 50: '<c r="H50" t="e" vm="1"><v>#VALUE!</v></c>', 51: '<c r="H51" t="e" vm="2"><v>#VALUE!</v></c>' },
    bookRelations: [
      ['rId20', 'sheetMetadata', 'metadata.xml'],
      ['rId21', 'richValueRel', 'richData/richValueRel.xml'],
      ['rId22', 'rdRichValue', 'richData/rdrichvalue.xml'],
      ['rId23', 'rdRichValueStructure', 'richData/rdrichvaluestructure.xml'],
    ],
    parts: {
      'xl/metadata.xml':
        '<metadata xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:xlrd="' +
        `${richData}"><metadataTypes count="1"><metadataType name="XLRICHVALUE" minSupportedVersion="120000"/></metadataTypes>` +
        '<futureMetadata name="XLRICHVALUE" count="2"><bk><extLst><ext uri="{3e2802c4-a4d2-4d8b-9148-e3be6c30e623}"><xlrd:rvb i="0"/></ext>' +
        '</extLst></bk><bk><extLst><ext uri="{3e2802c4-a4d2-4d8b-9148-e3be6c30e623}"><xlrd:rvb i="1"/></ext></extLst></bk></futureMetadata>' +
        '<valueMetadata count="2"><bk><rc t="1" v="0"/></bk><bk><rc t="1" v="1"/></bk></valueMetadata></metadata>',
      'xl/richData/rdrichvalue.xml': `<rvData xmlns="${richData}" count="2"><rv s="0"><v>0</v><v>5</v><v>A dot</v></rv><rv s="1"><v>Oslo</v></rv></rvData>`,
      'xl/richData/rdrichvaluestructure.xml':
        `<rvStructures xmlns="${richData}" count="2"><s t="_localImage"><k n="_rvRel:LocalImageIdentifier" t="i"/><k n="CalcOrigin" t="i"/>` +
        '<k n="Text" t="s"/></s><s t="_linkedentity2core"><k n="_DisplayString" t="s"/></s></rvStructures>',
      'xl/richData/richValueRel.xml':
        '<richValueRels xmlns="http://schemas.microsoft.com/office/spreadsheetml/2022/richvaluerel" ' +
        `xmlns:r="${office}"><rel r:id="rId1"/></richValueRels>`,
      'xl/richData/_rels/richValueRel.xml.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" ' +
        `Type="${office}/image" Target="../media/cell.png"/></Relationships>`,
      'xl/media/cell.png': png,
    },
  },
  sparklines: {
    elements: {
      extLst:
        `<extLst><ext uri="{05C60535-1F16-4fd2-B633-F4F36F0B64E0}" xmlns:x14="${sheet2009}"><x14:sparklineGroups ` +
        'xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:sparklineGroup displayEmptyCellsAs="gap"><x14:sparklines>' +
        '<x14:sparkline><xm:f>Second!H60:H63</xm:f><xm:sqref>H64</xm:sqref></x14:sparkline></x14:sparklines></x14:sparklineGroup>' +
        '</x14:sparklineGroups></ext></extLst>',
    },
  },
  customXml: {
    bookRelations: [['rId24', 'customXml', '../customXml/item1.xml']],
    parts: { 'customXml/item1.xml': '<data xmlns="urn:example">kept</data>' },
  },
  ...linkedFeatures,
} satisfies Record<string, WorkbookFeature>;

export type WorkbookFeatureName = keyof typeof workbookFeatures;
