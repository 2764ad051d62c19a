import type { Log } from '../lib/log.ts';
import type { Documents } from '../ports/documents.ts';
import type { SearchEntry } from '../ports/search-index.ts';
import type { SheetStore, StoredDocument } from '../ports/sheet-store.ts';

/** Characters of a document's cells that are searchable: enough for any real sheet, bounded for a giant one. */
const mostText = 200_000;

/** What the search index knows of spreadsheets: title, and the text of their cells. */
export class SheetSearch {
  readonly #sheets: SheetStore;
  readonly #documents: Documents;
  readonly #log: Log;

  constructor(sheets: SheetStore, documents: Documents, log: Log) {
    this.#sheets = sheets;
    this.#documents = documents;
    this.#log = log;
  }

  async entries(ids: readonly string[]): Promise<SearchEntry[]> {
    const found = (await this.#sheets.byIds(ids)).filter((document) => document.deletedAt === null);
    return Promise.all(found.map(async (document) => this.#entry(document)));
  }

  async #entry(document: StoredDocument): Promise<SearchEntry> {
    const body = await this.#documents.text(document, mostText).catch((error: unknown) => {
      this.#log.warn({ file: document.id, error: String(error) }, 'a spreadsheet could not be read for search');
      return '';
    });
    return {
      space: 'sheet',
      id: document.id,
      owner: document.id,
      title: document.title,
      headings: '',
      body,
      created: document.createdAt,
      modified: document.modifiedAt,
      titleKey: document.title.normalize('NFKC').toLowerCase(),
      size: body.length,
    };
  }
}
