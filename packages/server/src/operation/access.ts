import type { Caller, Services } from '../context.ts';

/** Whose access may have ended, or to what. */
export type AccessChange = { user_id: string } | { topic: string };

export const accessTopic = 'access';

/** Tells every node, once it is so: whoever listens to news is looked at again, at once. */
export function accessChanged(services: Pick<Services, 'events' | 'log'>, change: AccessChange): void {
  services.events
    .publish(accessTopic, change)
    .catch((error: unknown) => services.log.warn({ err: error }, 'news of access'));
}

/** Whether a caller may change things in a module that it has access to. */
export function mayWrite(caller: Caller, module: string): boolean {
  return caller.access === 'write' && (caller.writable?.includes(module) ?? true);
}
