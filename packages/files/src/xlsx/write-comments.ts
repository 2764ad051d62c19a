import type { Comment, Region, SubSheet } from '@sheaf/engine/internal/document';
import { cellName } from '@sheaf/engine';
import type { RelationshipsWriter } from './relationships-writer.ts';
import { xmlDeclaration, mainNamespace, xmlEscape } from './xml-escape.ts';
import { fallbackNoteText, threadId, threadNamespace, threadXml, type PersonList } from './comment-threads.ts';
import { fingerprint } from './passthrough/fingerprint.ts';
import type { PassthroughWriter, PartSink } from './passthrough/passthrough-writer.ts';

const threadRelation = 'http://schemas.microsoft.com/office/2017/10/relationships/threadedComment';
/** Default VML anchor of a note's box, relative to its cell. */
export const defaultNoteBox = [1, 15, 0, 2, 3, 31, 4, 1];

/**
 * Writes the comment and thread parts of a sub-sheet. Returns the relationship id of the new VML drawing with the note
 * boxes; undefined if there are no notes or the sheet passes through its own drawing.
 */
export function writeComments(
  sub: SubSheet,
  number: number,
  sink: PartSink,
  kept: PassthroughWriter,
  people: PersonList,
  relations: RelationshipsWriter,
): string | undefined {
  // Documents imported by earlier versions hold the threads of the file as passthrough XML.
  const threaded = [
    ...sub.carried.filter((one) => one.kind === 'threadedComment').map((one) => kept.fill(one, relations)),
    ...sub.comments.filter(({ note }) => !note).map((one) => threadXml(one, number, people)),
  ];
  if (threaded.length > 0) {
    const part = `xl/threadedComments/threadedComment${number}.xml`;
    sink.zip.add(
      part,
      `${xmlDeclaration}<ThreadedComments xmlns="${threadNamespace}" xmlns:x="${mainNamespace}">${threaded.join('')}</ThreadedComments>`,
    );
    sink.contents.add(part, 'application/vnd.ms-excel.threadedcomments+xml');
    relations.addTyped(threadRelation, `../threadedComments/threadedComment${number}.xml`, false);
  }
  const comments = sub.carried.filter((one) => one.kind === 'comment');
  if (comments.length + sub.comments.length === 0) return undefined;
  const authors: string[] = [];
  const authorOf = (name: string): string => {
    const place = authors.indexOf(name);
    return String(place >= 0 ? place : authors.push(name) - 1);
  };
  const list = [
    ...comments.map((one) => kept.fill(one, relations, authorOf)),
    ...sub.comments.map((one) => noteXml(one, number, authorOf)),
  ].join('');
  const part = `xl/comments${number}.xml`;
  sink.zip.add(
    part,
    `${xmlDeclaration}<comments xmlns="${mainNamespace}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" ` +
      'xmlns:xr="http://schemas.microsoft.com/office/spreadsheetml/2014/revision" mc:Ignorable="xr">' +
      `<authors>${authors.map((name) => `<author>${name}</author>`).join('')}</authors>` +
      `<commentList>${list}</commentList></comments>`,
  );
  sink.contents.add(part, 'application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml');
  relations.add('comments', `../comments${number}.xml`);
  if (sub.carried.some((one) => one.kind === 'legacyDrawing')) return undefined;
  const drawn = sub.carried.find((one) => one.kind === 'noteShapes');
  const words = drawn && kept.text(drawn);
  if (words?.read === shapesFingerprint(sub.comments) && words.relations?.[0])
    return kept.relate(words.relations[0], relations);
  const drawing = `xl/drawings/vmlDrawing${number}.vml`;
  sink.zip.add(
    drawing,
    noteBoxesXml([
      ...comments.map((one): NoteBox => ({ at: one.regions?.[0], box: kept.text(one)?.pieces?.[1] })),
      ...sub.comments.map(({ regions, box }): NoteBox => ({ at: regions[0], box })),
    ]),
  );
  sink.contents.add(drawing, 'application/vnd.openxmlformats-officedocument.vmlDrawing');
  return relations.add('vmlDrawing', `../drawings/vmlDrawing${number}.vml`);
}

/** Returns the fingerprint of where the boxes of comments are; the imported file's shapes hold while it is the same. */
export function shapesFingerprint(comments: readonly Comment[]): string {
  return fingerprint(comments.map(({ regions, box }) => [regions, box]));
}

interface NoteBox {
  readonly at: Region | undefined;
  /** Position of the box in the imported file; undefined for the default position. */
  readonly box: string | undefined;
}

/**
 * Returns the XML of a note. A thread is also written as a note for programs that do not read threads; its author name
 * `tc=` with the thread id links it to the thread.
 */
function noteXml(comment: Comment, sheet: number, authorOf: (name: string) => string): string {
  const { regions, entries, kept, note } = comment;
  const [row, col] = regions[0] ?? [0, 0];
  const [first] = entries;
  const id = note ? undefined : threadId(comment, sheet);
  const said = id === undefined ? (first?.text ?? '') : fallbackNoteText(comment);
  const text = kept ?? `<text><t xml:space="preserve">${xmlEscape(said)}</t></text>`;
  const author = authorOf(xmlEscape(id === undefined ? (first?.author ?? '') : `tc=${id}`));
  return `<comment ref="${cellName(row, col)}" authorId="${author}"${id === undefined ? '' : ` xr:uid="${xmlEscape(id)}"`}>${text}</comment>`;
}

/** Returns the VML drawing with the boxes of the notes. */
function noteBoxesXml(list: readonly NoteBox[]): string {
  const shapes = list.map(({ at, box: drawn }, i) => {
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
      `<v:shape id="_x0000_s${1025 + i}" type="#_x0000_t202" style="position:absolute;` +
      `visibility:${isShown ? 'visible' : 'hidden'}" fillcolor="${xmlEscape(fill)}" o:insetmode="auto">` +
      '<v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/>' +
      '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox>' +
      `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor.join(', ')}</x:Anchor>` +
      `<x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${col}</x:Column>` +
      `${isShown ? '<x:Visible/>' : ''}</x:ClientData></v:shape>`
    );
  });
  return (
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" ' +
    'xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/>' +
    '</o:shapelayout><v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">' +
    '<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>' +
    `${shapes.join('')}</xml>`
  );
}
