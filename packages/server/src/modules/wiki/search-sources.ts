import { siftSearch } from './sift-search.ts';
import type { Services } from '../../context.ts';
import { highlightPassage, semanticExcerpt } from '@sheaf/search/passages/highlight';
import { withCorrections } from '@sheaf/search/query/nearest-word';
import { matchesFilter, type SourceHit, type SearchSource } from '../../ports/search-source.ts';
import type { Folder, Item } from '../../ports/wiki-store.ts';
import { searchBases } from './search.ts';

type SearchServices = Pick<Services, 'wiki' | 'search' | 'noteReader'>;

const wikiKinds = ['knowledge', 'folder'];

/** Returns the author's user id; empty for folders, which have no author. */
function authorOf(one: Item | Folder): string {
  return 'userId' in one ? one.userId : '';
}

/** Returns the search source for items and folders of every knowledge base of which the user is a member. */
export function wikiSource(services: SearchServices): SearchSource {
  return {
    name: 'wiki',
    kinds: wikiKinds,
    async find(userId, query, page) {
      const { filter } = page;
      const kinds = wikiKinds.filter((kind) => !filter.kinds || filter.kinds.includes(kind));
      const bases = new Map((await services.wiki.bases.basesOf(userId)).map((base) => [base.id, base.name]));
      const looked = [...bases.keys()].filter((id) => (filter.containerId ?? id) === id);
      // Filter by time after the search too, because semantic search cannot filter by time.
      const isSifted =
        filter.taggedIds !== undefined ||
        filter.authorId !== undefined ||
        kinds.length < wikiKinds.length ||
        (page.mode !== 'keyword' && (filter.changedFrom ?? filter.changedBefore) !== undefined);
      const isOne = (one: Item | Folder): boolean =>
        kinds.includes('userId' in one ? 'knowledge' : 'folder') &&
        (filter.taggedIds?.has(one.id) ?? true) &&
        matchesFilter(filter, { authorId: authorOf(one), modifiedAt: one.modifiedAt });
      const { changedFrom, changedBefore } = filter;
      const { hits, next, total, isKeywordOnly, corrected } = await searchBases(services, looked, query, {
        ...page,
        changedFrom,
        changedBefore,
        isWanted: isSifted ? isOne : undefined,
      });
      const found = hits.map(({ item, folder, passage, text, match, score, near, place: after }): SourceHit => {
        const baseId = (item ?? folder)!.baseId;
        const place = {
          modifiedAt: (item ?? folder)!.modifiedAt,
          authorId: authorOf((item ?? folder)!),
          containerId: baseId,
          containerName: bases.get(baseId) ?? '',
          match,
          score,
          near,
          place: after,
        };
        return folder
          ? { kind: 'folder', id: folder.id, title: folder.name, ...place }
          : {
              kind: 'knowledge',
              id: item!.id,
              title: item!.title,
              passage,
              text: page.texts === true ? text : undefined,
              ...place,
            };
      });
      return { hits: found, next, total, isKeywordOnly, corrected };
    },
  };
}

/** Returns the search source for the user's own notes. */
export function noteSource({ search, noteReader }: Pick<Services, 'search' | 'noteReader'>): SearchSource {
  return {
    name: 'note',
    kinds: ['note'],
    async find(userId, query, { after, limit, prefix, mode, texts, filter }) {
      const { authorId = userId, containerId, changedFrom, changedBefore } = filter;
      if (authorId !== userId || containerId !== undefined) return { hits: [], next: undefined, total: 0 };
      const { hits, total, isKeywordOnly, corrected } = await siftSearch(search, filter.taggedIds).search({
        space: 'note',
        owners: [userId],
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
      const notes = await noteReader.readable(shown.map((hit) => hit.id));
      const found = shown.flatMap(({ id, match, score, near, place }): SourceHit[] => {
        const note = notes.get(id);
        if (note?.userId !== userId || !matchesFilter(filter, { authorId: userId, modifiedAt: note.modifiedAt }))
          return [];
        const passage = highlightPassage(note.text, marked, undefined, { prefix }) ?? semanticExcerpt(note.text, near);
        const text = texts === true ? { body: note.text, headings: note.headings } : undefined;
        return [
          {
            kind: 'note',
            id,
            title: note.title,
            modifiedAt: note.modifiedAt,
            authorId: userId,
            passage,
            text,
            match,
            score,
            near,
            place,
          },
        ];
      });
      const next = hits.length > limit ? shown.at(-1)?.place : undefined;
      return { hits: found, next, total: filter.taggedIds ? undefined : total, isKeywordOnly, corrected };
    },
  };
}
