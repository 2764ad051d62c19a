import type { Services } from '../context.ts';
import { inboxTopic } from '../ports/inbox.ts';

/**
 * Notifies the open browser tabs of users, whichever node they are connected to, that their inboxes changed. The events
 * do not contain inbox entries; the tabs must read the inbox again.
 */
export function publishInboxChange(services: Pick<Services, 'events' | 'log'>, userIds: Iterable<string>): void {
  for (const userId of new Set(userIds))
    services.events
      .publish(inboxTopic(userId), { inbox: 'changed' })
      .catch((error: unknown) => services.log.warn({ err: error }, 'news of an inbox'));
}
