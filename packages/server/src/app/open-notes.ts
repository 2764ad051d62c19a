import { ThreadedMarkdownParser } from '../adapters/parse/threaded-markdown-parser.ts';
import { ThreadedNoteText } from '../adapters/parse/threaded-note-text.ts';
import { SqlNoteGraphStore } from '../adapters/sql/notes/note-graph-store.ts';
import { SqlNoteStore } from '../adapters/sql/notes/note-store.ts';
import { headBytes, tryParseHeadAndText, tryParseMarkdown } from '../modules/note/parse-markdown.ts';
import { RefreshingNoteGraphReader } from '../modules/note/refreshing-note-graph-reader.ts';
import { noteTextFunctions } from '../modules/note/text/note-text-functions.ts';
import { SqlSuggestionStore } from '../adapters/sql/notes/suggestion-store.ts';
import { SqlTagStore } from '../adapters/sql/tag-store.ts';
import { StoredNoteReader } from '../modules/note/note-reader.ts';
import { parseHeadByLine, parseViewByLine } from '../modules/note/parse-markdown-by-line.ts';
import { workerScriptPath } from '../worker-script.ts';
import type { ResourceStack } from './resource-stack.ts';
import type { StorageServices } from './open-storage.ts';

export function openNotes({ database, permissions }: StorageServices, opened: ResourceStack) {
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
  const noteText = new ThreadedNoteText({ script: workerScriptPath('notes'), functions: noteTextFunctions });
  opened.add('the note text thread', noteText, () => noteText.close());
  const noteGraph = new RefreshingNoteGraphReader(new SqlNoteGraphStore(database), notes, noteText);
  const tags = new SqlTagStore(
    database,
    (userId) => noteGraph.refresh(userId),
    (userId) => permissions.notesSharedWith(userId),
  );
  const suggestions = new SqlSuggestionStore(database);
  return { notes, markdown, noteReader: new StoredNoteReader(notes, markdown), noteText, noteGraph, tags, suggestions };
}
