import type { App } from '../../../app.ts';

/** Credentials and addresses for uploads are good for an hour; whoever is suspended meanwhile is refused with them too. */
export async function isActive(app: App, userId: string): Promise<boolean> {
  return (await app.services.accounts.user(userId))?.state === 'active';
}
