import { Store } from '../ui/store.ts';

/**
 * Unix time in milliseconds of the oldest cached response that the page has shown because the server was unreachable.
 * Undefined if no cached response was shown.
 */
export const oldestCachedAt = new Store<number | undefined>(undefined);

/** Records the time of a response if it comes from the service worker's cache. */
export function recordCachedResponse(response: Response): Response {
  const at = Number(response.headers.get('x-sheaf-kept'));
  if (at > 0 && at < (oldestCachedAt.get() ?? Infinity)) oldestCachedAt.set(at);
  return response;
}
