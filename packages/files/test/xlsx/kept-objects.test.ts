import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { edit, insertDimension, setRangeBlock, setVisible } from '@sheaf/engine';
import { cellPictures, pictureAddresses } from '../../src/xlsx/kept-objects/cell-pictures.ts';
import { keptObjects } from '../../src/xlsx/kept-objects/kept-objects.ts';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { relationships, workbookParts, zipped } from '@sheaf/tools/testing/workbook-parts.ts';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { described, describedWorkbook } from '@sheaf/tools/testing/xlsx/described-workbook.ts';
import type { WorkbookFeatureName } from '@sheaf/tools/testing/xlsx/workbook-features.ts';

/** The workbook without its hidden columns, where the features are. */
const visible = { ...described, columns: '<col min="1" max="1" width="14"/>' };

function imported(...features: WorkbookFeatureName[]) {
  const { document } = readTestWorkbook(describedWorkbook({ ...visible, features }));
  return { document, sub: document.byName('Second')! };
}

test('[finding X21] controls, embedded objects and text boxes are told with name, text and place', () => {
  const { document, sub } = imported('textBox', 'control', 'embedded');
  expect(keptObjects(document, sub)).toMatchObject([
    { kind: 'shape', name: 'TextBox 6', text: 'Read me\nfirst', anchor: { row: 24, col: 7, offsetX: 2, offsetY: 1 } },
    { kind: 'control', name: 'Button 1', text: 'Start', anchor: { row: 20, col: 8, height: 40 } },
    { kind: 'embedded', name: 'Object 2', text: '', anchor: { row: 30, col: 8 } },
  ]);
});

test('[finding X21] they follow inserted rows', () => {
  const { document, sub } = imported('control');
  edit(document, [insertDimension.of({ sheet: sub.id, axis: 'row', at: 0, count: 3 })]);
  expect(keptObjects(document, sub)).toMatchObject([{ name: 'Button 1', anchor: { row: 23, col: 8 } }]);
});

test('[finding X21] an object that is as small as its hidden cells is not told', () => {
  const { document, sub } = imported('textBox', 'control');
  edit(document, [setVisible.of({ sheet: sub.id, axis: 'col', runs: [[7, 10, 1]] })]);
  expect(keptObjects(document, sub)).toMatchObject([{ name: 'Button 1' }]);
});

test('[finding X21] a control that only the VML drawing has is told too', () => {
  const bytes = describedWorkbook({ ...visible, features: ['control'] }, { 'xl/drawings/drawing1.xml': '<wsDr/>' });
  const { document } = readTestWorkbook(bytes);
  expect(keptObjects(document, document.byName('Second')!)).toMatchObject([
    { kind: 'control', name: 'Button 1', text: 'Start', anchor: { row: 20, col: 8, offsetX: 2, offsetY: 1 } },
  ]);
});

test('[finding X21] a picture in a cell is told until the cell gets another value', () => {
  const { document, sub } = imported('cellPicture');
  const found = cellPictures(document, sub);
  expect(found).toEqual([
    { row: 49, col: 7, text: 'A dot', part: 'xl/media/cell.png' },
    { row: 50, col: 7, text: 'Oslo', part: undefined },
  ]);
  const addresses = pictureAddresses(document, ['xl/media/cell.png'], 1000);
  expect(addresses.get('xl/media/cell.png')).toMatch(/^data:image\/png;base64,iVBOR/);
  expect(pictureAddresses(document, ['xl/media/cell.png'], 10).size).toBe(0);
  edit(document, [setRangeBlock.of({ sheet: sub.id, row: 49, col: 7, rows: [['text']] })]);
  expect(cellPictures(document, sub)).toMatchObject([{ row: 50 }]);
});

test('[finding X21] a sheet that is filled from a connection keeps what it asks for', () => {
  const parts = workbookParts({ Data: '<row r="1"><c r="A1"><v>1</v></c></row>' }, [
    ['rId8', 'connections', 'connections.xml'],
  ]);
  parts['xl/worksheets/_rels/sheet1.xml.rels'] = relationships([
    'rId1',
    'queryTable',
    '../queryTables/queryTable1.xml',
  ]);
  const query = '<queryTable xmlns="m" name="ExternalData_1" connectionId="1" adjustColumnWidth="0"/>';
  parts['xl/queryTables/queryTable1.xml'] = query;
  parts['xl/connections.xml'] = '<connections xmlns="m"><connection id="1" name="rates" type="4"/></connections>';
  const out = unzipSync(writeXlsx(readTestWorkbook(zipped(parts)).document));
  const kept = Object.keys(out).find((name) => strFromU8(out[name]!).includes('name="ExternalData_1"'));
  expect(kept).toBeDefined();
  const relations = strFromU8(out['xl/worksheets/_rels/sheet1.xml.rels']!);
  expect(relations).toMatch(new RegExp(`/queryTable" Target="[^"]*${kept!.split('/').at(-1)!}"`));
  expect(strFromU8(out['xl/connections.xml']!)).toContain('name="rates"');
});
