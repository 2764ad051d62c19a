import { spawn } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { createApp } from '@sheaf/server/app.ts';
import { call } from '@sheaf/client';
import { readConfig } from '@sheaf/server/config.ts';
import { ensureInitialOwner, type InitialOwner } from '@sheaf/server/initial-owner.ts';
import { createHttpServer } from '@sheaf/server/transports/http/server.ts';

/** A server in a separate process over a data folder, so that the caller's work is not counted. */
export interface Server {
  ask(operation: string, input: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Processor seconds of the server with all threads and parser processes; NaN if the platform does not report them. */
  cpuSeconds(): Promise<number>;
  stop(): Promise<void>;
}

export type Credentials = InitialOwner['credentials'];

export function settings(folder: string): Record<string, string | undefined> {
  return {
    SHEAF_DATA: folder,
    SHEAF_PORT: '0',
    SHEAF_RATE_LIMIT: '0',
    SHEAF_LOG_LEVEL: 'error',
    SHEAF_QUOTA_BYTES: String(2 ** 40),
    SHEAF_DATABASE_URL: process.env['SHEAF_DATABASE_URL'],
  };
}

/** Entry point of the server process. */
export async function serve(folder: string): Promise<void> {
  const app = await createApp(readConfig(settings(folder)));
  const http = createHttpServer(app);
  const url = await http.listen();
  process.on(
    'SIGTERM',
    () =>
      void http
        .close()
        .then(() => app.close())
        .then(() => process.exit(0)),
  );
  process.stdout.write(`ready at ${url}\n`);
}

/** Creates the first account in a new folder. */
export async function prepare(folder: string): Promise<Credentials> {
  const app = await createApp(readConfig(settings(folder)));
  const made = await ensureInitialOwner(app, 'http://127.0.0.1');
  await app.close();
  if (!made) throw new Error('the database is not empty');
  return made.credentials;
}

/** Starts the server process; `bundle` is the URL of the benchmark's module, which exports `serve`. */
export async function startServer(bundle: string, folder: string, credentials: Credentials): Promise<Server> {
  const script = `import(${JSON.stringify(bundle)}).then((bench) => bench.serve(${JSON.stringify(folder)}))`;
  const child = spawn(process.execPath, ['--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /ready at (\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with code ${code}`)));
  });
  const client = { url, clientId: credentials.client_id, apiKey: credentials.api_key };
  return {
    async ask(operation, input) {
      const answer = await call(client, 'wiki', operation, input);
      if (answer.code !== 0) throw new Error(`${operation}: ${answer.code} ${answer.msg}`);
      return answer.data;
    },
    cpuSeconds: () => cpuOfTree(child.pid!),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const ticksPerSecond = 100;

/** Returns the processor seconds of a process and its descendants; with `withEnded` also of descendants that have ended. */
export async function cpuOfTree(pid: number, withEnded = false): Promise<number> {
  if (process.platform !== 'linux') return Number.NaN;
  let ticks = 0;
  const parents = new Map<number, number>();
  const own = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // A process may end between listing and reading.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const fields = stat.replace(/^.*\) /s, '').split(' ');
    parents.set(Number(name), Number(fields[1]));
    own.set(
      Number(name),
      Number(fields[11]) + Number(fields[12]) + (withEnded ? Number(fields[13]) + Number(fields[14]) : 0),
    );
  }
  for (const [id, used] of own) {
    for (let up: number | undefined = id; up !== undefined && up > 1; up = parents.get(up)) {
      if (up !== pid) continue;
      ticks += used;
      break;
    }
  }
  return ticks / ticksPerSecond;
}
