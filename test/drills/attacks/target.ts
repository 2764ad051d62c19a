/** The built server as a process of its own, somebody who attacks it, and somebody who works in it meanwhile. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../scripts/sheaf.mjs', import.meta.url));

export interface Key {
  clientId: string;
  apiKey: string;
}

export interface Target {
  url: string;
  pid: number;
  attacker: Key;
  worker: Key;
  stop(): Promise<void>;
}

export const headersOf = (key: Key): Record<string, string> => ({
  'content-type': 'application/json',
  'svc-openapi-clientid': key.clientId,
  'svc-openapi-apikey': key.apiKey,
});

export async function call(target: Pick<Target, 'url'>, path: string, input: unknown, key: Key): Promise<any> {
  const answer = await fetch(`${target.url}/openapi/${path}`, { method: 'POST', headers: headersOf(key), body: JSON.stringify(input) });
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: unknown };
  if (code !== 0) throw new Error(`${path}: ${msg}`);
  return data;
}

export async function startTarget(options: { heapMb?: number } = {}): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-attack-'));
  const child = spawn(process.execPath, [...(options.heapMb ? [`--max-old-space-size=${options.heapMb}`] : []), program, 'serve'], {
    env: { PATH: process.env['PATH'], SHEAF_DATA: folder, SHEAF_PORT: '0', SHEAF_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await ready(child);
  const { client_id: clientId, api_key: apiKey } = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8')) as Record<string, string>;
  const owner = { clientId: clientId!, apiKey: apiKey! };
  const newKey = async (name: string): Promise<Key> => {
    const { user } = await call({ url }, 'account/v1/create_user', { name }, owner);
    const { key, api_key } = await call({ url }, 'account/v1/create_key', { name, user_id: user.user_id }, owner);
    return { clientId: key.client_id, apiKey: api_key };
  };
  return {
    url,
    pid: child.pid!,
    attacker: await newKey('mallory'),
    worker: await newKey('ada'),
    async stop() {
      const gone = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGKILL');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ready(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /^sheaf is ready at (http:\/\/\S+)$/m.exec(output);
      if (found) resolve(found[1]!);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
}
