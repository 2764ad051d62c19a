import { QueryCache, QueryClient } from '@tanstack/react-query';
import { SheafError, call, createClient, type CallOptions, type RawAnswer } from '@sheaf/client';
import { errorCodes } from './error-codes.ts';
import { recordCachedResponse } from './cached-responses.ts';
import { fetchWithPrefetched } from './prefetch.ts';
import { toUserMessage } from './user-message.ts';
import { UnreachableError, asUnreachable } from './unreachable-error.ts';

const connection = {
  url: '',
  fetch: (address: RequestInfo | URL, init?: RequestInit) =>
    asUnreachable(fetchWithPrefetched(address, init).then(recordCachedResponse), init?.signal),
};
/**
 * Connection whose responses never come from the service worker's cache, because cached responses may be older than the
 * page's data.
 */
const currentConnection = {
  url: '',
  fetch: (address: RequestInfo | URL, init?: RequestInit) =>
    asUnreachable(fetch(address, { ...init, cache: 'no-store' }), init?.signal),
};

/**
 * API client of the page. It uses only the public API, so everything that the page does is also possible with an API
 * key.
 */
export const sheaf = createClient(connection);
/** API client for reads that need the current state, because the result is compared or merged with the page's data. */
export const currentSheaf = createClient(currentConnection);

/**
 * Calls a server operation and returns the full response. If an earlier attempt with the same idempotency key was
 * applied but its response was lost, the call succeeds with empty data.
 */
export async function callRaw(
  module: 'note' | 'sheet',
  operation: string,
  input: Record<string, unknown>,
  { isCurrent = false, ...options }: CallOptions & { isCurrent?: boolean } = {},
): Promise<RawAnswer> {
  const through = isCurrent ? currentConnection : connection;
  return requireSuccess(await asUnreachable(call(through, module, operation, input, options), options.signal));
}

/** Returns the response if the call succeeded, otherwise throws SheafError. */
export function requireSuccess(answer: RawAnswer): RawAnswer {
  // `applied`: an earlier attempt with the same idempotency key succeeded, but its response was lost.
  if (answer.code !== 0 && answer.data['applied'] === true) return { ...answer, code: 0, data: {} };
  if (answer.code !== 0) throw new SheafError(answer.code, answer.msg, answer.status, answer.requestId);
  return answer;
}

/**
 * Calls a server tool for spreadsheets and returns the full response. After a write it contains the new document
 * version.
 */
export const callSheet = (
  tool: string,
  input: Record<string, unknown>,
  options?: Parameters<typeof callRaw>[3],
): Promise<RawAnswer> => callRaw('sheet', tool, input, options);

export { SheafError, UnreachableError };

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof SheafError && error.code === errorCodes.account.unauthenticated)
        void queryClient.resetQueries({ queryKey: ['me'] });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Send requests without a connection, too, because the service worker may have cached the response.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (count, error) => !(error instanceof SheafError) && count < 2,
    },
  },
});

/** Options of an infinite query for operations that return pages with a cursor. */
export const cursorPages = {
  initialPageParam: '',
  getNextPageParam: (last: { is_end: boolean; next_cursor: string }) => (last.is_end ? undefined : last.next_cursor),
};

/**
 * Fetches the pages of an operation with a cursor. Stops at the last page or at the first page for which `isLast`
 * returns true.
 */
export async function fetchAllPages<Page extends { is_end: boolean; next_cursor: string }>(
  fetchPage: (cursor: string) => Promise<Page>,
  isLast: (page: Page) => boolean = () => false,
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor = ''; ;) {
    const page = await fetchPage(cursor);
    pages.push(page);
    if (page.is_end || isLast(page)) return pages;
    cursor = page.next_cursor;
  }
}

/** Returns an error's message for display. Messages of the server are simplified for the user. */
export function errorMessage(error: unknown): string {
  if (error instanceof SheafError) return toUserMessage(error.message);
  return error instanceof Error ? error.message : String(error);
}

/** Error codes for an object that is missing, deleted or not accessible to the user. */
const notFoundCodes: readonly number[] = [
  errorCodes.wiki.no_permission,
  errorCodes.note.not_author,
  errorCodes.note.note_deleted,
  errorCodes.note.no_permission,
  errorCodes.sheet.no_such_file,
  errorCodes.sharing.not_found,
  errorCodes.inbox.not_found,
];

/** Returns whether the error means that the requested object does not exist for this user. */
export function isNotFound(error: unknown): boolean {
  return error instanceof SheafError && notFoundCodes.includes(error.code);
}

/** Error codes of a busy server; a retry may succeed. All other error codes with HTTP status 200 are final. */
const retryableCodes: readonly number[] = [
  ...Object.values(errorCodes).map(({ busy }) => busy),
  errorCodes.wiki.cancelled,
];

export function isRetryable(error: unknown): boolean {
  return !(error instanceof SheafError) || error.status !== 200 || retryableCodes.includes(error.code);
}
