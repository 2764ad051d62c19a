import type { Caller, Services } from '../context.ts';

/** The users whose access was reduced: one user, all subscribers of a live-update topic, or every user. */
export type AccessChange = { user_id: string } | { topic: string } | { everyone: true };

/**
 * Returns whether an access change (see AccessChange) may end the user's subscription to live updates of these topics.
 */
export function mayConcern(change: unknown, userId: string, topics: readonly string[]): boolean {
  const { user_id, topic, everyone } = change as { user_id?: string; topic?: string; everyone?: true };
  return everyone === true || user_id === userId || (topic !== undefined && topics.includes(topic));
}

export const accessTopic = 'access';

/**
 * Makes every node check whether the open subscriptions to live updates are still permitted. Callers must call it only
 * after the change is committed, because the check reads the database.
 */
export function publishAccessChange(services: Pick<Services, 'events' | 'log'>, change: AccessChange): void {
  services.events
    .publish(accessTopic, change)
    .catch((error: unknown) => services.log.warn({ err: error }, 'news of access'));
}

/** Returns whether the caller may change data in the module. Assumes that the caller may read the module. */
export function mayWrite(caller: Caller, module: string): boolean {
  return caller.access === 'write' && (caller.writable?.includes(module) ?? true);
}
