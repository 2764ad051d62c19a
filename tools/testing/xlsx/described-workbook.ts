import { png } from './document-fixtures.ts';
import {
  sheetElements,
  workbookFeatures,
  type WorkbookFeature,
  type WorkbookFeatureName,
} from './workbook-features.ts';
import { relationships, workbookParts, zipped, type Parts, type Relation } from '../workbook-parts.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const drawingMain = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const spreadsheetDrawing = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing';

/**
 * XML fragments of the workbook built by `describedWorkbook` that a test may vary. Everything else in the workbook is
 * fixed.
 */
export interface Described {
  /** Sheet rows: the row number, the XML attributes and the XML of the cells. */
  readonly rows: readonly { readonly number: number; readonly attributes: string; readonly cells: string }[];
  readonly columns: string;
  readonly view: string;
  readonly protection: string;
  readonly links: string;
  readonly filter: string;
  readonly workbookView: string;
  readonly anchors: string;
  readonly texts: readonly string[];
  /** Names of the features that are added to the workbook (see workbook-features.ts); none if undefined. */
  readonly features?: readonly WorkbookFeatureName[];
}

export const described: Described = {
  rows: [
    {
      number: 1,
      attributes: ' ht="31.5" thickBot="1"',
      cells: '<c r="A1" s="1" t="s"><v>0</v></c><c r="B1" s="2" t="s"><v>1</v></c>',
    },
    {
      number: 2,
      attributes: ' ht="18" customHeight="1"',
      cells: '<c r="A2" s="3"><v>45000</v></c><c r="B2" s="4"><v>7</v></c>',
    },
    { number: 3, attributes: '', cells: '<c r="A3" s="5" t="s"><v>2</v></c><c r="B3"><f>SUM( B2:B2 )</f><v>7</v></c>' },
    {
      number: 4,
      attributes: ' s="6" customFormat="1"',
      cells: '<c r="C4"><f t="dataTable" ref="C4:C5" dt2D="0" dtr="0" r1="B2"/><v>1</v></c>',
    },
    { number: 5, attributes: '', cells: '<c r="C5"><v>2</v></c>' },
  ],
  columns:
    '<col min="1" max="1" width="14.7109375" bestFit="1"/><col min="4" max="16384" width="3.5" style="2" hidden="1"/>',
  view:
    '<sheetView tabSelected="1" topLeftCell="A2" zoomScale="85" zoomScaleNormal="85" workbookViewId="0">' +
    '<selection activeCell="B3" sqref="B3:B4 D1"/></sheetView>',
  protection:
    '<sheetProtection algorithmName="SHA-512" hashValue="aGFzaA==" saltValue="c2FsdA==" spinCount="100000" sheet="1" ' +
    'objects="1" formatCells="0" insertRows="0"/>',
  links:
    '<hyperlink ref="A2" r:id="rId2" location="part" tooltip="A tip" display="shown"/>' +
    '<hyperlink ref="B2:B3" r:id="rId3"/><hyperlink ref="A3" location="Missing!A1" tooltip="Nowhere"/>',
  filter: '<autoFilter ref="A1:B3"><filterColumn colId="1" hiddenButton="1"/></autoFilter>',
  workbookView: '<workbookView xWindow="10" firstSheet="1" activeTab="1"/>',
  anchors:
    '<xdr:twoCellAnchor editAs="oneCell"><xdr:from><xdr:col>1</xdr:col><xdr:colOff>12345</xdr:colOff><xdr:row>1</xdr:row>' +
    '<xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>3</xdr:col><xdr:colOff>777</xdr:colOff><xdr:row>6</xdr:row>' +
    '<xdr:rowOff>1</xdr:rowOff></xdr:to><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="Logo" descr="A logo"/>' +
    '<xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId1"/><a:srcRect l="1000" r="2000"/><a:stretch/>' +
    '</xdr:blipFill><xdr:spPr><a:xfrm rot="600000"/><a:ln w="9525"/></xdr:spPr></xdr:pic><xdr:clientData/></xdr:twoCellAnchor>',
  texts: [
    '<r><rPr><b/><sz val="11"/><color theme="4" tint="0.5"/><rFont val="Arial"/><scheme val="minor"/></rPr>' +
      '<t>Rich</t></r><r><t xml:space="preserve"> text</t></r>',
    '<t>漢字</t><rPh sb="0" eb="2"><t>カンジ</t></rPh><phoneticPr fontId="1"/>',
    '<t>=not a formula</t>',
  ],
};

const styles =
  `<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
  '<font><b/><sz val="12"/><color theme="5" tint="-0.25"/><name val="Arial"/><scheme val="minor"/></font></fonts>' +
  '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  '<fill><patternFill patternType="solid"><fgColor theme="4" tint="0.6"/><bgColor indexed="64"/></patternFill></fill></fills>' +
  '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>' +
  '<border diagonalUp="1"><left/><right/><top style="mediumDashDot"><color theme="1"/></top><bottom/>' +
  '<diagonal style="thin"><color auto="1"/></diagonal></border></borders>' +
  '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="7"><xf/>' +
  '<xf fontId="1" applyFont="1" applyAlignment="1"><alignment horizontal="centerContinuous" readingOrder="2"/></xf>' +
  '<xf fillId="2" borderId="1" applyFill="1"/><xf numFmtId="14" applyNumberFormat="1"/>' +
  '<xf applyProtection="1"><protection locked="0" hidden="1"/></xf><xf quotePrefix="1"/><xf fillId="2" applyFill="1"/>' +
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
  '<dxfs count="1"><dxf><font><color theme="6"/></font></dxf></dxfs></styleSheet>';

const contentTypes =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/>' +
  '<Override PartName="/xl/charts/chart1.xml" ContentType="application/vnd.openxmlformats-officedocument.drawingml.chart+xml"/></Types>';

const linkRelations: readonly Relation[] = [
  ['rId2', 'hyperlink', 'https://example.com/page', 'External'],
  ['rId3', 'hyperlink', 'file:///C:/notes.txt', 'External'],
];

function drawingParts(anchors: string, shapes: string, more: readonly Relation[]): Parts {
  const shapesPart =
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" ' +
    `xmlns:x="urn:schemas-microsoft-com:office:excel">${shapes}</xml>`;
  // Include the image only if an anchor displays it, because an import drops an undisplayed image.
  const hasImage = anchors.includes('"rId1"');
  const relations: Relation[] = [...(hasImage ? [['rId1', 'image', '../media/image1.png'] as const] : []), ...more];
  return {
    ...(shapes ? { 'xl/drawings/vmlDrawing1.vml': shapesPart } : {}),
    'xl/drawings/drawing1.xml': `<xdr:wsDr xmlns:xdr="${spreadsheetDrawing}" xmlns:a="${drawingMain}" xmlns:r="${office}">${anchors}</xdr:wsDr>`,
    ...(relations.length > 0 ? { 'xl/drawings/_rels/drawing1.xml.rels': relationships(...relations) } : {}),
    ...(hasImage ? { 'xl/media/image1.png': png } : {}),
  };
}

/**
 * Builds an .xlsx workbook for tests. By default it has settings that our documents cannot represent; the import must
 * store their XML unchanged for the export. `changed` replaces or adds files in the archive.
 */
export function describedWorkbook(words: Described = described, changed: Parts = {}): Uint8Array {
  const features = (words.features ?? []).map((name): WorkbookFeature => workbookFeatures[name]);
  const more = features.flatMap(({ cells = {} }) => Object.entries(cells));
  const rows = [
    ...words.rows,
    ...more
      .map(([number, cells]) => ({ number: Number(number), attributes: '', cells }))
      .sort((a, b) => a.number - b.number),
  ].map(({ number, attributes, cells }) => `<row r="${number}"${attributes}>${cells}</row>`);
  const anchors = [words.anchors, ...features.map((one) => one.anchors ?? '')].join('');
  const shapes = features.map((one) => one.shapes ?? '').join('');
  const elementsOf = (name: (typeof sheetElements)[number]): string =>
    name === 'legacyDrawing' && shapes
      ? '<legacyDrawing r:id="rId10"/>'
      : features.map(({ elements = {} }) => elements[name] ?? '').join('');
  const before = (name: string): boolean =>
    name === 'mergeCells' || name.startsWith('conditional') || name.startsWith('data');
  const early = sheetElements.filter(before).map(elementsOf).join('');
  const page = sheetElements
    .filter((name) => /^(?:page|header|row|ignored)/.test(name))
    .map(elementsOf)
    .join('');
  const late = sheetElements
    .filter((name) => /^(?:legacy|picture|ole|controls|table|ext)/.test(name))
    .map(elementsOf)
    .join('');
  const sheet =
    `<worksheet xmlns="${main}" xmlns:r="${office}"><sheetViews>${words.view}</sheetViews>` +
    `<sheetFormatPr defaultRowHeight="15"/><cols>${words.columns}</cols>` +
    `<sheetData>${rows.join('')}</sheetData>${words.protection}${elementsOf('scenarios')}${words.filter}${early}` +
    `${words.links && `<hyperlinks>${words.links}</hyperlinks>`}${page}` +
    `${anchors && '<drawing r:id="rId1"/>'}${late}</worksheet>`;
  const parts = workbookParts({ First: '<row r="1"><c r="A1"><v>1</v></c></row>', Second: sheet }, [
    ['rId8', 'styles', 'styles.xml'],
    ['rId9', 'sharedStrings', 'sharedStrings.xml'],
    ...features.flatMap(({ bookRelations = [] }) => bookRelations),
  ]);
  const names = features.map((one) => one.names ?? '').join('');
  const references = features.map((one) => one.externalReferences ?? '').join('');
  const afterSheets =
    (references && `<externalReferences>${references}</externalReferences>`) +
    (names && `<definedNames>${names}</definedNames>`);
  const workbook = String(parts['xl/workbook.xml'])
    .replace('<sheets>', `<bookViews>${words.workbookView}</bookViews><sheets>`)
    .replace('</sheets>', `</sheets>${afterSheets}`);
  return zipped({
    ...parts,
    '[Content_Types].xml': contentTypes,
    'xl/workbook.xml': workbook,
    'xl/styles.xml': styles,
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${words.texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/worksheets/_rels/sheet2.xml.rels': relationships(
      ...(anchors ? [['rId1', 'drawing', '../drawings/drawing1.xml'] as const] : []),
      ...(shapes ? [['rId10', 'vmlDrawing', '../drawings/vmlDrawing1.vml'] as const] : []),
      ...features.flatMap(({ sheetRelations = [] }) => sheetRelations),
      ...(words.links ? linkRelations : []),
    ),
    ...(anchors || shapes
      ? drawingParts(
          anchors,
          shapes,
          features.flatMap(({ drawingRelations = [] }) => drawingRelations),
        )
      : {}),
    ...Object.assign({}, ...features.map((one) => one.parts ?? {})),
    ...changed,
  });
}
