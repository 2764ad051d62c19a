import { CloudOff } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { queryClient } from '../lib/api-client.ts';
import { formatDateTime } from '../lib/format.ts';
import { oldestCachedAt } from '../lib/cached-responses.ts';
import { RetryTimer } from '../lib/retry-timer.ts';
import { useLanguage, useTranslation } from '../i18n/use-translation.ts';

/**
 * Tells the user that the page shows cached data. Meanwhile it checks whether the server responds again, and then
 * reloads all data.
 */
export function OfflineBanner({ since }: { since: number }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  useEffect(() => {
    let isNeeded = true;
    const retry = new RetryTimer(() => void attempt());
    const attempt = async (): Promise<void> => {
      const isThere = await fetch('/healthz', { cache: 'no-store' }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (!isNeeded) return;
      if (!isThere) return retry.schedule();
      oldestCachedAt.set(undefined);
      await queryClient.invalidateQueries();
    };
    retry.schedule();
    return () => {
      isNeeded = false;
      retry.cancel();
    };
  }, []);
  return (
    <p role="status" className="flex shrink-0 items-center justify-center gap-2 bg-hover px-4 py-1.5 text-sm text-soft">
      <CloudOff size={15} className="shrink-0" />
      {text('shownAsOf', { time: formatDateTime(since, language) })}
    </p>
  );
}
