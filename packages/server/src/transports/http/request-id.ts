import type { IncomingMessage } from 'node:http';
import { randomText } from '../../lib/ids.ts';

/** Unique across nodes and restarts by its random part, and cheap: drawing random bytes for every request is not. */
const ownPart = randomText(10);
let requests = 0;

/** The client's own id where it sent a plain one, so that its logs and ours can be laid side by side. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  if (typeof sent === 'string' && /^[\w.-]{1,64}$/.test(sent)) return sent;
  return ownPart + (++requests).toString(36).padStart(6, '0');
}
