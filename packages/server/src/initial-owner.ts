import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createKey, createSignInToken } from './modules/account/keys-and-sessions.ts';
import type { App } from './app.ts';
import { newId } from './lib/ids.ts';
import { systemStamp } from './ports/audit-stamp.ts';
import { ensurePersonalBase } from './modules/wiki/wiki-writes.ts';

export interface InitialOwner {
  credentials: { client_id: string; api_key: string; user_id: string; url: string };
  signInToken: string;
}

/**
 * On an empty installation, creates the owner (the user who administers the installation), an API key and a one-time
 * sign-in link, and writes the key to credentials.json. If an owner exists, only updates the server's URL in that file
 * and returns undefined.
 */
export async function ensureInitialOwner(app: App, url: string): Promise<InitialOwner | undefined> {
  const { accounts, clock } = app.services;
  if (await accounts.ownerExists()) {
    await updateAddress(app, url);
    return undefined;
  }
  const at = clock.now();
  const first = { id: newId('user'), name: 'owner', role: 'owner', passwordHash: null } as const;
  const owner = await accounts
    .createUser(systemStamp(at, 'start.create_owner'), first)
    .catch(async (error: unknown) => {
      // Ignore the error if another node of the installation created the owner at the same time.
      if (await accounts.ownerExists()) return undefined;
      throw error;
    });
  if (!owner) {
    await updateAddress(app, url);
    return undefined;
  }
  const { key, secret } = await createKey(accounts, systemStamp(at, 'start.create_key', owner.id), {
    userId: owner.id,
    name: 'first key',
  });
  await ensurePersonalBase(app.services, owner.id);
  const signInToken = await createSignInToken(
    accounts,
    systemStamp(at, 'start.create_sign_in_link', owner.id),
    owner.id,
  );
  const credentials = { client_id: key.clientId, api_key: secret, user_id: owner.id, url };
  await writeCredentials(app.config.SHEAF_DATA, credentials);
  return { credentials, signInToken };
}

/** Updates the server's URL in credentials.json, from which the command line reads it. */
async function updateAddress(app: App, url: string): Promise<void> {
  const path = join(resolve(app.config.SHEAF_DATA), 'credentials.json');
  try {
    const credentials = JSON.parse(await readFile(path, 'utf8')) as InitialOwner['credentials'];
    if (credentials.url !== url) await writeCredentials(app.config.SHEAF_DATA, { ...credentials, url });
  } catch (error) {
    // Ignore a missing credentials.json, because some users keep the API key elsewhere.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      app.services.log.warn({ err: error }, 'the address in credentials.json could not be updated');
  }
}

async function writeCredentials(dataFolder: string, credentials: InitialOwner['credentials']): Promise<void> {
  const folder = resolve(dataFolder);
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'credentials.json');
  await writeFile(`${path}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await chmod(`${path}.new`, 0o600);
  await rename(`${path}.new`, path);
}
