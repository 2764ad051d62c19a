import type { Caller, Services } from '../context.ts';

/** A user, or a topic of live updates, whose access rights may have been reduced. */
export type AccessChange = { user_id: string } | { topic: string };

export const accessTopic = 'access';

/** Makes every node check its open subscriptions again. Must be called after the change is committed. */
export function publishAccessChange(services: Pick<Services, 'events' | 'log'>, change: AccessChange): void {
  services.events
    .publish(accessTopic, change)
    .catch((error: unknown) => services.log.warn({ err: error }, 'news of access'));
}

/** Returns whether the caller may change data in the module. Assumes that the caller may read the module. */
export function mayWrite(caller: Caller, module: string): boolean {
  return caller.access === 'write' && (caller.writable?.includes(module) ?? true);
}
