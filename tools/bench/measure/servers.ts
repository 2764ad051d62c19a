import { spawn } from 'node:child_process';
import { existsSync, fdatasync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { call, createClient, type CallOptions, type Client } from '@sheaf/client';
import { createApp, type App } from '@sheaf/server/app.ts';
import { readConfig } from '@sheaf/server/config.ts';
import { ensureInitialOwner } from '@sheaf/server/initial-owner.ts';
import { createHttpServer } from '@sheaf/server/transports/http/server.ts';
import type { Key } from '../../testing/call-client.ts';
import { ownerKey, startNode } from '../../testing/node-process.ts';
import { root } from './figures.ts';

export type { Key };

/** A server in a separate process, so that its processor time does not include the caller's work. */
export interface Running {
  url: string;
  pid: number;
  folder: string;
  /** API key of the server's first account. Empty if another server on the same database created the account. */
  owner: Key;
  client: Client;
  /** Calls an operation with the owner's key, or with another key from the options. Throws on an error response. */
  ask(module: string, operation: string, input: object, options?: AskOptions): Promise<Record<string, unknown>>;
  /** Returns the processor seconds of the server, plus those of the database if it is a separate process. */
  cpuSeconds(): Promise<number>;
  metric(name: string): Promise<number>;
  /** Returns the resident memory in MiB; `VmHWM` selects its peak. */
  memory(field?: 'VmRSS' | 'VmHWM'): Promise<number>;
  stop(): Promise<void>;
}

interface AskOptions extends CallOptions {
  as?: Key;
}

interface ServerOptions {
  /** Data folder to use and keep. Without it, a temporary folder is used and deleted. */
  folder?: string;
  postgres?: BenchPostgres | undefined;
  /**
   * Root folder of another built checkout whose server is started. By default, the server of this checkout is started.
   */
  checkout?: string;
  /** Arguments for node that start another program instead of the built server. */
  command?: readonly string[];
}

/**
 * Starts the built server on a free port. Runs dist/ directly instead of the start script, whose memory would be
 * counted too.
 */
export async function startServer({
  folder: kept,
  postgres,
  checkout = root,
  command,
}: ServerOptions = {}): Promise<Running> {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'sheaf-bench-')));
  const environment = { ...process.env, ...settings(folder, postgres?.url), NODE_ENV: 'production' };
  const node = await startNode({ folder, env: environment, checkout, command });
  const pid = node.child.pid!;
  // Kill the server if the benchmark exits without stopping it.
  const kill = (): void => void node.child.kill('SIGKILL');
  process.once('exit', kill);
  const owner = await ownerKey(folder).catch(() => ({ userId: '', clientId: '', apiKey: '' }));
  return {
    url: node.url,
    pid,
    folder,
    owner,
    client: createClient({ url: node.url, ...owner }),
    async ask(module, operation, input, { as = owner, ...options } = {}) {
      const { code, msg, data } = await call({ url: node.url, ...as }, module, operation, input, options);
      if (code !== 0) throw new Error(`${operation}: ${code} ${msg}`);
      return data;
    },
    cpuSeconds: async () => (await cpuSeconds(pid)) + ((await postgres?.cpuSeconds()) ?? 0),
    async metric(name) {
      const text = await (await fetch(`${node.url}/metrics`)).text();
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
    },
    async memory(field = 'VmRSS') {
      return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
    },
    async stop() {
      process.removeListener('exit', kill);
      await node.stop();
      if (kept === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

function settings(folder: string, databaseUrl = process.env['SHEAF_DATABASE_URL']): Record<string, string> {
  return {
    SHEAF_DATA: folder,
    SHEAF_PORT: '0',
    SHEAF_RATE_LIMIT: '0',
    SHEAF_LOG_LEVEL: 'error',
    SHEAF_QUOTA_BYTES: String(2 ** 40),
    ...(databaseUrl === undefined ? {} : { SHEAF_DATABASE_URL: databaseUrl }),
  };
}

/**
 * Returns command-line arguments for node. A process started with them calls an exported function of the bundled
 * benchmarks.
 */
export function callExported(name: string, argument?: unknown): string[] {
  const script = `import(${JSON.stringify(import.meta.url)}).then((bench) => bench.${name}(${JSON.stringify(argument)}))`;
  // Do not mark the script as a module with --input-type: worker threads would inherit this option and reject it.
  return ['--eval', script];
}

/** Starts the server with a simulated slow disk: each disk sync takes 5 ms longer. Called in a child process. */
export async function serveOnSlowDisk(): Promise<void> {
  const sync = async (walFd: number): Promise<void> => {
    await promisify(fdatasync)(walFd);
    await sleep(5);
  };
  const app = await createApp(readConfig(process.env), { sqlite: { sync } });
  const http = createHttpServer(app);
  const url = await http.listen();
  await ensureInitialOwner(app, url);
  process.once('SIGTERM', async () => {
    await http.close();
    await app.close();
    process.exit(0);
  });
  process.stdout.write(`sheaf is ready at ${url}\n`);
}

/** Starts a minimal fastify server as the baseline of a comparison. `routes` is code that adds routes to `app`. */
export function startBare(routes: string, postgres?: BenchPostgres): Promise<Running> {
  const script = `import { fastify } from 'fastify';
const app = fastify();
${routes}
await app.listen({ port: 0, host: '127.0.0.1' });
console.log('sheaf is ready at http://127.0.0.1:' + app.server.address().port);`;
  return startServer({ postgres, command: ['--input-type=module', '--eval', script] });
}

/**
 * Opens the data of a stopped server in this process and passes the application to `work`, which can write faster than
 * through the HTTP API. Then waits until everything is indexed for search, and closes the application.
 */
export async function withStores(
  { folder, url }: { folder: string; url?: string | undefined },
  work: (app: App) => Promise<void>,
): Promise<void> {
  const app = await createApp(readConfig(settings(folder, url)));
  try {
    await work(app);
    await app.services.searchFeed.waitUntilDrained();
  } finally {
    await app.close();
  }
}

export interface BenchPostgres {
  url: string;
  cpuSeconds(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the PostgreSQL server that the tests use, but with fsync enabled, because durable writes are measured. */
export async function startPostgres(): Promise<BenchPostgres> {
  const outer = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const folder = join(outer, 'postgres');
  await mkdir(folder);
  const script = join(root, 'tools', 'testing', 'postgres-server.mjs');
  const child = spawn(process.execPath, [script, folder, String(process.pid), 'durable'], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await rm(outer, { recursive: true, force: true });
  };
  const told = join(folder, 'server.json');
  for (const end = Date.now() + 60_000; !existsSync(told); await sleep(50)) {
    if (Date.now() < end && child.exitCode === null) continue;
    await stop();
    throw new Error('PostgreSQL did not start; npm test says why');
  }
  const { port } = JSON.parse(await readFile(told, 'utf8')) as { port: number };
  return { url: `postgres://sheaf@127.0.0.1:${port}/postgres`, cpuSeconds: () => cpuSeconds(child.pid!), stop };
}

/** Runs `work` with a new PostgreSQL server if `isWanted`, otherwise without one. */
export async function onPostgres<Result>(
  isWanted: boolean,
  work: (postgres?: BenchPostgres) => Promise<Result>,
): Promise<Result> {
  const postgres = isWanted ? await startPostgres() : undefined;
  try {
    return await work(postgres);
  } finally {
    await postgres?.stop();
  }
}

const ticksPerSecond = 100;

/**
 * Returns the processor time of a process's living threads in milliseconds. This is more precise than `cpuSeconds`,
 * which has a resolution of 10 ms, and unlike a request for the server's metrics it causes no work in the server.
 */
export function threadsCpuMs(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).reduce((sum, id) => sum + Number(readThreadStat(join(tasks, id)).split(' ')[0]) / 1e6, 0);
}

/** Returns `0` for a thread that has just ended. */
function readThreadStat(folder: string): string {
  try {
    return readFileSync(join(folder, 'schedstat'), 'utf8');
  } catch {
    return '0';
  }
}

/**
 * Returns the processor seconds of a process and its descendants, including terminated ones; NaN on systems without
 * /proc.
 */
async function cpuSeconds(pid: number): Promise<number> {
  if (process.platform !== 'linux') return Number.NaN;
  const parents = new Map<number, number>();
  const ticks = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // Skip a process that has ended since it was listed.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [, parent, , , , , , , , , , ...used] = stat
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    parents.set(Number(name), parent ?? 0);
    ticks.set(
      Number(name),
      used.slice(0, 4).reduce((sum, one) => sum + one, 0),
    );
  }
  const isOf = (id: number | undefined): boolean => id === pid || (id !== undefined && id > 1 && isOf(parents.get(id)));
  return [...ticks].reduce((sum, [id, used]) => (isOf(id) ? sum + used : sum), 0) / ticksPerSecond;
}

/** Makes `amount` calls with `callers` in parallel. Returns the seconds from the first call to the last response. */
export async function callAll(
  callers: number,
  amount: number,
  send: (caller: number, n: number) => Promise<unknown>,
): Promise<number> {
  const started = performance.now();
  let next = 0;
  const work = async (_: unknown, caller: number): Promise<void> => {
    while (next < amount) await send(caller, next++);
  };
  await Promise.all(Array.from({ length: callers }, work));
  return (performance.now() - started) / 1000;
}

export interface Rate {
  /** Requests per second of wall time. */
  clock: number;
  /** Requests per second of the server's processor time; independent of other machine load. */
  cpu: number;
}

interface Load {
  server: Running;
  path: string;
  body: object;
  connections: number;
  amount: number;
}

/**
 * Sends POST requests with the load generator autocannon. Returns the seconds from the first request to the last
 * response. Throws if a request fails.
 */
export async function sendLoad({ server, path, body, connections, amount }: Load): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'svc-openapi-clientid': server.owner.clientId,
    'svc-openapi-apikey': server.owner.apiKey,
  };
  const start = performance.now();
  let end = start;
  const options = { url: server.url + path, method: 'POST' as const, headers, connections, amount };
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon({ ...options, body: JSON.stringify(body) }, (error, done) =>
      error ? reject(error as Error) : resolve(done),
    );
    // autocannon ends up to a second after the last response, so record the time of that response.
    running.on('response', () => {
      end = performance.now();
    });
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${options.url}: ${result.non2xx} refused, ${result.errors} errors`);
  return (end - start) / 1000;
}

/**
 * Measures several loads in alternating runs, so that machine load affects all equally. The first `warmUp` runs are not
 * counted.
 */
export async function rates(
  loads: readonly Load[],
  { warmUp, runs }: { warmUp: number; runs: number },
): Promise<Rate[]> {
  const sums = loads.map(() => ({ requests: 0, seconds: 0, cpu: 0 }));
  for (let run = -warmUp; run < runs; run++) {
    for (const [index, load] of loads.entries()) {
      const before = await load.server.cpuSeconds();
      const seconds = await sendLoad(load);
      if (run < 0) continue;
      const sum = sums[index]!;
      sum.requests += load.amount;
      sum.seconds += seconds;
      sum.cpu += (await load.server.cpuSeconds()) - before;
    }
  }
  return sums.map(({ requests, seconds, cpu }) => ({ clock: requests / seconds, cpu: requests / cpu }));
}
