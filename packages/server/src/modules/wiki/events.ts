import type { Services } from '../../context.ts';
import { fail } from '../../kernel/errors.ts';
import type { SubscriptionResolver } from '../../kernel/module.ts';
import { parseJob } from '../../ports/wiki-store.ts';

export interface KnowledgeBaseEvent {
  user_id: string;
  key_id: string;
  operation: string;
  /** Id of the changed item, folder or knowledge base. */
  target: string;
  /** New state of the item, if its state changed. */
  state?: string;
}

export function baseTopic(baseId: string): string {
  return `wiki:${baseId}`;
}

/**
 * Publishes an event about a change in a knowledge base. Subscribers are the browser tabs that show the knowledge base,
 * and API calls that wait for an item's state.
 */
export function publishBaseEvent(
  services: Pick<Services, 'events' | 'log'>,
  baseId: string,
  news: KnowledgeBaseEvent,
): void {
  services.events
    .publish(baseTopic(baseId), news)
    .catch((error: unknown) => services.log.warn({ err: error }, 'news of a knowledge base'));
}

/**
 * Publishes the state `ready` of items. Called when their texts have been added to the search index, because only then
 * are they reported as ready.
 */
export async function publishReadyItems(
  services: Pick<Services, 'events' | 'log' | 'wiki'>,
  ids: readonly string[],
): Promise<void> {
  for (const item of await services.wiki.items.items(ids))
    if (item.state === 'ready' && item.deletedAt === null)
      publishBaseEvent(services, item.baseId, {
        user_id: item.userId,
        key_id: '',
        operation: `job:${parseJob}`,
        target: item.id,
        state: item.state,
      });
}

/**
 * Authorizes a client's subscription to the events of a knowledge base and returns its topic. Each event has the form
 * `{"user_id","key_id","operation","target"}`. If an item's state changed, the event also has `"state"`.
 */
export const watchKnowledgeBase: SubscriptionResolver = async ({ caller, services, query }) => {
  const id = query('knowledge_base_id') ?? '';
  const base = /^[\w-]{1,80}$/.test(id) ? await services.wiki.bases.base(id, caller.userId) : undefined;
  if (!base)
    throw fail('no_permission', `knowledge_base_id: there is no knowledge base ${JSON.stringify(id)} that you may see`);
  return { topic: baseTopic(id), first: {} };
};
