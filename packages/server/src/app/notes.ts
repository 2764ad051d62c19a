import { MarkdownThreads } from '../adapters/parse/markdown-threads.ts';
import { SqlNoteStore } from '../adapters/sql/notes/store.ts';
import { headBytes, readHeadAndText, readMarkdownQuickly } from '../note/content.ts';
import { StoredNoteReader } from '../note/reader.ts';
import { roughHead, roughView } from '../note/rough.ts';
import { workerScript } from '../worker-script.ts';
import type { Opened } from './opened.ts';
import type { Storage } from './storage.ts';

/** Opens the note store and the threads that parse Markdown. */
export function openNotes({ database }: Storage, opened: Opened) {
  const notes = new SqlNoteStore(database);
  const markdown = new MarkdownThreads({
    script: workerScript('notes'),
    quickView: readMarkdownQuickly,
    quickHead: readHeadAndText,
    roughView,
    roughHead,
    headLength: headBytes,
  });
  opened.add('the note threads', markdown, () => markdown.close());
  return { notes, markdown, noteReader: new StoredNoteReader(notes, markdown) };
}
