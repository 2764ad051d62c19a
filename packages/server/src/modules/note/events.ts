import type { SubscriptionResolver } from '../../kernel/module.ts';

export function notesTopic(userId: string): string {
  return `note:${userId}`;
}

/**
 * Subscribes to every change of the caller's notes. Each event has the form
 * `{"user_id","key_id","operation","target"}`.
 */
export const watchNotes: SubscriptionResolver = async ({ caller }) => ({ topic: notesTopic(caller.userId), first: {} });
