import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ClientOptions } from '@sheaf/client';
import { CommandError } from './command-error.ts';

interface StoredCredentials {
  url?: string;
  client_id?: string;
  api_key?: string;
}

/**
 * Finds the server's URL, client id and API key for the command line. Reads SHEAF_URL, SHEAF_CLIENT_ID and
 * SHEAF_API_KEY. Without SHEAF_API_KEY, reads ~/.config/sheaf/credentials.json or, if that is missing, credentials.json
 * in the data folder, which the server writes at its first start.
 */
export async function findCredentials(env: NodeJS.ProcessEnv): Promise<ClientOptions> {
  const found = await findServerAndKey(env);
  if (!found.clientId) throw new CommandError('no client id: set SHEAF_CLIENT_ID beside SHEAF_API_KEY');
  return found;
}

/**
 * Finds the server's URL and an API key in the same places as `findCredentials`. Throws if there is no key, but does
 * not require a client id, because MCP does not need one.
 */
export async function findServerAndKey(env: NodeJS.ProcessEnv): Promise<ClientOptions> {
  const places = [
    join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'sheaf', 'credentials.json'),
    join(resolve(env['SHEAF_DATA'] ?? './data'), 'credentials.json'),
  ];
  let stored: StoredCredentials = {};
  if (!env['SHEAF_API_KEY']) {
    for (const place of places) {
      const found = await readStoredCredentials(place);
      if (found) {
        stored = found;
        break;
      }
    }
  }
  const url = env['SHEAF_URL'] || stored.url || 'http://127.0.0.1:8787';
  const apiKey = env['SHEAF_API_KEY'] || stored.api_key;
  const clientId = env['SHEAF_API_KEY'] ? env['SHEAF_CLIENT_ID'] : stored.client_id;
  if (!apiKey)
    throw new CommandError(`no API key: set SHEAF_API_KEY and SHEAF_CLIENT_ID, or put them into ${places[0]!}`);
  return { url, apiKey, clientId };
}

async function readStoredCredentials(path: string): Promise<StoredCredentials | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError(`${path}: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text) as StoredCredentials;
  } catch (error) {
    throw new CommandError(`${path}: is not JSON (${(error as Error).message})`);
  }
}
