import type { MarkdownParser } from '../../ports/markdown-parser.ts';
import type { NoteReader, ReadableNote } from '../../ports/note-reader.ts';
import type { Note, NoteStore } from '../../ports/note-store.ts';
import type { SearchEntry } from '../../ports/search-index.ts';

/** Reads notes for other modules and for the search index. */
export class StoredNoteReader implements NoteReader {
  readonly #notes: NoteStore;
  readonly #markdown: MarkdownParser;

  constructor(notes: NoteStore, markdown: MarkdownParser) {
    this.#notes = notes;
    this.#markdown = markdown;
  }

  async note(id: string): Promise<ReadableNote | undefined> {
    const note = await this.#notes.note(id);
    if (!note) return undefined;
    const { userId, title, version, modifiedAt, size } = note;
    return { id, userId, title, version, modifiedAt, size, isDeleted: note.deletedAt !== null };
  }

  async text(id: string): Promise<{ text: string; headings: string } | undefined> {
    return (await this.readable([id])).get(id);
  }

  async readable(ids: readonly string[]): Promise<Map<string, ReadableNote & { text: string; headings: string }>> {
    const found = new Map<string, ReadableNote & { text: string; headings: string }>();
    for await (const { note, text, headings } of this.#parsed(ids)) {
      const { id, userId, title, version, modifiedAt, size } = note;
      found.set(id, { id, userId, title, version, modifiedAt, size, isDeleted: false, text, headings });
    }
    return found;
  }

  /** Returns search index entries for these notes. Deleted notes are left out. */
  async entries(ids: readonly string[]): Promise<SearchEntry[]> {
    const entries: SearchEntry[] = [];
    for await (const { note, text, headings } of this.#parsed(ids))
      entries.push({
        space: 'note',
        id: note.id,
        owner: note.userId,
        title: note.title,
        headings,
        body: text,
        created: note.createdAt,
        modified: note.modifiedAt,
        titleKey: note.titleKey,
        size: note.size,
      });
    return entries;
  }

  async *#parsed(ids: readonly string[]): AsyncGenerator<{ note: Note; text: string; headings: string }> {
    const notes = (await this.#notes.notes(ids)).filter((note) => note.deletedAt === null);
    const markdowns = await this.#notes.markdowns(notes.map((note) => note.id));
    for (const note of notes) {
      const markdown = markdowns.get(note.id);
      if (markdown !== undefined) yield { note, ...(await this.#markdown.parseText(markdown, note.userId)) };
    }
  }
}
