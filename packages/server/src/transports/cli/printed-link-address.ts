import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { App } from '../../app.ts';
import { toConnectableUrl } from '../../lib/public-url.ts';

/**
 * Returns the server address for links that a command prints: the configured address (SHEAF_PUBLIC_URL or SHEAF_PORT),
 * otherwise the address in credentials.json, which the server updates at each start. Without that file, it is the
 * default address.
 */
export async function findPrintedLinkAddress(app: App, env: NodeJS.ProcessEnv): Promise<string> {
  const { SHEAF_PUBLIC_URL: publicUrl, SHEAF_PORT: port, SHEAF_DATA: folder } = app.config;
  const isPortGiven = Boolean(env['SHEAF_PORT']) && port !== 0;
  if (publicUrl !== undefined || isPortGiven) return app.publicUrl.url;
  return (await readCredentialsAddress(resolve(folder))) ?? app.publicUrl.url;
}

/**
 * Reads the server's URL from credentials.json. Returns undefined if the file is missing or invalid, because users may
 * move or edit it.
 */
async function readCredentialsAddress(folder: string): Promise<string | undefined> {
  try {
    const { url } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as { url?: unknown };
    return typeof url === 'string' && url !== '' ? toConnectableUrl(url.replace(/\/+$/, '')) : undefined;
  } catch (_error) {
    return undefined;
  }
}
