import { isFileType, isPage, mediaNumber } from '@sheaf/client/media-types';
import { ImportError } from './import-error.ts';
import { RemoteError } from './retrying-client.ts';
import { extensionFor } from './media-types.ts';
import type { ImportReport } from './import-report.ts';
import type { SourceService } from './source-service.ts';
import type { ImportTarget } from './import-target.ts';

interface BaseInfo {
  id: string;
  name: string;
  description?: string;
  recommended_questions?: string[];
}

interface Entry {
  media_id?: string;
  title?: string;
  media_type?: number;
  folder_id?: string;
  name?: string;
}

interface MediaInfo {
  media_type: number;
  url_info?: { url?: string; headers?: Record<string, string> };
  notebook_ext_info?: { notebook_id?: string };
}

interface NotebookInfo {
  folder_id: string;
  name: string;
  parent_folder_id?: string;
  folder_type?: number;
}

interface NoteInfo {
  note_id: string;
  title?: string;
  note_ext_info?: { folder_id?: string };
}

const idsAtOnce = 20;
const maxTitle = 120;
const maxBaseQuestions = 3;
const formats = { plain: 0, markdown: 1 } as const;

/**
 * Imports from another service everything that the given API key of that service can read: first notes in notebooks,
 * then knowledge bases with their folders, files, web pages and notes.
 */
export class ServiceImport {
  readonly #source: SourceService;
  readonly #target: ImportTarget;
  readonly #report: ImportReport;
  #givesMarkdown = true;
  /** Whether the service has `note.export_note`, as a sheaf server does; undefined until it was tried. */
  #exportsNotes: boolean | undefined;
  #done = 0;

  constructor(source: SourceService, target: ImportTarget, report: ImportReport) {
    this.#source = source;
    this.#target = target;
    this.#report = report;
  }

  async run(): Promise<void> {
    await this.#notes();
    for (const base of await this.#bases()) await this.#attempt(`knowledge base ${base.name}`, () => this.#base(base));
  }

  async #notes(): Promise<void> {
    const notebooks = await this.#notebooks();
    const inOrder = { limit: 20, sort_type: 1 };
    for await (const page of this.#source.server.pages('note.list_note', inOrder, { list: 'note_book_list' })) {
      for (const note of (page['note_book_list'] as NoteInfo[] | undefined) ?? []) {
        const folder = notebooks.get(note.note_ext_info?.folder_id ?? '') ?? '';
        await this.#attempt(`note ${note.title ?? note.note_id}`, async () => {
          const { isNew } = await this.#note(note.note_id, note.title ?? '', folder);
          this.#report.count(isNew ? 'notes' : 'notes already there');
        });
        this.#report.progress('notes', ++this.#done, undefined, note.title ?? '');
      }
    }
  }

  /**
   * Creates the notebooks. Returns a map from the source service's ids to the new ids. Skips virtual notebooks, which
   * only aggregate other notebooks.
   */
  async #notebooks(): Promise<Map<string, string>> {
    const infos = new Map<string, NotebookInfo>();
    for await (const page of this.#source.server.pages('note.list_notebook', { limit: 20 }, { first: '0' })) {
      for (const info of (page['note_folder_infos'] as NotebookInfo[] | undefined) ?? [])
        if ((info.folder_type ?? 0) === 0) infos.set(info.folder_id, info);
    }
    const made = new Map<string, string>();
    const make = async (info: NotebookInfo, above: ReadonlySet<string>): Promise<string> => {
      const known = made.get(info.folder_id);
      if (known !== undefined) return known;
      const parent = infos.get(info.parent_folder_id ?? '');
      const isUnder = parent !== undefined && !above.has(parent.folder_id);
      const parentId = isUnder ? await make(parent, new Set([...above, info.folder_id])) : '';
      const id = await this.#target.notebook(`notebook ${info.folder_id}`, info.name, parentId);
      made.set(info.folder_id, id);
      return id;
    };
    for (const info of infos.values()) await make(info, new Set([info.folder_id]));
    return made;
  }

  #note(noteId: string, title: string, folderId: string): Promise<{ id: string; isNew: boolean }> {
    return this.#target.ledger.ensure(`note ${noteId}`, async (idempotencyKey) => {
      const text = await this.#text(noteId);
      const content = text.trim() === '' ? `# ${title === '' ? 'Untitled' : title}` : text;
      const made = await this.#target.server.call(
        'note.import_doc',
        {
          content_format: formats.markdown,
          content,
          ...(title === '' ? {} : { title: [...title].slice(0, maxTitle).join('') }),
          ...(folderId === '' ? {} : { folder_id: folderId }),
        },
        idempotencyKey,
      );
      return String(made['note_id']);
    });
  }

  /**
   * Reads a note's text as Markdown, or as plain text if the service cannot return Markdown. First tries
   * `note.export_note`, which only sheaf servers have. If this fails for the first note, it is not tried again.
   */
  async #text(noteId: string): Promise<string> {
    if (this.#exportsNotes !== false) {
      try {
        const { content } = await this.#source.server.call('note.export_note', { note_id: noteId, format: 'markdown' });
        if (typeof content !== 'string') throw new RemoteError(0, 'the service exports no text');
        this.#exportsNotes = true;
        return content;
      } catch (error) {
        // A service without `note.export_note` may respond with a web page, which the client reports as an ImportError.
        const isUnknown = error instanceof ImportError && this.#exportsNotes === undefined;
        if (!(error instanceof RemoteError) && !isUnknown) throw error;
        this.#exportsNotes ??= false;
      }
    }
    const ask = async (format: number): Promise<string> => {
      const input = { note_id: noteId, target_content_format: format };
      return String((await this.#source.server.call('note.get_doc_content', input))['content'] ?? '');
    };
    if (this.#givesMarkdown) {
      try {
        return await ask(formats.markdown);
      } catch (error) {
        if (!(error instanceof RemoteError)) throw error;
        this.#givesMarkdown = false;
      }
    }
    return ask(formats.plain);
  }

  /**
   * Returns the source service's knowledge bases: those to which the API key may add items, and those that a search
   * finds.
   */
  async #bases(): Promise<BaseInfo[]> {
    const names = new Map<string, string>();
    const { server } = this.#source;
    for await (const page of server.pages('wiki.get_addable_knowledge_base_list', { limit: 50 }))
      for (const one of (page['addable_knowledge_base_list'] as BaseInfo[] | undefined) ?? [])
        names.set(one.id, one.name);
    try {
      for await (const page of server.pages('wiki.search_knowledge_base', { query: '', limit: 20 }))
        for (const one of (page['info_list'] as BaseInfo[] | undefined) ?? []) names.set(one.id, one.name);
    } catch (error) {
      // Ignore a refusal, because some services reject an empty search query.
      if (!(error instanceof RemoteError)) throw error;
    }
    const ids = [...names.keys()];
    const bases: BaseInfo[] = [];
    for (let from = 0; from < ids.length; from += idsAtOnce) {
      const some = ids.slice(from, from + idsAtOnce);
      const { infos = {} } = (await server.call('wiki.get_knowledge_base', { ids: some })) as {
        infos?: Record<string, BaseInfo>;
      };
      bases.push(...some.map((id) => ({ ...infos[id], id, name: infos[id]?.name ?? names.get(id)! })));
    }
    return bases;
  }

  async #base(base: BaseInfo): Promise<void> {
    const id = await this.#target.base(`base ${base.id}`, {
      name: base.name,
      ...(base.description ? { description: base.description } : {}),
      ...(base.recommended_questions?.length
        ? { recommended_questions: base.recommended_questions.slice(0, maxBaseQuestions) }
        : {}),
    });
    await this.#folder(base.id, base.id, id, id, new Set());
  }

  async #folder(
    theirBase: string,
    theirs: string,
    baseId: string,
    ours: string,
    above: ReadonlySet<string>,
  ): Promise<void> {
    const input = { limit: 50, knowledge_base_id: theirBase, folder_id: theirs };
    for await (const page of this.#source.server.pages('wiki.get_knowledge_list', input)) {
      for (const entry of (page['knowledge_list'] as Entry[] | undefined) ?? []) {
        const folder = entry.media_id ? undefined : entry.folder_id;
        const title = entry.title ?? entry.name ?? '';
        if (folder !== undefined) {
          if (above.has(folder)) continue;
          await this.#attempt(`folder ${title}`, async () => {
            const made = await this.#target.folder(`folder ${folder}`, baseId, ours, entry.name ?? title);
            await this.#folder(theirBase, folder, baseId, made, new Set([...above, folder]));
          });
        } else if (entry.media_id) {
          await this.#attempt(title, () => this.#item(entry.media_id!, title, baseId, ours));
          this.#report.progress('items', ++this.#done, undefined, title);
        }
      }
    }
  }

  async #item(mediaId: string, title: string, baseId: string, folderId: string): Promise<void> {
    const key = `item ${mediaId}`;
    if (this.#target.ledger.get(key)) return this.#report.count('items already there');
    const info = (await this.#source.server.call('wiki.get_media_info', { media_id: mediaId })) as unknown as MediaInfo;
    const place = { knowledge_base_id: baseId, folder_id: folderId, title };
    const noteId = info.notebook_ext_info?.notebook_id;
    const { url, headers = {} } = info.url_info ?? {};
    if (info.media_type === mediaNumber.note && noteId) {
      const { id } = await this.#note(noteId, title, '');
      const added = { ...place, media_type: mediaNumber.note, note_info: { content_id: id } };
      await this.#add(key, added);
    } else if (isPage(info.media_type) && url) {
      await this.#add(key, { ...place, media_type: mediaNumber.webPage, web_info: { content_id: url } });
    } else if (isFileType(info.media_type) && url) {
      const bytes = await this.#source.download(url, headers);
      const fileName = fileNameOf(title, url, info.media_type);
      await this.#target.file(key, { baseId, folderId, fileName, title, bytes });
    } else throw new RemoteError(0, 'the service gives no access to its original');
    this.#report.count('items');
  }

  #add(key: string, input: object): Promise<unknown> {
    return this.#target.create(key, 'wiki.add_knowledge', input, 'media_id');
  }

  /**
   * Runs `work` for one object to import. If the source or the target rejects a request, adds the object to the list of
   * failures and returns, so that the import continues with the next object.
   */
  async #attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      this.#report.fail(what, error.message);
    }
  }
}

/** Makes a file name from the title, with an extension from the title or URL that fits the media type. */
function fileNameOf(title: string, url: string, mediaType: number): string {
  const fromTitle = /\.([a-z0-9]{1,10})$/i.exec(title)?.[1];
  const fromUrl = /\.([a-z0-9]{1,10})$/i.exec(new URL(url).pathname)?.[1];
  if (fromTitle !== undefined && extensionFor(mediaType, fromTitle) === fromTitle) return title;
  const extension = extensionFor(mediaType, fromUrl ?? '');
  return extension === undefined ? title : `${title}.${extension}`;
}
