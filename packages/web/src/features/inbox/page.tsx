import { useInfiniteQuery } from '@tanstack/react-query';
import { CheckCheck, Inbox } from 'lucide-react';
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { cursorPages, queryClient, sheaf } from '../../lib/api-client.ts';
import { useServerEvents } from '../../lib/use-server-events.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/form-fields.tsx';
import { Page } from '../../ui/page-layout.tsx';
import { EmptyState, LoadMore, SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { InboxLineRow, type InboxLine } from './inbox-line.tsx';

/**
 * Polling interval in milliseconds. The page also listens to server events, but the server sends no event when a note,
 * sheet or knowledge base that the user follows changes.
 */
const pollMs = 30_000;

async function markRead(input: Parameters<typeof sheaf.inbox.mark_inbox_read>[0]): Promise<void> {
  await sheaf.inbox.mark_inbox_read(input);
  await queryClient.invalidateQueries({ queryKey: ['inbox'] });
}

/**
 * Inbox page: comments and mentions, shares, changes of notes, sheets and knowledge bases that the user follows, and
 * work of the user's agents, newest first. Keys: j/k or arrows move, Enter opens, m toggles read.
 */
export function InboxPage(): ReactNode {
  const text = useTranslation();
  const [isUnreadOnly, setUnreadOnly] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const found = useInfiniteQuery({
    queryKey: ['inbox', 'lines', isUnreadOnly],
    queryFn: ({ pageParam: cursor, signal }) =>
      sheaf.inbox.list_inbox({ unread_only: isUnreadOnly, cursor, limit: 50 }, { signal }),
    ...cursorPages,
    refetchInterval: pollMs,
  });
  useServerEvents('/openapi/inbox/v1/events', () => void queryClient.invalidateQueries({ queryKey: ['inbox'] }));
  const lines = found.data?.pages.flatMap((page) => page.lines) ?? [];
  const unread = found.data?.pages[0]?.unread ?? 0;
  const mark = (line: InboxLine, isRead: boolean): void =>
    void markRead({ line_ids: [line.line_id], unread: !isRead }).catch(showErrorToast);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-line]') ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (step !== undefined) rows[Math.min(rows.length - 1, Math.max(0, at + step))]?.focus();
    else if (event.key === 'm' && lines[at]) mark(lines[at], !lines[at].is_read);
    else return;
    event.preventDefault();
  };
  return (
    <Page
      title={text('inbox')}
      lead={text('inboxLead')}
      actions={
        <>
          <Checkbox
            label={text('onlyUnread')}
            checked={isUnreadOnly}
            onChange={(event) => setUnreadOnly(event.target.checked)}
          />
          <Button
            disabled={unread === 0}
            onClick={() =>
              void markRead({ all: true, ...(lines[0] && { until: lines[0].time }) }).catch(showErrorToast)
            }
          >
            <CheckCheck size={16} /> {text('markAllRead')}
          </Button>
        </>
      }
    >
      {queryPlaceholder(found, <SkeletonLines count={5} />, true) ??
        (lines.length === 0 ? (
          <EmptyState icon={<Inbox />} title={text('emptyInbox')}>
            {text('emptyInboxHint')}
          </EmptyState>
        ) : (
          <>
            <ul
              ref={list}
              aria-label={text('inbox')}
              className="divide-y divide-line rounded-xl border border-line bg-raised"
              onKeyDown={onKeyDown}
            >
              {lines.map((line) => (
                <InboxLineRow key={line.line_id} line={line} onMark={(isRead) => mark(line, isRead)} />
              ))}
            </ul>
            <p className="hidden text-sm text-faint md:block">{text('inboxKeys')}</p>
          </>
        ))}
      <LoadMore list={found} />
    </Page>
  );
}
