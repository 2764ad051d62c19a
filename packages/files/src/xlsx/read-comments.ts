import { type Comment, regionOf } from '@sheaf/engine/internal/document';
import { parseRect } from '@sheaf/engine';
import type { Relationship } from '../containers/package-parts.ts';
import { mainNamespace } from './xml-escape.ts';
import { defaultNoteBox, noteBoxes } from './note-shapes.ts';
import { childrenNamed, parseXml, printXml, textOf, type XmlElement } from './xml-tree.ts';

/**
 * Reads a sheet's notes with author and box size, including the placeholder notes that Excel writes for comment
 * threads.
 */
export function readNotes(xml: string, { target }: Relationship, drawn: string | undefined): Comment[] {
  const root = parseXml(xml, target);
  if (!root) return [];
  const authors = childrenNamed(root, 'authors').flatMap((list) => childrenNamed(list, 'author').map(textOf));
  const boxes = drawn === undefined ? new Map<string, string>() : noteBoxes(drawn);
  const list = childrenNamed(root, 'commentList').flatMap((one) => childrenNamed(one, 'comment'));
  return list.flatMap((comment, index): Comment[] => {
    const rect = parseRect(comment.attributes.get('ref') ?? '');
    const [said] = childrenNamed(comment, 'text');
    if (!rect || !said) return [];
    const author = authors[Number(comment.attributes.get('authorId'))] ?? '';
    const box = boxes.get(`${rect.top} ${rect.left}`);
    return [
      {
        id: `comment_${index + 1}`,
        regions: [regionOf({ ...rect, bottom: rect.top, right: rect.left })],
        entries: [{ id: 'entry_1', author, at: 0, text: noteText(said) }],
        note: true,
        ...(box === undefined || box === defaultNoteBox.join() ? {} : { box }),
        kept: comment.children.map((one) => (typeof one === 'string' ? '' : printXml(one, mainNamespace))).join(''),
      },
    ];
  });
}

/**
 * Returns the notes of cells without a thread, followed by the threads. Each thread replaces the placeholder note that
 * Excel writes for the thread's cell.
 */
export function joinThreads(notes: readonly Comment[], threads: readonly Comment[]): Comment[] {
  const placeOf = ({ regions }: Comment): string => String(regions[0]);
  const behind = new Map(notes.map((note) => [placeOf(note), note]));
  const threaded = new Set(threads.map(placeOf));
  return [
    ...notes
      .filter((note) => !threaded.has(placeOf(note)))
      .map((note, index) => ({ ...note, id: `comment_${index + 1}` })),
    ...threads.map((thread) => {
      const { kept, box } = behind.get(placeOf(thread)) ?? {};
      return { ...thread, ...(box === undefined ? {} : { box }), ...(kept === undefined ? {} : { kept }) };
    }),
  ];
}

/** Returns a note's plain text, without phonetic guides. */
function noteText(said: XmlElement): string {
  const runs = childrenNamed(said, 'r').flatMap((one) => childrenNamed(one, 't'));
  return [...childrenNamed(said, 't'), ...runs].map(textOf).join('');
}
