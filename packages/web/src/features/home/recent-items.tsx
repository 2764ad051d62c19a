import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Library, NotebookPen, Table2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatTimeAgo } from '../../lib/format.ts';
import { readLastBaseVisits } from '../../lib/last-base-visits.ts';
import { useLanguage, useTranslation, type MessageKey } from '../../i18n/use-translation.ts';
import { Section } from '../../ui/page-layout.tsx';
import { SkeletonLines } from '../../ui/status-placeholders.tsx';
import { lazyComponent } from '../../ui/lazy.tsx';
import { arrangeRecents, missingIds, type BulkWork } from './arrange-recents.ts';
import { loadItems, noteItem, sheetItem } from './load-items.ts';
import { firstBasesQuery, recentNotesQuery, recentSheetsQuery, writesQuery } from './queries.ts';
import type { RecentItem } from './recent-item.ts';

const BulkCards = lazyComponent(async () => (await import('./bulk-line.tsx')).BulkCards);

const shownCount = 8;

export interface RecentItemLists {
  /** All recent items; undefined while loading. */
  readonly list: readonly RecentItem[] | undefined;
  /**
   * The recent items, split for display: `cards` are shown one by one; `bulk` contains the notes and sheets that agents
   * changed in large numbers, grouped by agent.
   */
  readonly cards: readonly RecentItem[];
  readonly bulk: readonly BulkWork[];
  /** Whether the user has any note or sheet. */
  readonly hasWork: boolean;
}

/** Returns the recently used notes, sheets and knowledge bases. */
export function useRecentItems(): RecentItemLists {
  const text = useTranslation();
  const notes = useQuery(recentNotesQuery);
  const bases = useQuery(firstBasesQuery);
  const sheets = useQuery(recentSheetsQuery);
  const people = useQuery(writesQuery('people'));
  const apps = useQuery(writesQuery('apps'));
  const isPending = [notes, bases, sheets, people, apps].some((query) => query.isPending);
  const latest = isPending
    ? []
    : [...(notes.data?.note_book_list ?? []).map(noteItem), ...(sheets.data?.files ?? []).map(sheetItem)];
  const missing = isPending ? [] : missingIds(latest, people.data?.rows ?? [], shownCount);
  // Load separately the items that the user changed, because bulk changes by agents may have displaced them from the
  // lists of the latest items.
  const own = useQuery({
    queryKey: ['notes', 'recent-own', missing],
    queryFn: () => loadItems(missing),
    enabled: missing.length > 0,
    staleTime: 10_000,
  });
  if (isPending || own.isLoading) return { list: undefined, cards: [], bulk: [], hasWork: false };
  const opened = readLastBaseVisits();
  const found: RecentItem[] = [
    ...latest,
    ...(own.data ?? []),
    ...(bases.data?.info_list ?? []).map((base) => ({
      kind: 'base' as const,
      id: base.id,
      title: base.name,
      about: text('itemCount', { count: base.content_count }),
      time: opened[base.id] ?? 0,
    })),
  ];
  return {
    list: found,
    ...arrangeRecents(found, people.data?.rows ?? [], apps.data ?? { rows: [], is_end: true }),
    // Ignore knowledge bases here, because every user has one from the start.
    hasWork: found.some((one) => one.kind !== 'base'),
  };
}

const icons: Record<RecentItem['kind'], ReactNode> = {
  note: <NotebookPen size={17} className="text-note" />,
  sheet: <Table2 size={17} className="text-sheet" />,
  base: <Library size={17} className="text-base-kind" />,
};
const names: Record<RecentItem['kind'], MessageKey> = { note: 'kindNote', sheet: 'spreadsheet', base: 'filterBase' };

function linkToItem({ kind, id }: Pick<RecentItem, 'kind' | 'id'>): LinkProps {
  if (kind === 'note') return { to: '/notes/$id', params: { id } };
  return kind === 'sheet' ? { to: '/sheet/$id', params: { id } } : { to: '/wiki/$base', params: { base: id } };
}

export function RecentItems({ list, cards, bulk }: RecentItemLists): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  return (
    <Section title={text('recent')}>
      {list === undefined ? (
        <SkeletonLines count={2} className="h-18" />
      ) : (
        <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2">
          {cards.slice(0, shownCount).map((one) => (
            <li key={one.id}>
              <Link
                {...linkToItem(one)}
                className="flex h-full gap-3 rounded-xl border border-line bg-raised px-4 py-3 hover:border-strong-line"
              >
                <span className="mt-0.5 shrink-0 order-first">{icons[one.kind]}</span>
                <span className="flex min-w-0 flex-col">
                  <span className="truncate font-medium">{one.title === '' ? text('untitled') : one.title}</span>
                  {one.about !== '' && <span className="line-clamp-1 text-sm text-soft">{one.about}</span>}
                  <span className="text-xs text-faint">
                    {[text(names[one.kind]), ...(one.time > 0 ? [formatTimeAgo(one.time, language)] : [])].join(' · ')}
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {bulk.length > 0 && <BulkCards bulk={bulk} linkTo={linkToItem} />}
    </Section>
  );
}
