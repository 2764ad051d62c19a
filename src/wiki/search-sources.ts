import type { Services } from '../context.ts';
import { highlightPassage, nearPassage } from '../lib/highlight.ts';
import type { Found, SearchSource } from '../ports/search-source.ts';
import { searchBases } from './search.ts';

type Reach = Pick<Services, 'wiki' | 'search' | 'noteReader'>;

/** Items and folders of every base the user is a member of. */
export function wikiSource(services: Reach): SearchSource {
  return {
    name: 'wiki',
    async find(userId, query, page) {
      const bases = new Map((await services.wiki.bases.basesOf(userId)).map((base) => [base.id, base.name]));
      const { hits, next, total, isKeywordOnly } = await searchBases(services, [...bases.keys()], query, page);
      const found = hits.map(({ item, folder, passage, text, match, near, place: after }): Found => {
        const baseId = (item ?? folder)!.baseId;
        const place = {
          modifiedAt: (item ?? folder)!.modifiedAt,
          containerId: baseId,
          containerName: bases.get(baseId) ?? '',
          match,
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
      return { found, next, total, isKeywordOnly };
    },
  };
}

/** The user's own notes. */
export function noteSource({ search, noteReader }: Pick<Services, 'search' | 'noteReader'>): SearchSource {
  return {
    name: 'note',
    async find(userId, query, { after, limit, prefix, mode, texts }) {
      const { hits, total, isKeywordOnly } = await search.search({
        space: 'note',
        owners: [userId],
        anywhere: query,
        prefix,
        mode,
        order: 'rank',
        after,
        offset: 0,
        limit: limit + 1,
      });
      const shown = hits.slice(0, limit);
      const notes = await noteReader.readable(shown.map((hit) => hit.id));
      const found = shown.flatMap(({ id, match, near, place }): Found[] => {
        const note = notes.get(id);
        if (note?.userId !== userId) return [];
        const passage = highlightPassage(note.text, query, undefined, { prefix }) ?? nearPassage(note.text, near);
        const text = texts === true ? { body: note.text, headings: note.headings } : undefined;
        return [
          { kind: 'note', id, title: note.title, modifiedAt: note.modifiedAt, passage, text, match, near, place },
        ];
      });
      return { found, next: hits.length > limit ? shown.at(-1)?.place : undefined, total, isKeywordOnly };
    },
  };
}
