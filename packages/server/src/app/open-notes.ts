import { ThreadedMarkdownParser } from '../adapters/parse/threaded-markdown-parser.ts';
import { SqlNoteStore } from '../adapters/sql/notes/note-store.ts';
import { headBytes, tryParseHeadAndText, tryParseMarkdown } from '../modules/note/parse-markdown.ts';
import { StoredNoteReader } from '../modules/note/note-reader.ts';
import { parseHeadByLine, parseViewByLine } from '../modules/note/line-parser.ts';
import { workerScriptPath } from '../worker-script.ts';
import type { ResourceStack } from './resource-stack.ts';
import type { Storage } from './open-storage.ts';

export function openNotes({ database }: Storage, opened: ResourceStack) {
  const notes = new SqlNoteStore(database);
  const markdown = new ThreadedMarkdownParser({
    script: workerScriptPath('notes'),
    quickView: tryParseMarkdown,
    quickHead: tryParseHeadAndText,
    fallbackView: parseViewByLine,
    fallbackHead: parseHeadByLine,
    headLength: headBytes,
  });
  opened.add('the note threads', markdown, () => markdown.close());
  return { notes, markdown, noteReader: new StoredNoteReader(notes, markdown) };
}
