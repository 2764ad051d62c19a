import { highlightPassage, semanticExcerpt } from '@sheaf/search/passages/highlight';
import { withCorrections } from '@sheaf/search/query/nearest-word';
import type { Logger } from '../../lib/logger.ts';
import type { SpreadsheetService } from '../../ports/spreadsheet-service.ts';
import type { SearchEntry, SearchIndex } from '../../ports/search-index.ts';
import {
  isInKnowledgeBase,
  matchesFilter,
  type SourceHit,
  type SearchSource,
  type SourceText,
} from '../../ports/search-source.ts';
import type { SheetStore, StoredDocument } from '../../ports/sheet-store.ts';

/**
 * Maximum number of indexed characters of a document's texts and, counted separately, of its numbers. A search does not
 * find the rest of a larger document.
 */
const maxTextLength = 200_000;

/** Provides the titles and cell texts of spreadsheets to the search index. */
export class SheetSearchSource {
  readonly #sheets: SheetStore;
  readonly #documents: SpreadsheetService;
  readonly #log: Logger;

  constructor(sheets: SheetStore, documents: SpreadsheetService, log: Logger) {
    this.#sheets = sheets;
    this.#documents = documents;
    this.#log = log;
  }

  async entries(ids: readonly string[]): Promise<SearchEntry[]> {
    const found = (await this.#sheets.byIds(ids)).filter((document) => document.deletedAt === null);
    return Promise.all(found.map(async (document) => this.#entry(document)));
  }

  /**
   * Returns the source of spreadsheets for the search over all modules. It finds spreadsheets that the user owns or
   * that were shared with the user.
   */
  source(search: Pick<SearchIndex, 'search'>): SearchSource {
    return {
      name: 'sheet',
      kinds: ['sheet'],
      find: async (userId, query, { after, limit, prefix, mode, hasHighlights = true, filter }) => {
        const { authorId, changedFrom, changedBefore } = filter;
        const given = (await this.#sheets.idsFor(userId)).filter((id) => filter.taggedIds?.has(id) ?? true);
        const owners =
          authorId === undefined
            ? given
            : (await this.#sheets.byIds(given)).filter((one) => one.ownerId === authorId).map((one) => one.id);
        if (owners.length === 0 || isInKnowledgeBase(filter))
          return { hits: [], next: undefined, total: 0, maxTotal: 0 };
        const { hits, total, isKeywordOnly, corrected } = await search.search({
          space: 'sheet',
          owners,
          anywhere: query,
          prefix,
          mode,
          changedFrom,
          changedBefore,
          order: 'rank',
          after,
          offset: 0,
          limit: limit + 1,
        });
        const marked = withCorrections(query, corrected);
        const shown = hits.slice(0, limit);
        const documents = new Map(
          (await this.#sheets.byIds(shown.map((hit) => hit.id))).map((document) => [document.id, document]),
        );
        const found: SourceHit[] = [];
        for (const { id, match, score, near, place } of shown) {
          const document = documents.get(id);
          if (!document || document.deletedAt !== null) continue;
          if (!matchesFilter(filter, { authorId: document.ownerId, modifiedAt: document.modifiedAt })) continue;
          let text: Promise<SourceText> | undefined;
          const readText = (): Promise<SourceText> => (text ??= this.#text(document));
          const body = hasHighlights ? (await readText()).body : '';
          found.push({
            kind: 'sheet',
            id,
            title: document.title,
            modifiedAt: document.modifiedAt,
            authorId: document.ownerId,
            passage: highlightPassage(body, marked, undefined, { prefix }) ?? semanticExcerpt(body, near),
            readText,
            match,
            score,
            near,
            place,
          });
        }
        const next = hits.length > limit ? shown.at(-1)?.place : undefined;
        const maxTotal = total - (shown.length - found.length);
        return { hits: found, next, total, maxTotal, isKeywordOnly, corrected };
      },
    };
  }

  async #entry(document: StoredDocument): Promise<SearchEntry> {
    const { body, headings } = await this.#text(document);
    return {
      space: 'sheet',
      id: document.id,
      owner: document.id,
      title: document.title,
      headings,
      body,
      created: document.createdAt,
      modified: document.modifiedAt,
      titleKey: document.title.normalize('NFKC').toLowerCase(),
      size: body.length,
    };
  }

  async #text(document: StoredDocument): Promise<SourceText> {
    try {
      return await this.#documents.text(document, maxTextLength);
    } catch (error) {
      this.#log.warn({ file: document.id, err: error }, 'a spreadsheet could not be read for search');
      return { body: '', headings: '' };
    }
  }
}
