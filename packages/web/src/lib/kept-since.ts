import { Store } from '../ui/store.ts';

/**
 * When the oldest answer was given that the service worker kept and the page shows, because the server does not respond.
 * Undefined if everything shown is current.
 */
export const keptSince = new Store<number | undefined>(undefined);

/** Notices whether a response is one that the service worker kept. */
export function noticeKept(response: Response): Response {
  const at = Number(response.headers.get('x-sheaf-kept'));
  if (at > 0 && at < (keptSince.get() ?? Infinity)) keptSince.set(at);
  return response;
}
