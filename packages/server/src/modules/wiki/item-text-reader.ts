import { titleSortKey } from '../../lib/sort-key.ts';
import type { Outline } from '@sheaf/search/passages/split-passages';
import { isReference, mediaNumber } from '@sheaf/client/media-types';
import type { NoteReader } from '../../ports/note-reader.ts';
import type { SearchEntry } from '../../ports/search-index.ts';
import type { Folder, Item, WikiStore } from '../../ports/wiki-store.ts';

export interface ItemContent {
  /** Title found in the content; empty if there is none. */
  title: string;
  headings: string;
  body: string;
  outline?: Outline;
  meta: Record<string, unknown>;
}

/**
 * Reads the texts of knowledge base items, for display, highlights and the search index. For an item that refers to a
 * note or to an AI session (a stored conversation), returns the current text of the note or session.
 */
export class ItemTextReader {
  readonly #wiki: WikiStore;
  readonly #notes: NoteReader;

  constructor(wiki: WikiStore, notes: NoteReader) {
    this.#wiki = wiki;
    this.#notes = notes;
  }

  async texts(items: readonly Item[]): Promise<Map<string, ItemContent>> {
    const stored = items.filter((item) => !isReference(item.mediaType));
    const texts: Map<string, ItemContent> = await this.#wiki.texts.texts(stored.map((item) => item.id));
    const notes = await this.#notes.readable(
      items.filter((item) => item.mediaType === mediaNumber.note).map((item) => item.contentId),
    );
    const sessions = await this.#sessions(
      items.filter((item) => item.mediaType === mediaNumber.session).map((item) => item.contentId),
    );
    for (const item of items) {
      const note = item.mediaType === mediaNumber.note ? notes.get(item.contentId) : undefined;
      if (note) texts.set(item.id, { title: '', headings: note.headings, body: note.text, meta: {} });
      const session = item.mediaType === mediaNumber.session ? sessions.get(item.contentId) : undefined;
      if (session) texts.set(item.id, session);
    }
    return texts;
  }

  async text(item: Item): Promise<ItemContent | undefined> {
    return (await this.texts([item])).get(item.id);
  }

  async #sessions(ids: readonly string[]): Promise<Map<string, ItemContent>> {
    if (ids.length === 0) return new Map();
    const sessions = await this.#wiki.sessions.sessions(ids);
    const messages = await this.#wiki.sessions.messagesOf(sessions.map((session) => session.id));
    return new Map(
      sessions.map(({ id, title }) => {
        const said = (messages.get(id) ?? []).map(({ role, content }) => `${role}: ${content}`);
        return [id, { title, headings: '', body: said.join('\n\n'), meta: {} }];
      }),
    );
  }

  /** Returns the search index entries of the items and folders with these ids. Leaves out deleted items and folders. */
  async entries(ids: readonly string[]): Promise<SearchEntry[]> {
    const items = (await this.#wiki.items.items(ids)).filter((item) => item.deletedAt === null);
    const folders = (await this.#wiki.tree.folders(ids)).filter((folder) => folder.deletedAt === null);
    const texts = await this.texts(items);
    const tags = await this.#wiki.items.tags(items.map((item) => item.id));
    return [
      ...items.map((item) => itemEntry(item, texts.get(item.id), tags.get(item.id) ?? [])),
      ...folders.map(folderEntry),
    ];
  }
}

function itemEntry(item: Item, text: ItemContent | undefined, tags: readonly string[]): SearchEntry {
  return {
    space: 'wiki',
    id: item.id,
    owner: item.baseId,
    title: item.title,
    headings: [text?.title ?? '', text?.headings ?? '', ...tags].filter((line) => line !== '').join('\n'),
    body: text?.body ?? '',
    created: item.createdAt,
    modified: item.modifiedAt,
    titleKey: titleSortKey(item.title),
    size: item.fileSize,
  };
}

function folderEntry(folder: Folder): SearchEntry {
  return {
    space: 'wiki',
    id: folder.id,
    owner: folder.baseId,
    title: folder.name,
    headings: '',
    body: '',
    created: folder.createdAt,
    modified: folder.modifiedAt,
    titleKey: titleSortKey(folder.name),
    size: 0,
  };
}
