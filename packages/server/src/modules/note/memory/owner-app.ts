import type { Caller, Context } from '../../../context.ts';

/**
 * Returns the app or API key whose memories the caller may access: apps and API keys may access only their own. Returns
 * undefined for a signed-in person, who may access the memories of all apps.
 */
export function readableApp(caller: Caller): string | undefined {
  return caller.via === 'session' || caller.via === 'local' ? undefined : appOf(caller);
}

/**
 * Returns an id of the app or API key that makes the call, or of the user if the call comes from the web page or the
 * command line.
 */
export function appOf({ via, clientId, keyId, userId }: Caller): string {
  if (via === 'app') return `app:${clientId}`;
  return via === 'key' ? `key:${keyId}` : `person:${userId}`;
}

/**
 * Returns the name of the calling app or API key, or of the user if a person makes the call. It is stored with a memory
 * (a fact to remember) and shown to people who view the memory.
 */
export async function appName({ caller, accounts, apps, clock }: Context): Promise<string> {
  if (caller.via === 'app') {
    const connections = await apps.listGrants(caller.userId, clock.now());
    return connections.find(({ id }) => id === caller.keyId)?.clientName ?? '';
  }
  if (caller.via !== 'key') return caller.userName;
  return (await accounts.listKeys(caller.userId)).find(({ id }) => id === caller.keyId)?.name ?? '';
}
