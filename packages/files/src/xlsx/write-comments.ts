import type { PassthroughElement, Comment, SubSheet } from '@sheaf/engine/internal/document';
import { cellName } from '@sheaf/engine';
import type { RelationshipsWriter } from './relationships-writer.ts';
import { xmlDeclaration, mainNamespace, xmlEscape } from './xml-escape.ts';
import { fallbackNoteText, threadId, threadNamespace, threadXml, type PersonList } from './comment-threads.ts';
import { fingerprint } from './passthrough/fingerprint.ts';
import { changeNoteShapes, noteShapesXml, type NoteBox } from './note-shapes.ts';
import type { PassthroughWriter, PartSink } from './passthrough/passthrough-writer.ts';

const threadRelation = 'http://schemas.microsoft.com/office/2017/10/relationships/threadedComment';
/**
 * Writes the XML files with the notes and comment threads of a sub-sheet. Returns the relationship id of the VML
 * drawing that contains the boxes of the notes and the form controls, or undefined if there is none.
 */
export function writeComments(
  sub: SubSheet,
  number: number,
  sink: PartSink,
  kept: PassthroughWriter,
  people: PersonList,
  relations: RelationshipsWriter,
): string | undefined {
  // Documents imported by earlier versions store comment threads as unchanged XML.
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
  const drawn = sub.carried.find((one) => one.kind === 'noteShapes' || one.kind === 'legacyDrawing');
  if (comments.length + sub.comments.length === 0)
    return drawn?.kind === 'legacyDrawing' ? keptShapes(drawn, [], kept, relations) : undefined;
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
  const reused = drawn && keptShapes(drawn, sub.comments, kept, relations);
  if (reused !== undefined) return reused;
  const drawing = `xl/drawings/vmlDrawing${number}.vml`;
  sink.zip.add(
    drawing,
    noteShapesXml([
      ...comments.map((one): NoteBox => ({ at: one.regions?.[0], box: kept.text(one)?.pieces?.[1] })),
      ...sub.comments.map(({ regions, box }): NoteBox => ({ at: regions[0], box })),
    ]),
  );
  sink.contents.add(drawing, 'application/vnd.openxmlformats-officedocument.vmlDrawing');
  return relations.add('vmlDrawing', `../drawings/vmlDrawing${number}.vml`);
}

/**
 * Returns a fingerprint (hash) of the positions of all comment boxes. While it is unchanged, the imported shapes are
 * used.
 */
export function shapesFingerprint(comments: readonly Comment[]): string {
  return fingerprint(comments.map(({ regions, box }) => [regions, box]));
}

/**
 * Returns each comment's cell and id, by which its shape in the imported drawing is found after the comments changed.
 */
export function shapePlaces(comments: readonly Comment[]): string[] {
  return comments.map(({ id, regions }) => `${regions[0]?.slice(0, 2).join(' ')} ${id}`);
}

/**
 * Returns the relationship id of the imported VML drawing. If notes were added, moved or deleted, their shapes in the
 * drawing are updated. Returns undefined if the drawing cannot be used.
 */
function keptShapes(
  drawn: PassthroughElement,
  comments: readonly Comment[],
  kept: PassthroughWriter,
  relations: RelationshipsWriter,
): string | undefined {
  const { read, reads, relations: [relation] = [] } = kept.text(drawn) ?? {};
  if (!relation) return undefined;
  // Reuse the imported drawing unchanged if the fingerprint (hash) of the notes is the same as at the import. Documents
  // imported by earlier versions have no fingerprint; in them, a drawing of kind `legacyDrawing` is reused.
  const isSame = read === undefined ? drawn.kind === 'legacyDrawing' : read === shapesFingerprint(comments);
  if (isSame) return kept.relate(relation, relations);
  if (reads === undefined) return undefined;
  const places = new Map(reads.map((one) => [one.split(' ').slice(2).join(' '), one.split(' ').slice(0, 2).join(' ')]));
  const boxes = comments.map(({ id, regions, box }): NoteBox => ({ at: regions[0], box, was: places.get(id) }));
  return kept.relateChanged(relation, relations, (drawing) => changeNoteShapes(drawing, boxes));
}

/**
 * Returns the XML of a note. A thread is also written as a note for programs without thread support; the author name
 * `tc=` plus the thread id links the two.
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
