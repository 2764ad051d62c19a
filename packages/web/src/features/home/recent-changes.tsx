import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileText, Library, NotebookPen, Table2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useActorNames } from '../account/account-queries.ts';
import { formatTimeAgo } from '../../lib/format.ts';
import { useCurrentUser } from '../../shell/current-user.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { Section } from '../../ui/page-layout.tsx';
import { SkeletonLines } from '../../ui/status-placeholders.tsx';
import { addTitles, type TitledChange } from './change-titles.ts';
import { changesFromAudit, groupChanges, startOfYesterday } from './audit-changes.ts';
import { Author, BulkLine } from './bulk-line.tsx';
import { writesQuery } from './queries.ts';
import type { RecentItem } from './recent-item.ts';

const icons: Record<TitledChange['kind'], ReactNode> = {
  note: <NotebookPen size={16} />,
  sheet: <Table2 size={16} />,
  base: <Library size={16} />,
  item: <FileText size={16} />,
};

/**
 * Lists the changes since yesterday: by the user, by agents with the user's API keys, and by other users in notes,
 * sheets and knowledge bases shared with the user.
 */
export function RecentChanges({ recents }: { recents: readonly RecentItem[] }): ReactNode {
  const text = useTranslation();
  const me = useCurrentUser();
  const actors = useActorNames();
  const people = useQuery({ ...writesQuery('people'), staleTime: 10_000 });
  const apps = useQuery({ ...writesQuery('apps'), staleTime: 10_000 });
  const rows = [...(people.data?.rows ?? []), ...(apps.data?.rows ?? [])].toSorted((one, other) => other.at - one.at);
  const oldest = apps.data?.rows.at(-1)?.at ?? 0;
  const isAll = apps.data?.is_end === true || oldest < startOfYesterday();
  const changes = useQuery({
    queryKey: ['changes', me?.user_id, rows.length, rows[0]?.at],
    queryFn: () => addTitles(changesFromAudit(rows, recents, startOfYesterday())),
    enabled: !people.isPending && !apps.isPending,
    staleTime: 10_000,
  });
  const nameOf = ({ by }: TitledChange): string =>
    by === 'others' ? text('others') : by === 'me' ? text('byYou') : actors(by);
  return (
    <Section title={text('sinceYesterday')}>
      {changes.isPending ? (
        <SkeletonLines count={2} className="h-11" />
      ) : changes.error || changes.data.length === 0 ? (
        <p className="text-soft">{text('nothingChanged')}</p>
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
          {groupChanges(changes.data).map(({ changes: [first, ...others] }) =>
            first === undefined ? null : others.length === 0 ? (
              <ChangeLine key={`${first.by} ${first.id}`} change={first} by={nameOf(first)} />
            ) : (
              <BulkLine key={first.by} by={nameOf(first)} count={others.length + 1} isAll={isAll} time={first.time}>
                {[first, ...others].map((change) => (
                  <ChangeLine key={change.id} change={change} by={nameOf(first)} />
                ))}
              </BulkLine>
            ),
          )}
        </ul>
      )}
    </Section>
  );
}

function ChangeLine({ change, by }: { change: TitledChange; by: string }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  return (
    <li>
      <Link {...change.link} className="flex min-h-11 items-center gap-3 px-4 py-2 hover:bg-panel">
        <Author by={by} isAgent={change.by !== 'others' && change.by !== 'me'} />
        <span className="shrink-0 text-faint">{icons[change.kind]}</span>
        <span className="min-w-0 flex-1 truncate">{change.title === '' ? text('untitled') : change.title}</span>
        <span className="shrink-0 text-xs text-faint">
          {change.count > 0 && `${text('eventCount', { count: change.count })} · `}
          {formatTimeAgo(change.time, language)}
        </span>
      </Link>
    </li>
  );
}
