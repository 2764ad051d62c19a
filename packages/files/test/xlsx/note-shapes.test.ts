import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { edit, insertDimension, loadSnapshot, putMark, removeMark, encodeSnapshot, type Mutation } from '@sheaf/engine';
import type { SubSheet } from '@sheaf/engine/internal/document';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { described, describedWorkbook } from '@sheaf/tools/testing/xlsx/described-workbook.ts';
import { relationships } from '@sheaf/tools/testing/workbook-parts.ts';

function shape(number: number, row: number, look: string): string {
  return (
    `<v:shape id="_x0000_s${number}" type="#_x0000_t202" ${look}><v:fill o:relid="rId1" type="frame"/><v:textbox>` +
    `<div style="text-align:center">box ${number}</div></v:textbox><x:ClientData ObjectType="Note"><x:MoveWithCells/>` +
    `<x:Anchor>9, 15, ${row - 1}, 2, 11, 31, ${row + 3}, 1</x:Anchor><x:Row>${row}</x:Row><x:Column>7</x:Column></x:ClientData></v:shape>`
  );
}

const control =
  '<v:shape id="Button_x0020_1" o:spid="_x0000_s1025"><x:ClientData ObjectType="Button"><x:Anchor> 8, 2, 20, 1, 10, 2, 22, 1</x:Anchor>' +
  '</x:ClientData></v:shape>';
const start =
  '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">' +
  '<v:shapetype id="_x0000_t202"/>';
const notes = [shape(1100, 89, 'fillcolor="red"'), shape(1101, 90, 'fillcolor="blue"')];
const note = (ref: string): string => `<comment ref="${ref}" authorId="0"><text><t>About ${ref}</t></text></comment>`;

/** Exports a workbook with two notes, whose shapes have words of their own, and maybe a button, after a change. */
function drawingAfter(isWithControl: boolean, change: (sub: SubSheet) => Mutation[]): string {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const bytes = describedWorkbook(
    { ...described, rows: [], anchors: '', features: isWithControl ? ['control', 'note'] : ['note'] },
    {
      'xl/drawings/vmlDrawing1.vml': `${start}${isWithControl ? control : ''}${notes.join('')}</xml>`,
      'xl/drawings/_rels/vmlDrawing1.vml.rels': relationships(['rId1', 'image', '../media/note.png']),
      'xl/media/note.png': Uint8Array.of(1, 2, 3),
      'xl/comments1.xml': `<comments xmlns="${main}"><authors><author>Ada</author></authors><commentList>${note('H90')}${note('H91')}</commentList></comments>`,
    },
  );
  const document = loadSnapshot(encodeSnapshot(readTestWorkbook(bytes).document));
  const changes = change(document.byName('Second')!);
  if (changes.length > 0) edit(document, changes);
  const parts = unzipSync(writeXlsx(document, { at: new Date(0) }));
  const relations = strFromU8(parts['xl/worksheets/_rels/sheet2.xml.rels']!);
  const [, path = ''] = /Target="\/?([^"]*\.vml)"/.exec(relations) ?? [];
  const sheet = strFromU8(parts['xl/worksheets/sheet2.xml']!);
  expect(sheet.match(/<legacyDrawing /g)).toHaveLength(1);
  const name = Object.keys(parts).find((one) => one.endsWith(path.split('/').at(-1)!))!;
  expect(parts[name.replace(/([^/]*)$/, '_rels/$1.rels')]).toBeDefined();
  return strFromU8(parts[name]!);
}

const added = (sub: SubSheet): Mutation =>
  putMark.of({
    sheet: sub.id,
    list: 'comments',
    mark: {
      id: 'new',
      regions: [[3, 2, 3, 2]],
      note: true,
      entries: [{ id: 'new', author: 'Bob', at: 0, text: 'hm' }],
    },
  });

test.each([true, false])('shapes of notes stay as the file has them (with a button: %s)', (isWithControl) => {
  const drawing = drawingAfter(isWithControl, () => []);
  expect(drawing).toBe(`${start}${isWithControl ? control : ''}${notes.join('')}</xml>`);
});

test.each([true, false])(
  '[finding X21] a note that is added gets a shape, the others keep theirs (with a button: %s)',
  (has) => {
    const drawing = drawingAfter(has, (sub) => [added(sub)]);
    for (const one of [...notes, has ? control : '']) expect(drawing).toContain(one);
    expect(drawing.match(/ObjectType="Note"/g)).toHaveLength(3);
    expect(drawing).toMatch(
      /id="_x0000_s1102".*<x:Row>3<\/x:Row><x:Column>2<\/x:Column><\/x:ClientData><\/v:shape><\/xml>$/,
    );
  },
);

test.each([true, false])('shapes of notes follow inserted rows (with a button: %s)', (has) => {
  const drawing = drawingAfter(has, (sub) => [insertDimension.of({ sheet: sub.id, axis: 'row', at: 0, count: 1 })]);
  expect(drawing).toContain(shape(1100, 90, 'fillcolor="red"'));
  expect(drawing).toContain(shape(1101, 91, 'fillcolor="blue"'));
  expect(drawing.includes(control)).toBe(has);
});

test.each([true, false])('the shape of a deleted note goes (with a button: %s)', (has) => {
  const drawing = drawingAfter(has, (sub) => [
    removeMark.of({ sheet: sub.id, list: 'comments', id: sub.comments[0]!.id }),
  ]);
  expect(drawing).toBe(`${start}${has ? control : ''}${notes[1]}</xml>`);
});

test('without notes the button keeps its shape', () => {
  const drawing = drawingAfter(true, (sub) =>
    sub.comments.map(({ id }) => removeMark.of({ sheet: sub.id, list: 'comments', id })),
  );
  expect(drawing).toBe(`${start}${control}</xml>`);
});
