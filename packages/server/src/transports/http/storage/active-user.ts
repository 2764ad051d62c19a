import type { App } from '../../../app.ts';

/** True if the user is not suspended. Upload credentials live for an hour, so each use checks this. */
export async function isActiveUser(app: App, userId: string): Promise<boolean> {
  return (await app.services.accounts.user(userId))?.state === 'active';
}
