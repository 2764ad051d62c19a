import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Client } from '@sheaf/client';

export interface Running {
  readonly url: string;
  readonly client: Client;
  signInLink(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the built product on a free port, with an empty data folder. */
export async function startSheaf(): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const child = spawn(process.execPath, ['tools/sheaf.mjs', 'serve'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      SHEAF_DATA: folder,
      SHEAF_HOST: '127.0.0.1',
      SHEAF_PORT: '0',
      SHEAF_RATE_LIMIT: '0',
      SHEAF_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /ready at (\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
  });
  const { client_id: clientId, api_key: apiKey } = JSON.parse(
    await readFile(join(folder, 'credentials.json'), 'utf8'),
  ) as { client_id: string; api_key: string };
  const client = createClient({ url, clientId, apiKey });
  return {
    url,
    client,
    signInLink: async () => url + (await client.account.create_sign_in_link({})).sign_in_path,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
