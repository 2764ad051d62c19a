import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { sheaf } from '../lib/api-client.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { useTranslation } from '../i18n/use-translation.ts';

/**
 * Polling interval in milliseconds. An event stream is not used here, because it would permanently occupy one of the
 * few connections that a browser opens per server.
 */
const pollMs = 60_000;
const maxShown = 99;

/**
 * Shows the number of unread inbox entries. With `isCorner`, the number is shown at the corner of the icon. The first
 * request waits until the page is idle, so that it does not slow down the page.
 */
export function InboxCount({ isCorner }: { isCorner: boolean }): ReactNode {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return isIdle ? <UnreadCount isCorner={isCorner} /> : null;
}

function UnreadCount({ isCorner }: { isCorner: boolean }): ReactNode {
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
      className={
        'min-w-5 rounded-full bg-accent px-1.5 text-center text-xs leading-5 text-accent-ink ' +
        (isCorner ? 'absolute -top-0.5 left-1/2' : 'ml-auto')
      }
    >
      {count > maxShown ? `${maxShown}+` : count}
    </span>
  );
}
