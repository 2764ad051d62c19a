import { useEffect, useRef, type ReactNode } from 'react';
import { isRetryable, errorMessage } from '../lib/api-client.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button, type ButtonVariant } from './button.tsx';

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  /** True if the empty state fills the page. Its title is then the page's main heading. */
  isPage?: boolean;
  children?: ReactNode;
  actions?: ReactNode;
}

/** Shows that a list or page is empty, with an explanation and buttons for the next step. */
export function EmptyState({ icon, title, isPage = false, children, actions }: EmptyStateProps): ReactNode {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <div className="m-auto flex max-w-sm flex-col items-center gap-3 px-6 py-14 text-center">
      <div className="flex size-12 items-center justify-center rounded-2xl bg-accent-soft text-accent">{icon}</div>
      <Heading className="font-serif text-xl font-semibold">{title}</Heading>
      {children !== undefined && <div className="text-soft">{children}</div>}
      {actions !== undefined && <div className="flex flex-wrap justify-center gap-2 pt-2">{actions}</div>}
    </div>
  );
}

export function ErrorState({ error, retry }: { error: unknown; retry?: (() => void) | undefined }): ReactNode {
  const text = useTranslation();
  return (
    <div role="alert" className="m-auto flex max-w-md flex-col items-center gap-3 px-6 py-14 text-center">
      <h2 className="font-serif text-xl font-semibold">{text('failed')}</h2>
      <p className="text-soft">{errorMessage(error)}</p>
      {retry && isRetryable(error) && <Button onClick={retry}>{text('tryAgain')}</Button>}
    </div>
  );
}

interface QueryState {
  readonly error: unknown;
  readonly isPending: boolean;
  /** True if the content was loaded before but could not be reloaded. */
  readonly isRefetchError?: boolean;
  readonly refetch?: () => unknown;
}

/**
 * Returns the element to show instead of a query's content: the skeleton while loading, or the error. Returns undefined
 * after the content is loaded. Loaded content stays visible if a reload fails because the server is unreachable.
 */
export function queryPlaceholder(query: QueryState, skeleton: ReactNode, canRetry = false): ReactNode | undefined {
  if (query.isPending) return skeleton;
  if (!query.error || (query.isRefetchError && isRetryable(query.error))) return undefined;
  return <ErrorState error={query.error} retry={canRetry ? () => void query.refetch?.() : undefined} />;
}

interface PagedList {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly fetchNextPage: () => unknown;
}

interface LoadMoreProps {
  list: PagedList;
  variant?: ButtonVariant;
  className?: string;
}

/**
 * Loads the next page of a list when the end of the list becomes visible. It also shows a button that loads the next
 * page, for keyboard users and after a failure.
 */
export function LoadMore({ list, variant = 'quiet', className = 'p-4' }: LoadMoreProps): ReactNode {
  const text = useTranslation();
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(list);
  latest.current = list;
  const { hasNextPage, isFetchingNextPage } = list;
  useEffect(() => {
    if (!end.current || isFetchingNextPage) return undefined;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting && !latest.current.isFetchNextPageError) void latest.current.fetchNextPage();
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage]);
  if (!hasNextPage) return null;
  return (
    <div ref={end} className={`flex justify-center ${className}`}>
      <Button variant={variant} disabled={isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {text('loadMore')}
      </Button>
    </div>
  );
}

/** Placeholder lines with the height of the content that is loading, so that the layout does not move. */
export function SkeletonLines({ count = 4, className = 'h-14' }: { count?: number; className?: string }): ReactNode {
  return (
    <div aria-hidden className="flex flex-col gap-2">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={`animate-pulse rounded-lg bg-hover/70 ${className}`} />
      ))}
    </div>
  );
}

export function Spinner({ label }: { label?: string }): ReactNode {
  return (
    <span className="inline-flex items-center gap-2 text-soft" role="status">
      <span className="size-4 animate-spin rounded-full border-2 border-strong-line border-t-accent" aria-hidden />
      {label ?? <span className="sr-only">…</span>}
    </span>
  );
}
