import { strFromU8, strToU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import {
  edit,
  insertDimension,
  loadSnapshot,
  putImage,
  setLink,
  setSize,
  setStyle,
  encodeSnapshot,
  type Mutation,
  type SheetDocument,
} from '@sheaf/engine';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { described, describedWorkbook } from '@sheaf/tools/testing/xlsx/described-workbook.ts';

interface Export {
  readonly parts: Record<string, string>;
  /** The second sheet, which holds everything. */
  readonly sheet: string;
  readonly drawing: string;
  readonly styles: string;
}

/** Imports the workbook, stores and loads the document, applies changes and exports it. */
function exported(
  change: (document: SheetDocument, sheet: string) => Mutation[] = () => [],
  bytes = describedWorkbook(),
): Export {
  const { document: first, images } = readTestWorkbook(bytes);
  const document = loadSnapshot(encodeSnapshot(first));
  const sheet = document.byName('Second')!.id;
  const mutations = change(document, sheet);
  if (mutations.length > 0) edit(document, mutations);
  const file = writeXlsx(document, { images: new Map(images.map((one) => [one.key, one.bytes])), at: new Date(0) });
  const parts = Object.fromEntries(Object.entries(unzipSync(file)).map(([name, data]) => [name, strFromU8(data)]));
  return {
    parts,
    sheet: parts['xl/worksheets/sheet2.xml']!,
    drawing: parts['xl/drawings/drawing1.xml']!,
    styles: parts['xl/styles.xml']!,
  };
}

/** Returns the XML of the cell format that a cell has. */
function formatOf({ sheet, styles }: Export, cell: string): string {
  const index = Number(new RegExp(`<c r="${cell}"[^>]* s="(\\d+)"`).exec(sheet)?.[1] ?? 0);
  const formats = /<cellXfs[^>]*>(.*)<\/cellXfs>/s.exec(styles)![1]!;
  return [...formats.matchAll(/<xf [^>]*?(?:\/>|>.*?<\/xf>)/gs)][index]![0];
}

test('[finding X10] row heights that Excel computed stay, and are not made custom', () => {
  const { sheet } = exported();
  expect(sheet).toContain('<row r="1" ht="31.5" thickBot="1">');
  expect(sheet).toContain('<row r="2" ht="18" customHeight="1">');
});

test('[finding X10] a height that is set here is written; the others stay', () => {
  const { sheet } = exported((_, id) => [setSize.of({ sheet: id, axis: 'row', runs: [[0, 0, 50]] })]);
  expect(sheet).toContain('<row r="1" ht="50" customHeight="1">');
  expect(sheet).toContain('<row r="2" ht="18" customHeight="1">');
});

test('[finding X10] column widths, also past the grid, keep the words of the file', () => {
  const { sheet } = exported();
  expect(sheet).toContain('<col min="1" max="1" width="14.7109375" bestFit="1"/>');
  expect(sheet).toMatch(/<col min="27" max="16384" hidden="1" width="3.5" style="\d+"\/>/);
});

test('[finding X11] a picture keeps both anchors', () => {
  const { drawing } = exported();
  expect(drawing).toContain('twoCellAnchor');
  expect(drawing).toContain('editAs="oneCell"');
  expect(drawing).toContain('<xdr:colOff>12345</xdr:colOff>');
  expect(drawing).toContain('<xdr:to><xdr:col>3</xdr:col><xdr:colOff>777</xdr:colOff><xdr:row>6</xdr:row>');
});

test('[finding X11] both anchors follow inserted rows', () => {
  const { drawing } = exported((_, id) => [insertDimension.of({ sheet: id, axis: 'row', at: 0, count: 2 })]);
  expect(drawing).toContain('<xdr:row>3</xdr:row>');
  expect(drawing).toContain('<xdr:row>8</xdr:row>');
});

test('[finding X19] a moved picture keeps its crop, alternative text and rotation', () => {
  const { drawing } = exported((document, id) => {
    const [image] = document.subSheet(id).images;
    return [putImage.of({ sheet: id, image: { ...image!, anchor: { ...image!.anchor, row: 9 } } })];
  });
  expect(drawing).not.toContain('twoCellAnchor');
  expect(drawing).toContain('<xdr:row>9</xdr:row>');
  for (const kept of ['descr="A logo"', '<a:srcRect l="1000" r="2000"/>', 'rot="600000"', 'name="Logo"'])
    expect(drawing).toContain(kept);
});

test('[finding X16] protection keeps its options and password, and cells what they lock and hide', () => {
  const found = exported();
  expect(found.sheet).toContain(
    '<sheetProtection algorithmName="SHA-512" hashValue="aGFzaA==" saltValue="c2FsdA==" spinCount="100000" sheet="1" ' +
      'objects="1" formatCells="0" insertRows="0"/>',
  );
  expect(formatOf(found, 'B2')).toContain('<protection locked="0" hidden="1"/>');
  expect(formatOf(found, 'A2')).not.toContain('<protection');
});

test('[finding X17] the workbook opens on the same sheet, place and selection', () => {
  const { parts, sheet } = exported();
  expect(parts['xl/workbook.xml']).toContain('<workbookView xWindow="10" activeTab="1" firstSheet="1"/>');
  expect(sheet).toContain('topLeftCell="A2"');
  expect(sheet).toContain('zoomScaleNormal="85"');
  expect(sheet).toContain('<selection activeCell="B3" sqref="B3:B4 D1"/>');
  expect(parts['xl/worksheets/sheet1.xml']).not.toContain('tabSelected');
});

test('[finding X17] the selection follows inserted rows', () => {
  const { sheet } = exported((_, id) => [insertDimension.of({ sheet: id, axis: 'row', at: 0, count: 1 })]);
  expect(sheet).toContain('<selection activeCell="B4" sqref="B4:B5 D2"/>');
});

test('[finding X18] links keep fragment, tooltip and display; those that do not open here are kept', () => {
  const { sheet, parts } = exported();
  expect(sheet).toMatch(/<hyperlink ref="A2" r:id="rId\d+" location="part" tooltip="A tip" display="shown"\/>/);
  expect(sheet).toMatch(/<hyperlink ref="B2:B3" r:id="rId\d+"\/>/);
  expect(sheet).toContain('<hyperlink ref="A3" location="Missing!A1" tooltip="Nowhere"/>');
  const relations = parts['xl/worksheets/_rels/sheet2.xml.rels']!;
  expect(relations).toContain('Target="https://example.com/page" TargetMode="External"');
  expect(relations).toContain('Target="file:///C:/notes.txt" TargetMode="External"');
});

test('[finding X18] a link that is set here replaces the one of the file', () => {
  const { sheet } = exported((_, id) => [
    setLink.of({ sheet: id, links: [[2, 0, { id: 'new', url: 'https://example.org' }]] }),
  ]);
  expect(sheet).not.toContain('Missing!A1');
  expect(sheet).not.toContain('Nowhere');
});

test('[finding X21] quote prefix, alignment without a model, phonetics and data tables are kept', () => {
  const found = exported();
  expect(formatOf(found, 'A3')).toContain('quotePrefix="1"');
  expect(formatOf(found, 'A1')).toContain('<alignment horizontal="centerContinuous" readingOrder="2"/>');
  expect(found.parts['xl/sharedStrings.xml']).toContain('<rPh sb="0" eb="2"><t>カンジ</t></rPh>');
  expect(found.sheet).toContain('<c r="C4"><f t="dataTable" ref="C4:C5" dt2D="0" dtr="0" r1="B2"/><v>1</v></c>');
});

test('[finding X23] theme colors and built-in number formats stay', () => {
  const found = exported();
  expect(formatOf(found, 'A2')).toContain('numFmtId="14"');
  expect(found.styles).toContain('<color theme="5" tint="-0.25"/>');
  expect(found.styles).toContain('<fgColor theme="4" tint="0.6"/>');
  expect(found.styles).toContain('style="mediumDashDot"');
  expect(found.parts['xl/sharedStrings.xml']).toContain('<color theme="4" tint="0.5"/>');
});

test('[finding X23] a style that is changed here keeps what was not changed', () => {
  const found = exported((_, id) => [setStyle.of({ sheet: id, region: [0, 1, 0, 1], set: { bold: true } })]);
  const format = formatOf(found, 'B1');
  expect(format).toMatch(/fillId="2" borderId="1"/);
  expect(format).toContain('applyFont="1"');
});

test('formulas keep the spaces that the file has in them, also when they move', () => {
  expect(exported().sheet).toContain('<f>SUM( B2:B2 )</f>');
  const moved = exported((_, id) => [insertDimension.of({ sheet: id, axis: 'row', at: 0, count: 1 })]);
  expect(moved.sheet).toContain('<f>SUM( B3:B3 )</f>');
});

test('a filter keeps its hidden buttons, and a row its format past the grid', () => {
  const { sheet } = exported();
  expect(sheet).toContain('<autoFilter ref="A1:B3"><filterColumn colId="1" hiddenButton="1"/></autoFilter>');
  expect(sheet).toMatch(/<row r="4" s="\d+" customFormat="1">/);
});

test('[finding X24] a part that nothing needs and that cannot be inflated is left out with a warning', () => {
  const bytes = describedWorkbook(described, {
    '_rels/.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
      '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/>' +
      '<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/thumbnail" Target="docProps/thumbnail.wmf"/>' +
      '</Relationships>',
    'docProps/thumbnail.wmf': strToU8('a picture that is compressed '.repeat(40)),
  });
  const name = Buffer.from(bytes).indexOf('docProps/thumbnail.wmf');
  const broken = Uint8Array.from(bytes).fill(0xff, name + 30, name + 40);
  const { document, warnings } = readTestWorkbook(broken);
  expect(warnings.filter((one) => one.includes('thumbnail.wmf'))).toHaveLength(1);
  expect(document.subSheets).toHaveLength(2);
  expect(() => writeXlsx(document)).not.toThrow();
});
