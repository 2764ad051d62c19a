import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Library, NotebookPen, Table2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatTimeAgo, plainExcerpt } from '../../lib/format.ts';
import { readLastVisits } from '../../lib/last-visits.ts';
import { useLanguage, useTranslation, type MessageKey } from '../../i18n/use-translation.ts';
import { Section } from '../../ui/page-layout.tsx';
import { SkeletonLines } from '../../ui/status-placeholders.tsx';
import type { RecentItem } from './recent-item.ts';
import { firstBasesQuery, recentNotesQuery, recentSheetsQuery } from './queries.ts';

const shownCount = 8;

/**
 * Returns the recently used notes, sheets and knowledge bases. `list` is undefined while loading; `hasWork` is true if
 * there is any note or sheet.
 */
export function useRecentItems(): { list: readonly RecentItem[] | undefined; hasWork: boolean } {
  const text = useTranslation();
  const notes = useQuery(recentNotesQuery);
  const bases = useQuery(firstBasesQuery);
  const sheets = useQuery(recentSheetsQuery);
  if (notes.isPending || bases.isPending || sheets.isPending) return { list: undefined, hasWork: false };
  const opened = readLastVisits();
  const found: RecentItem[] = [
    ...(notes.data?.note_book_list ?? []).map((note) => ({
      kind: 'note' as const,
      id: note.note_id,
      title: note.title,
      about: plainExcerpt(note.summary),
      time: note.modify_time,
    })),
    ...(sheets.data?.files ?? []).map((file) => ({
      kind: 'sheet' as const,
      id: file.file_id,
      title: file.title,
      about: '',
      time: file.modify_time,
    })),
    ...(bases.data?.info_list ?? []).map((base) => ({
      kind: 'base' as const,
      id: base.id,
      title: base.name,
      about: text('itemCount', { count: base.content_count }),
      time: opened[base.id] ?? 0,
    })),
  ];
  return {
    list: found.toSorted((one, other) => other.time - one.time),
    // Knowledge bases are ignored, because every user has one from the start.
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

export function RecentItems({ list }: { list: readonly RecentItem[] | undefined }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  return (
    <Section title={text('recent')}>
      {list === undefined ? (
        <SkeletonLines count={2} className="h-18" />
      ) : (
        <ul className="grid gap-2 sm:grid-cols-2">
          {list.slice(0, shownCount).map((one) => (
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
    </Section>
  );
}
