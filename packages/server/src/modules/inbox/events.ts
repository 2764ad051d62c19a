import type { SubscriptionResolver } from '../../kernel/module.ts';
import { inboxTopic } from '../../ports/inbox.ts';

/**
 * Subscribes to changes of the caller's inbox. Events contain no content: `{"inbox":"changed"}` means that the client
 * must read the inbox again.
 */
export const watchInbox: SubscriptionResolver = ({ caller }) =>
  Promise.resolve({ topic: inboxTopic(caller.userId), first: {} });
