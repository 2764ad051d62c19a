import { restrictSearchToIds } from './restrict-search-to-ids.ts';
import type { Services } from '../../context.ts';
import { highlightPassage, semanticExcerpt } from '@sheaf/search/passages/highlight';
import { withCorrections } from '@sheaf/search/query/nearest-word';
import { isInKnowledgeBase, matchesFilter, type SourceHit, type SearchSource } from '../../ports/search-source.ts';
import type { Folder, Item } from '../../ports/wiki-store.ts';
import { ItemTextReader } from './item-text-reader.ts';
import { searchBases } from './search.ts';
import { addTablesToOutline } from './workbook-tables.ts';

type SearchServices = Pick<Services, 'wiki' | 'search' | 'noteReader'>;

const wikiKinds = ['knowledge', 'folder'];

/** Returns the author's user id; empty for folders, because folders have no author. */
function authorOf(one: Item | Folder): string {
  return 'userId' in one ? one.userId : '';
}

/** Returns the search source for items and folders in all knowledge bases of which the user is a member. */
export function wikiSource(services: SearchServices): SearchSource {
  return {
    name: 'wiki',
    kinds: wikiKinds,
    async find(userId, query, page) {
      const { filter } = page;
      const kinds = wikiKinds.filter((kind) => !filter.kinds || filter.kinds.includes(kind));
      const bases = new Map((await services.wiki.bases.basesOf(userId)).map((base) => [base.id, base.name]));
      const looked = [...bases.keys()].filter((id) => (filter.containerId ?? id) === id);
      const { folderIds, mediaTypes } = filter;
      // Filter the hits after the search if the search index cannot apply one of the filters. For example, semantic
      // search cannot filter by time.
      const isSifted =
        filter.taggedIds !== undefined ||
        filter.authorId !== undefined ||
        folderIds !== undefined ||
        mediaTypes !== undefined ||
        kinds.length < wikiKinds.length ||
        (page.mode !== 'keyword' && (filter.changedFrom ?? filter.changedBefore) !== undefined);
      const isOne = (one: Item | Folder): boolean =>
        kinds.includes('userId' in one ? 'knowledge' : 'folder') &&
        (folderIds?.has('userId' in one ? one.folderId : one.parentId) ?? true) &&
        (mediaTypes === undefined || ('userId' in one && mediaTypes.includes(one.mediaType))) &&
        (filter.taggedIds?.has(one.id) ?? true) &&
        matchesFilter(filter, { authorId: authorOf(one), modifiedAt: one.modifiedAt });
      const { changedFrom, changedBefore } = filter;
      const reader = new ItemTextReader(services.wiki, services.noteReader);
      const { hits, next, total, maxTotal, isKeywordOnly, corrected } = await searchBases(services, looked, query, {
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
          ? { kind: 'folder', id: folder.id, title: folder.name, readText: async () => undefined, ...place }
          : {
              kind: 'knowledge',
              id: item!.id,
              title: item!.title,
              passage,
              readText: async () => {
                const found = text ?? (await reader.text(item!));
                return found && addTablesToOutline(item!.mediaType, found);
              },
              ...place,
            };
      });
      return { hits: found, next, total, maxTotal, isKeywordOnly, corrected };
    },
  };
}

type NoteServices = Pick<Services, 'search' | 'noteReader' | 'permissions'>;

/** Returns the search source for the notes that the user has written. */
export function noteSource(services: NoteServices): SearchSource {
  return noteSourceOf(services, 'note', async (userId, authorId) => ((authorId ?? userId) === userId ? [userId] : []));
}

/**
 * Returns the search source for notes that other users share with the user. The search index stores shared notes
 * separately from their authors' own notes. Hit counts and spelling corrections therefore do not depend on notes that
 * the user may not read.
 */
export function sharedNoteSource(services: NoteServices): SearchSource {
  return noteSourceOf(services, 'shared_note', (userId) => services.permissions.notesSharedWith(userId));
}

function noteSourceOf(
  { search, noteReader, permissions }: NoteServices,
  space: 'note' | 'shared_note',
  ownersFor: (userId: string, authorId: string | undefined) => Promise<readonly string[]>,
): SearchSource {
  return {
    name: space,
    module: 'note',
    kinds: ['note'],
    async find(userId, query, { after, limit, prefix, mode, hasHighlights = true, filter }) {
      const { authorId, changedFrom, changedBefore } = filter;
      const owners = isInKnowledgeBase(filter) ? [] : await ownersFor(userId, authorId);
      if (owners.length === 0) return { hits: [], next: undefined, total: 0, maxTotal: 0 };
      const { hits, total, isKeywordOnly, corrected, stoppedAt } = await restrictSearchToIds(
        search,
        filter.taggedIds,
      ).search({
        space,
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
      const ids = shown.map((hit) => hit.id);
      const notes = await noteReader.readable(ids);
      // Check again which notes the user may read, because the search index may be outdated.
      const roles = await permissions.roles('note', ids, userId);
      const found = shown.flatMap(({ id, match, score, near, place }): SourceHit[] => {
        const note = notes.get(id);
        if (!note || !roles.has(id) || (note.userId === userId) !== (space === 'note')) return [];
        if (!matchesFilter(filter, { authorId: note.userId, modifiedAt: note.modifiedAt })) return [];
        const passage = hasHighlights
          ? (highlightPassage(note.text, marked, undefined, { prefix }) ?? semanticExcerpt(note.text, near))
          : undefined;
        return [
          {
            kind: 'note',
            id,
            title: note.title,
            modifiedAt: note.modifiedAt,
            authorId: note.userId,
            passage,
            readText: async () => ({ body: note.text, headings: note.headings }),
            match,
            score,
            near,
            place,
          },
        ];
      });
      const next = hits.length > limit ? shown.at(-1)?.place : stoppedAt;
      const isCounted = filter.taggedIds === undefined && (space === 'note' || authorId === undefined);
      const maxTotal = total - (shown.length - found.length);
      return { hits: found, next, total: isCounted ? total : undefined, maxTotal, isKeywordOnly, corrected };
    },
  };
}
