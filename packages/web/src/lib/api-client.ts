import { QueryCache, QueryClient } from '@tanstack/react-query';
import { SheafError, call, createClient, type CallOptions, type RawAnswer } from '@sheaf/client';
import { fetchWithPrefetched } from './prefetch.ts';
import { toUserMessage } from './user-message.ts';
import { UnreachableError, asUnreachable } from './unreachable-error.ts';

const connection = {
  url: '',
  fetch: (address: RequestInfo | URL, init?: RequestInit) =>
    asUnreachable(fetchWithPrefetched(address, init), init?.signal),
};

/** The page uses only the public API, so anything the page does can also be done with an API key. */
export const sheaf = createClient(connection);

/**
 * Makes a call and returns the full response. A call that an earlier attempt already applied succeeds with empty data.
 */
export async function callRaw(
  module: 'note' | 'sheet',
  operation: string,
  input: Record<string, unknown>,
  options: CallOptions = {},
): Promise<RawAnswer> {
  return requireSuccess(await asUnreachable(call(connection, module, operation, input, options), options.signal));
}

/** Returns the response of a successful call; throws on an error code. */
export function requireSuccess(answer: RawAnswer): RawAnswer {
  // An earlier attempt with the same idempotency key was applied, but its response was lost.
  if (answer.code !== 0 && answer.data['applied'] === true) return { ...answer, code: 0, data: {} };
  if (answer.code !== 0) throw new SheafError(answer.code, answer.msg, answer.status, answer.requestId);
  return answer;
}

/** Calls a sheet tool and returns the full response, because the response of a write includes the new version. */
export const callSheet = (tool: string, input: Record<string, unknown>, options?: CallOptions): Promise<RawAnswer> =>
  callRaw('sheet', tool, input, options);

export { SheafError, UnreachableError };

export const unauthenticatedCode = 20004;

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof SheafError && error.code === unauthenticatedCode)
        void queryClient.resetQueries({ queryKey: ['me'] });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => !(error instanceof SheafError) && count < 2,
    },
  },
});

/** Options of an infinite query over an operation that pages with a cursor. */
export const cursorPages = {
  initialPageParam: '',
  getNextPageParam: (last: { is_end: boolean; next_cursor: string }) => (last.is_end ? undefined : last.next_cursor),
};

/** Reads all pages of an operation that pages with a cursor, up to the first one for which `isLast` is true. */
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

/** Returns an error message to show to the user. */
export function errorMessage(error: unknown): string {
  if (error instanceof SheafError) return toUserMessage(error.message);
  return error instanceof Error ? error.message : String(error);
}

/** Error codes for a document, note, knowledge base or item that is absent, deleted or not accessible to the user. */
const notFoundCodes = [110030, 210005, 210006, 210034, 310002];

/** True if the error says that the requested object does not exist for this user. */
export function isNotFound(error: unknown): boolean {
  return error instanceof SheafError && notFoundCodes.includes(error.code);
}

/** Error codes of a busy server. Every other error code sent with HTTP status 200 is final. */
const retryableCodes = [110010, 110013, 210003, 310010, 410010];

/** True if a retry may succeed. */
export function isRetryable(error: unknown): boolean {
  return !(error instanceof SheafError) || error.status !== 200 || retryableCodes.includes(error.code);
}
