import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search, X } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useCurrentUser } from '../../shell/current-user.ts';
import { useTranslation, type MessageKey } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { SelectMenu } from '../../ui/select-menu.tsx';
import { Page } from '../../ui/page-layout.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { EmptyState, ErrorState, LoadMore, SkeletonLines } from '../../ui/status-placeholders.tsx';
import { useBases } from '../knowledge/queries.ts';
import { HitRow } from './hit-row.tsx';
import { kinds, searchQuery, dateSpans, type SearchFilters, type Hit, type Kind } from './queries.ts';

export function SearchPage(): ReactNode {
  const text = useTranslation();
  const asked = useSearch({ from: '/search' });
  const ask = useSetFilters();
  return (
    <Page title={text('search')} lead={text('searchLead')}>
      <SearchBox
        value={asked.q ?? ''}
        label={text('askPlaceholder')}
        maxLength={1000}
        onSearch={(q) => ask({ ...asked, q })}
        pauseMs={300}
        isMain
      />
      <Filters asked={asked} />
      {asked.q === undefined ? (
        <EmptyState icon={<Search />} title={text('askSomething')}>
          {text('askSomethingHint')}
        </EmptyState>
      ) : (
        <Results asked={asked} />
      )}
    </Page>
  );
}

function useSetFilters(): (asked: SearchFilters) => void {
  const navigate = useNavigate();
  return (asked) => void navigate({ to: '/search', search: asked, replace: true });
}

const kindLabels: Record<Kind, MessageKey> = { knowledge: 'knowledge', note: 'notes', sheet: 'sheets' };
const spanLabels: Record<(typeof dateSpans)[number], MessageKey> = {
  1: 'pastDay',
  7: 'pastWeek',
  30: 'pastMonth',
  365: 'pastYear',
};

function Filters({ asked }: { asked: SearchFilters }): ReactNode {
  const text = useTranslation();
  const ask = useSetFilters();
  const me = useCurrentUser();
  const bases = useBases();
  const authors = useAuthors(asked);
  const isFiltered = (asked.kind ?? asked.base ?? asked.days ?? asked.by) !== undefined;
  return (
    <div role="group" aria-label={text('filters')} className="flex flex-wrap items-center gap-2">
      <SelectMenu
        label={text('filterKind')}
        value={asked.kind ?? ''}
        options={[
          { value: '', label: text('everything') },
          ...kinds.map((kind) => ({ value: kind, label: text(kindLabels[kind]) })),
        ]}
        onChange={(kind) =>
          ask({
            ...asked,
            kind: kind === '' ? undefined : kind,
            ...(kind === 'note' || kind === 'sheet' ? { base: undefined } : {}),
          })
        }
      />
      <SelectMenu
        label={text('filterBase')}
        value={asked.base ?? ''}
        options={[
          { value: '', label: text('anyBase') },
          ...(bases.data ?? []).map((base) => ({ value: base.id, label: base.name })),
        ]}
        onChange={(base) => ask({ ...asked, base: base === '' ? undefined : base })}
      />
      <SelectMenu
        label={text('filterDate')}
        value={asked.days ?? 0}
        options={[
          { value: 0, label: text('anyTime') },
          ...dateSpans.map((days) => ({ value: days as number, label: text(spanLabels[days]) })),
        ]}
        onChange={(days) => ask({ ...asked, days: days === 0 ? undefined : days })}
      />
      <SelectMenu
        label={text('filterAuthor')}
        value={asked.by ?? ''}
        options={[
          { value: '', label: text('anyone') },
          ...(me ? [{ value: me.user_id, label: text('byMe') }] : []),
          ...[...authors]
            .filter(([id]) => id !== me?.user_id)
            .map(([id, name]) => ({ value: id, label: name }))
            .toSorted((one, other) => one.label.localeCompare(other.label)),
        ]}
        onChange={(by) => ask({ ...asked, by: by === '' ? undefined : by })}
      />
      {isFiltered && (
        <Button variant="quiet" onClick={() => ask({ q: asked.q })}>
          <X size={15} /> {text('clearFilters')}
        </Button>
      )}
    </div>
  );
}

/**
 * Returns the names of the authors of all hits displayed since the page was opened, by user id. They are the options of
 * the author filter.
 */
function useAuthors(asked: SearchFilters): ReadonlyMap<string, string> {
  const found = useInfiniteQuery(searchQuery(asked));
  const [authors, setAuthors] = useState<ReadonlyMap<string, string>>(new Map());
  const { data } = found;
  useEffect(() => {
    const hits = data?.pages.flatMap((page) => page.info_list) ?? [];
    const named = hits.flatMap((hit): [string, string][] =>
      hit.author_id === undefined || hit.author_name === undefined ? [] : [[hit.author_id, hit.author_name]],
    );
    setAuthors((before) => (named.every(([id]) => before.has(id)) ? before : new Map([...before, ...named])));
  }, [data]);
  return authors;
}

function Results({ asked }: { asked: SearchFilters }): ReactNode {
  const text = useTranslation();
  const found = useInfiniteQuery({ ...searchQuery(asked), placeholderData: (previous) => previous });
  if (found.isPending) return <SkeletonLines count={4} className="h-24" />;
  if (found.error) return <ErrorState error={found.error} retry={() => void found.refetch()} />;
  const hits = found.data.pages.flatMap((page): Hit[] => page.info_list);
  const query = asked.q ?? '';
  if (hits.length === 0 && !found.hasNextPage)
    return (
      <EmptyState icon={<Search />} title={text('nothingFound', { query })}>
        {text('nothingFoundHint')}
      </EmptyState>
    );
  const totals = Object.values(found.data.pages[0]?.totals ?? {});
  return (
    <section aria-label={text('found')} aria-busy={found.isPlaceholderData}>
      <p role="status" className="px-2 text-sm text-soft">
        {totals.length === 0
          ? text('found')
          : text('foundCount', { count: totals.reduce((sum, total) => sum + total, 0) })}
      </p>
      <ul className={found.isPlaceholderData ? 'opacity-60' : ''}>
        {hits.map((hit) => (
          <HitRow key={`${hit.kind} ${hit.id}`} hit={hit} query={query} />
        ))}
      </ul>
      <LoadMore list={found} />
    </section>
  );
}
