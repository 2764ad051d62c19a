import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bot, FileText, Library, NotebookPen, Table2, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useActors } from '../account/actors.ts';
import { sheaf } from '../lib/client.ts';
import { timeAgo } from '../lib/format.ts';
import { useMe } from '../shell/me.ts';
import { useLanguage, useText } from '../text/use-text.ts';
import { Section } from '../ui/page.tsx';
import { Lines } from '../ui/states.tsx';
import { titled, type Change } from './change-list.ts';
import { changesOf, sinceYesterday } from './changed.ts';
import type { Recent } from './recent.ts';

const icons: Record<Change['kind'], ReactNode> = {
  note: <NotebookPen size={16} />,
  sheet: <Table2 size={16} />,
  base: <Library size={16} />,
  item: <FileText size={16} />,
};

/** Lists the changes since yesterday by the user, by agents with the user's keys, and by others in shared objects. */
export function Changes({ recents }: { recents: readonly Recent[] }): ReactNode {
  const text = useText();
  const language = useLanguage();
  const me = useMe();
  const actors = useActors();
  const changes = useQuery({
    queryKey: ['changes', me?.user_id],
    queryFn: async () => {
      const since = sinceYesterday();
      const { rows } = await sheaf.account.list_audit({ user_id: me!.user_id, limit: 100 });
      return titled(changesOf(rows, recents, since));
    },
    enabled: me !== undefined,
    staleTime: 10_000,
  });
  return (
    <Section title={text('sinceYesterday')}>
      {changes.isPending ? (
        <Lines count={2} className="h-11" />
      ) : changes.error || changes.data.length === 0 ? (
        <p className="text-soft">{text('nothingChanged')}</p>
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
          {changes.data.map((change) => {
            const by = change.by === 'others' ? text('others') : change.by === 'me' ? text('byYou') : actors(change.by);
            const isAgent = change.by !== 'others' && change.by !== 'me';
            return (
              <li key={`${change.by} ${change.id}`}>
                <Link {...change.link} className="flex min-h-11 items-center gap-3 px-4 py-2 hover:bg-panel">
                  <span
                    className={`flex shrink-0 items-center gap-1.5 rounded-full px-2 py-0.5 text-xs font-medium ${
                      isAgent ? 'bg-accent-soft text-accent' : 'bg-hover text-soft'
                    }`}
                  >
                    {isAgent ? <Bot size={13} /> : <UserRound size={13} />}
                    {by}
                  </span>
                  <span className="shrink-0 text-faint">{icons[change.kind]}</span>
                  <span className="min-w-0 flex-1 truncate">
                    {change.title === '' ? text('untitled') : change.title}
                  </span>
                  <span className="shrink-0 text-xs text-faint">
                    {change.count > 0 && `${text('eventCount', { count: change.count })} · `}
                    {timeAgo(change.time, language)}
                  </span>
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}
