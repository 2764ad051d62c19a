import type { Services } from '../context.ts';
import { highlightPassage } from '../lib/highlight.ts';
import type { Found, SearchSource } from '../ports/search-source.ts';
import { searchBases } from './search.ts';

type Reach = Pick<Services, 'wiki' | 'search' | 'noteReader'>;

/** Items and folders of every base the user is a member of. */
export function wikiSource(services: Reach): SearchSource {
  return {
    name: 'wiki',
    async find(userId, query, offset, limit) {
      const bases = new Map((await services.wiki.bases.basesOf(userId)).map((base) => [base.id, base.name]));
      const { hits, ids, total } = await searchBases(services, [...bases.keys()], query, offset, limit);
      const found = hits.map(({ item, folder, passage }): Found => {
        const baseId = (item ?? folder)!.baseId;
        const place = {
          modifiedAt: (item ?? folder)!.modifiedAt,
          containerId: baseId,
          containerName: bases.get(baseId) ?? '',
        };
        return folder
          ? { kind: 'folder', id: folder.id, title: folder.name, ...place }
          : { kind: 'knowledge', id: item!.id, title: item!.title, passage, ...place };
      });
      return { found, seen: ids.length, total };
    },
  };
}

/** The user's own notes. */
export function noteSource({ search, noteReader }: Pick<Services, 'search' | 'noteReader'>): SearchSource {
  return {
    name: 'note',
    async find(userId, query, offset, limit) {
      const { ids, total } = await search.search({
        space: 'note',
        owners: [userId],
        anywhere: query,
        order: 'rank',
        offset,
        limit,
      });
      const found: Found[] = [];
      for (const id of ids) {
        const note = await noteReader.note(id);
        if (!note || note.isDeleted || note.userId !== userId) continue;
        const text = await noteReader.text(id);
        found.push({
          kind: 'note',
          id,
          title: note.title,
          modifiedAt: note.modifiedAt,
          passage: text && highlightPassage(text.text, query),
        });
      }
      return { found, seen: ids.length, total };
    },
  };
}
