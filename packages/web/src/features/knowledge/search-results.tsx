import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { mediaNumber } from '@sheaf/client/media-types';
import { cursorPages, sheaf } from '../../lib/api-client.ts';
import { HighlightedText } from '../../lib/highlighted-text.tsx';
import { useTranslation } from '../../i18n/use-translation.ts';
import { ErrorState, LoadMore, SkeletonLines } from '../../ui/status-placeholders.tsx';
import { mediaKindOf } from './media-kinds.tsx';

export function SearchResults({ base, query }: { base: string; query: string }): ReactNode {
  const text = useTranslation();
  const found = useInfiniteQuery({
    queryKey: ['base-search', base, query],
    queryFn: ({ pageParam, signal }) =>
      sheaf.wiki.search_knowledge({ knowledge_base_id: base, query, prefix: true, cursor: pageParam }, { signal }),
    ...cursorPages,
    // Poll, because new items appear in the search index with a delay.
    refetchInterval: 3000,
  });
  if (found.isPending)
    return (
      <div className="pt-3">
        <SkeletonLines count={5} className="h-18" />
      </div>
    );
  if (found.error) return <ErrorState error={found.error} retry={() => void found.refetch()} />;
  const hits = found.data.pages.flatMap((page) => page.info_list);
  return (
    <>
      <p className="px-2 pt-4 pb-1 text-sm text-soft" role="status">
        {hits.length === 0
          ? text('nothingFound', { query })
          : text('foundCount', { count: found.data.pages[0]?.total ?? hits.length })}
      </p>
      <ul className="flex flex-col" aria-label={text('found')}>
        {hits.map((hit) => (
          <li key={hit.media_id}>
            <Link
              to={hit.media_type === mediaNumber.folder ? '/wiki/$base' : '/wiki/$base/item/$id'}
              params={{ base, id: hit.media_id }}
              search={hit.media_type === mediaNumber.folder ? { folder: hit.media_id } : { q: query }}
              className="flex gap-3 rounded-xl px-2 py-2.5 hover:bg-panel"
            >
              <span className="mt-0.5 text-faint">{mediaKindOf(hit.media_type).icon(18)}</span>
              <span className="flex min-w-0 flex-col">
                <span className="font-medium">{hit.title}</span>
                {hit.highlight_content !== undefined && (
                  <span className="text-soft">
                    <HighlightedText text={hit.highlight_content} />
                  </span>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <LoadMore list={found} />
    </>
  );
}
