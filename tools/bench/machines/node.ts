import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

/** Runs the built server in a separate process over a data folder, and calls it. */
export interface Key {
  client_id: string;
  api_key: string;
}

export interface Node {
  url: string;
  pid: number;
  /** Key of the first account, if this node created it; otherwise another node did. */
  owner: Key;
  stop(): Promise<void>;
}

export async function startNode(folder: string, databaseUrl?: string): Promise<Node> {
  const child = spawn(process.execPath, ['tools/sheaf.mjs', 'serve'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      SHEAF_DATA: folder,
      SHEAF_PORT: '0',
      SHEAF_RATE_LIMIT: '0',
      SHEAF_LOG_LEVEL: 'error',
      ...(databaseUrl !== undefined && { SHEAF_DATABASE_URL: databaseUrl }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await readyAt(child);
  const text = await readFile(join(folder, 'credentials.json'), 'utf8').catch(() => '{}');
  return {
    url,
    pid: child.pid!,
    owner: JSON.parse(text) as Key,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function readyAt(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /ready at (\S+)/.exec(text);
      if (found) resolve(found[1]!);
    });
    child.on('exit', (code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
}

/** Shared by all calls of a run, and closed at its end. */
export const agent = new Agent({ keepAlive: true, maxSockets: 128 });

export interface Answer {
  code: number;
  data: Record<string, never>;
}

export function call(node: Node, key: Key, path: string, body: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${node.url}/openapi/${path}`,
      {
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          'svc-openapi-clientid': key.client_id,
          'svc-openapi-apikey': key.api_key,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString()) as Answer));
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

/** Creates another account with a key, as the owner. */
export async function newAccount(node: Node, name: string): Promise<Key & { user_id: string }> {
  const user = await call(node, node.owner, 'account/v1/create_user', { name });
  const { user_id } = user.data['user'] as unknown as { user_id: string };
  const made = await call(node, node.owner, 'account/v1/create_key', { name: 'bench', user_id });
  const { client_id } = made.data['key'] as unknown as Key;
  return { user_id, client_id, api_key: made.data['api_key'] as unknown as string };
}
