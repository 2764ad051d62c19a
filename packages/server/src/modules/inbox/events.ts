import type { SubscriptionResolver } from '../../kernel/module.ts';
import { inboxTopic } from '../../ports/inbox.ts';

/**
 * Subscribes to changes of the caller's inbox. Events carry no content: `{"inbox":"changed"}` means that the inbox must
 * be read again.
 */
export const watchInbox: SubscriptionResolver = ({ caller }) =>
  Promise.resolve({ topic: inboxTopic(caller.userId), first: {} });
