import type { IncomingMessage } from 'node:http';
import { randomText } from '../../lib/ids.ts';

/**
 * Random per process, which makes request ids unique across nodes and restarts without drawing random bytes per
 * request.
 */
const ownPart = randomText(10);
let requests = 0;

/** The client's own request id if it is plain, so that both logs can be correlated; else a new id. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  if (typeof sent === 'string' && /^[\w.-]{1,64}$/.test(sent)) return sent;
  return ownPart + (++requests).toString(36).padStart(6, '0');
}
