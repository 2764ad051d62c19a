import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { sheaf } from '../lib/api-client.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { useTranslation } from '../i18n/use-translation.ts';

/** Polling interval. Every open stream of events takes one of the few connections that a browser opens to a server. */
const pollMs = 60_000;
const maxShown = 99;

/** Shows the number of unread lines of the inbox. Asks for it once the page is idle, so that it delays nothing. */
export function InboxCount(): ReactNode {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return isIdle ? <UnreadCount /> : null;
}

function UnreadCount(): ReactNode {
  const text = useTranslation();
  const found = useQuery({
    queryKey: ['inbox', 'count'],
    queryFn: async () => (await sheaf.inbox.list_inbox({ limit: 1 })).unread,
    refetchInterval: pollMs,
  });
  const count = found.data ?? 0;
  if (count === 0) return null;
  return (
    <span
      aria-label={text('unreadCount', { count })}
      role="img"
      className="absolute top-1 left-1/2 min-w-5 rounded-full bg-accent px-1.5 text-center text-xs leading-5 text-accent-ink md:static md:ml-auto"
    >
      {count > maxShown ? `${maxShown}+` : count}
    </span>
  );
}
