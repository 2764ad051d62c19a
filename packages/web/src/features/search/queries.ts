import { infiniteQueryOptions } from '@tanstack/react-query';
import { cursorPages, sheaf } from '../../lib/api-client.ts';

/** The search query and filters from the page's URL. */
export interface SearchFilters {
  q?: string | undefined;
  kind?: Kind | undefined;
  base?: string | undefined;
  /** Limits the search to notes, spreadsheets and files that were changed within this number of days. */
  days?: number | undefined;
  /** Limits the search to notes, spreadsheets and files of this author, by user id. */
  by?: string | undefined;
}

export const kinds = ['knowledge', 'note', 'sheet'] as const;
export type Kind = (typeof kinds)[number];
export const dateSpans = [1, 7, 30, 365] as const;

export type Hit = Awaited<ReturnType<typeof sheaf.wiki.search_all>>['info_list'][number];
export type HitPassage = NonNullable<Hit['passages']>[number];

export function parseSearchFilters(given: Record<string, unknown>): SearchFilters {
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;
  return {
    q: text(given['q']),
    kind: kinds.find((kind) => kind === given['kind']),
    base: text(given['base']),
    days: dateSpans.find((days) => days === given['days']),
    by: text(given['by']),
  };
}

const day = 86_400_000;
const pageSize = 20;
const passageTokens = 6000;

export function searchQuery(asked: SearchFilters) {
  const query = asked.q?.trim() ?? '';
  return infiniteQueryOptions({
    queryKey: ['search-page', { ...asked, q: query }],
    queryFn: ({ pageParam, signal }) =>
      sheaf.wiki.search_all(
        {
          query,
          // The user may still be typing a single word, so it is searched as a prefix. Text with spaces or Chinese
          // characters is searched as typed.
          prefix: !/[\s\u3400-\u9fff]/u.test(query),
          passages: true,
          max_tokens: passageTokens,
          limit: pageSize,
          cursor: pageParam,
          ...(asked.kind === undefined ? {} : { kinds: [asked.kind] }),
          ...(asked.base === undefined ? {} : { knowledge_base_id: asked.base }),
          ...(asked.by === undefined ? {} : { author_id: asked.by }),
          ...(asked.days === undefined ? {} : { changed_from: Date.now() - asked.days * day }),
        },
        { signal },
      ),
    ...cursorPages,
    enabled: query !== '',
  });
}
