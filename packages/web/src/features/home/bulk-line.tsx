import { Link, type LinkProps } from '@tanstack/react-router';
import { Bot, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatTimeAgo } from '../../lib/format.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { useActorNames } from '../account/account-queries.ts';
import type { BulkWork } from './arrange-recents.ts';
import type { RecentItem } from './recent-item.ts';

export function Author({ by, isAgent }: { by: string; isAgent: boolean }): ReactNode {
  return (
    <span
      className={`flex shrink-0 items-center gap-1.5 rounded-full px-2 py-0.5 text-xs font-medium ${
        isAgent ? 'bg-accent-soft text-accent' : 'bg-hover text-soft'
      }`}
    >
      {isAgent ? <Bot size={13} /> : <UserRound size={13} />}
      {by}
    </span>
  );
}

interface BulkLineProps {
  by: string;
  count: number;
  /** True if `count` is exact; otherwise it is a minimum and shown with a plus sign. */
  isAll: boolean;
  time: number;
  children: ReactNode;
}

/** One expandable line for the items that one agent changed in bulk. */
export function BulkLine({ by, count, isAll, time, children }: BulkLineProps): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  return (
    <li>
      <details>
        <summary className="flex min-h-11 cursor-pointer items-center gap-3 px-4 py-2 hover:bg-panel">
          <Author by={by} isAgent />
          <span className="min-w-0 flex-1 truncate">{text('itemCount', { count: isAll ? count : `${count}+` })}</span>
          <span className="shrink-0 text-xs text-faint">{formatTimeAgo(time, language)}</span>
        </summary>
        <ul className="divide-y divide-line border-t border-line pl-6">{children}</ul>
      </details>
    </li>
  );
}

/** Section with the bulk changes of agents, shown below the cards of the user's own items. */
export function BulkCards({
  bulk,
  linkTo,
}: {
  bulk: readonly BulkWork[];
  linkTo: (item: RecentItem) => LinkProps;
}): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const actors = useActorNames();
  return (
    <ul aria-label={text('byAgents')} className="divide-y divide-line rounded-xl border border-line bg-raised">
      {bulk.map(({ by, items, ...rest }) => (
        <BulkLine key={by} by={actors(by)} time={items[0]!.time} {...rest}>
          {items.map((item) => (
            <li key={item.id}>
              <Link {...linkTo(item)} className="flex min-h-11 items-center gap-3 px-4 py-2 hover:bg-panel">
                <span className="min-w-0 flex-1 truncate">{item.title === '' ? text('untitled') : item.title}</span>
                <span className="shrink-0 text-xs text-faint">{formatTimeAgo(item.time, language)}</span>
              </Link>
            </li>
          ))}
        </BulkLine>
      ))}
    </ul>
  );
}
