import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/button.tsx';
import { itemOrder } from './item-order.ts';
import { folderQuery } from './queries.ts';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(
    'input, textarea, select, audio, video, iframe, [contenteditable=true], [role=menu], dialog, [data-sheet]',
  ) !== null;

/**
 * Buttons and arrow keys that go to the next and previous item, in the order of the list from which the item was
 * opened.
 */
export function ItemSteps({ base, id }: { base: string; id: string }): ReactNode {
  const text = useTranslation();
  const navigate = useNavigate();
  const known = itemOrder(base, id);
  // After a reload the original list is unknown, so use the first page of the knowledge base's list instead.
  const listed = useInfiniteQuery({ ...folderQuery(base, base), enabled: known === undefined });
  const order =
    known ??
    listed.data?.pages.flatMap((page) =>
      page.knowledge_list.flatMap((entry) => (entry.media_id === undefined ? [] : [entry.media_id])),
    ) ??
    [];
  const at = order.indexOf(id);
  const previous = order[at - 1];
  const next = at < 0 ? undefined : order[at + 1];
  useEffect(() => {
    const go = (to: string | undefined): void => {
      if (to !== undefined) void navigate({ to: '/wiki/$base/item/$id', params: { base, id: to }, replace: true });
    };
    const key = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isTyping(event.target)) return;
      if (event.key === 'ArrowLeft') go(previous);
      if (event.key === 'ArrowRight') go(next);
    };
    document.addEventListener('keydown', key);
    return () => document.removeEventListener('keydown', key);
  }, [base, previous, next, navigate]);
  if (previous === undefined && next === undefined) return null;
  const step = (label: 'previousItem' | 'nextItem', to: string | undefined, icon: ReactNode): ReactNode => (
    <IconButton
      label={text(label)}
      aria-keyshortcuts={label === 'nextItem' ? 'ArrowRight' : 'ArrowLeft'}
      disabled={to === undefined}
      onClick={() => void navigate({ to: '/wiki/$base/item/$id', params: { base, id: to! }, replace: true })}
    >
      {icon}
    </IconButton>
  );
  return (
    <span className="flex shrink-0 items-center">
      {step('previousItem', previous, <ChevronLeft size={18} />)}
      <span className="text-sm whitespace-nowrap text-faint tabular-nums max-sm:sr-only">
        {text('itemOf', { number: at + 1, count: order.length })}
      </span>
      {step('nextItem', next, <ChevronRight size={18} />)}
    </span>
  );
}
