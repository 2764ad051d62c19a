import type { Region } from '@sheaf/engine/internal/document';
import { xmlEscape } from './xml-escape.ts';

/**
 * Default position of a note's box relative to its cell, as a VML anchor: for each side, a column or row and an offset
 * in it.
 */
export const defaultNoteBox = [1, 15, 0, 2, 3, 31, 4, 1];

export interface NoteBox {
  readonly at: Region | undefined;
  /** Position of the note's box in the imported file; undefined for the default position. */
  readonly box: string | undefined;
  /** Row and column of the note in the imported file, separated by a space; undefined for a new note. */
  readonly was?: string | undefined;
}

/**
 * Returns, by cell, the position of each note's box relative to the cell, its visibility and its color. Uses regular
 * expressions, because VML drawings are often not well-formed XML.
 */
export function noteBoxes(drawn: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, shape = '', data = ''] of drawn.matchAll(
    /<v:shape\b([^>]{0,3000})>(?:(?!<\/v:shape>)[\s\S]){0,5000}?<\w+:ClientData\b[^>]*ObjectType="Note"[^>]*>([\s\S]{0,5000}?)<\/\w+:ClientData>/g,
  )) {
    const fill = /\bfillcolor="([\w#[\] ]{1,40})"/.exec(shape)?.[1];
    const row = Number(/<\w+:Row>\s*(\d+)\s*</.exec(data)?.[1] ?? Number.NaN);
    const col = Number(/<\w+:Column>\s*(\d+)\s*</.exec(data)?.[1] ?? Number.NaN);
    const anchor = (/<\w+:Anchor>([\s\d,-]{1,200})</.exec(data)?.[1] ?? '').split(',').map(Number);
    if (anchor.length !== 8 || !anchor.every(Number.isInteger) || !(row >= 0) || !(col >= 0)) continue;
    const [left = 0, a, top = 0, b, right = 0, c, bottom = 0, d] = anchor;
    const box = [left - col, a, top - row, b, right - col, c, bottom - row, d].join(',');
    const isVisible = /<\w+:Visible\s*(?:\/>|>(?!\s*False))/i.test(data) ? ',1' : '';
    found.set(`${row} ${col}`, `${box}${isVisible}${fill === undefined || fill === '#ffffe1' ? '' : `;${fill}`}`);
  }
  return found;
}

/** Returns a VML drawing with the boxes of these notes. */
export function noteShapesXml(list: readonly NoteBox[]): string {
  const shapes = list.map((one, i) => noteShape(one, 1025 + i));
  return (
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" ' +
    'xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/>' +
    `</o:shapelayout>${noteShapeType}${shapes.join('')}</xml>`
  );
}

const noteShapeType =
  '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">' +
  '<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>';

function noteShape({ at, box: drawn }: NoteBox, number: number): string {
  const [row, col] = at ?? [0, 0];
  const [position = '', fill = '#ffffe1'] = (drawn ?? '').split(';');
  const told = position.split(',').map(Number);
  const isShown = told[8] === 1;
  const box = told.length >= 8 && told.every(Number.isFinite) ? told : defaultNoteBox;
  const [left = 0, a, top = 0, b, right = 0, c, bottom = 0, d] = box;
  const anchor = [
    Math.max(0, left + col),
    a,
    Math.max(0, top + row),
    b,
    Math.max(0, right + col),
    c,
    Math.max(0, bottom + row),
    d,
  ];
  return (
    `<v:shape id="_x0000_s${number}" type="#_x0000_t202" style="position:absolute;` +
    `visibility:${isShown ? 'visible' : 'hidden'}" fillcolor="${xmlEscape(fill)}" o:insetmode="auto">` +
    '<v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/>' +
    '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox>' +
    `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor.join(', ')}</x:Anchor>` +
    `<x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${col}</x:Column>` +
    `${isShown ? '<x:Visible/>' : ''}</x:ClientData></v:shape>`
  );
}

/**
 * Updates the note shapes in the VML drawing of an imported file: shapes of existing notes are moved, those of deleted
 * notes are removed, and new notes are added. Other shapes are kept. Returns undefined if the drawing has no closing
 * tag.
 */
export function changeNoteShapes(drawing: string, notes: readonly NoteBox[]): string | undefined {
  const end = drawing.lastIndexOf('</xml>');
  if (end < 0) return undefined;
  const places = new Map(notes.flatMap((note) => (note.was === undefined ? [] : [[note.was, note] as const])));
  const drawn = new Set<NoteBox>();
  const rest: string[] = [];
  let copied = 0;
  for (const { from, to } of shapesIn(drawing, end)) {
    const shape = drawing.slice(from, to);
    if (!/ObjectType="Note"/.test(shape)) continue;
    const [was = ''] = noteBoxes(shape).keys();
    const note = places.get(was);
    rest.push(drawing.slice(copied, from));
    copied = to;
    if (!note?.at || drawn.has(note)) continue;
    drawn.add(note);
    rest.push(movedShape(shape, was, note.at));
  }
  const numbers = [...drawing.matchAll(/_s(\d{1,9})\b/g)].map(([, number]) => Number(number));
  const first = numbers.reduce((most, one) => Math.max(most, one), 1024) + 1;
  const fresh = notes.filter((one) => !drawn.has(one)).map((one, i) => noteShape(one, first + i));
  const type = fresh.length > 0 && !drawing.includes('"_x0000_t202"') ? noteShapeType : '';
  return `${rest.join('')}${drawing.slice(copied, end)}${type}${fresh.join('')}${drawing.slice(end)}`;
}

function* shapesIn(drawing: string, end: number): Generator<{ from: number; to: number }> {
  const [open, close] = ['<v:shape', '</v:shape>'];
  for (let at = drawing.indexOf(open); at >= 0 && at < end;) {
    // Skip other elements whose names start with `v:shape`, such as `v:shapetype`.
    const to = /[\s>]/.test(drawing[at + open.length] ?? '') ? drawing.indexOf(close, at) : at;
    if (to < 0) return;
    if (to > at) yield { from: at, to: to + close.length };
    at = drawing.indexOf(open, Math.max(to, at + open.length));
  }
}

/** Returns the VML shape of a note, with its cell and box position adjusted if the note has moved. */
function movedShape(shape: string, was: string, [row, col]: Region): string {
  const [oldRow = 0, oldCol = 0] = was.split(' ').map(Number);
  if (row === oldRow && col === oldCol) return shape;
  return shape
    .replace(/(<\w+:Row>)\s*\d+\s*(?=<)/, `$1${row}`)
    .replace(/(<\w+:Column>)\s*\d+\s*(?=<)/, `$1${col}`)
    .replace(/(<\w+:Anchor>)([\s\d,-]{1,200})(?=<)/, (_, tag: string, told: string) => {
      const moved = told.split(',').map((one, i) => {
        const by = i % 4 === 0 ? col - oldCol : i % 4 === 2 ? row - oldRow : 0;
        return Math.max(0, Number(one) + by);
      });
      return tag + moved.join(', ');
    });
}
