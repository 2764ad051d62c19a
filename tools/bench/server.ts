import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureHttpLoad } from './measure/http-load.ts';
import { startPostgres, type BenchPostgres } from './measure/durable-postgres.ts';
import { report } from './measure/report.ts';
import { serveOnSlowDisk } from './measure/slow-disk-server.ts';

/**
 * Measures the overhead of a call, as ratios to a bare fastify route in the same run: reads, durable writes by 64 callers,
 * and durable writes with 5 ms of extra delay per disk sync. Both servers get the same requests, parse them and answer with
 * the same bytes. They alternate, so that machine load affects both equally.
 *
 * `npm run bench -- server postgres` starts a PostgreSQL for the run; its processor time counts as the server's. Its syncs
 * are not slowed.
 *
 * The write is account.create_key, a small one: a row with three indexes, an audit row, two ids, a secret and its hash.
 */
const connections = 64;
/** Forty thousand warm-up requests, so that the code is compiled as in a long-running server. */
const warmUpRuns = 4;
/** Many short runs, so that a slow phase of the machine affects both servers. */
const runs = 10;
const requestsPerRun = 10_000;
/** Fewer requests, because a write takes longer on PostgreSQL. */
const requestsPerRunOnPostgres = 2000;

interface Running {
  url: string;
  pid: number;
  /** Processor time of the database, if it is a separate process. */
  databaseCpuSeconds?: () => Promise<number>;
  headers: Record<string, string>;
  stop(): Promise<void>;
}

async function startSheaf(
  command: readonly string[] = ['tools/sheaf.mjs', 'serve'],
  postgres?: BenchPostgres,
): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const child = spawn(process.execPath, [...command], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      SHEAF_DATA: folder,
      SHEAF_PORT: '0',
      SHEAF_RATE_LIMIT: '0',
      SHEAF_LOG_LEVEL: 'warn',
      ...(postgres && { SHEAF_DATABASE_URL: postgres.url }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await firstLine(child, /ready at (\S+)/);
  const { client_id, api_key } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as {
    client_id: string;
    api_key: string;
  };
  return {
    url,
    pid: child.pid!,
    databaseCpuSeconds: postgres?.cpuSeconds,
    headers: { 'content-type': 'application/json', 'svc-openapi-clientid': client_id, 'svc-openapi-apikey': api_key },
    stop: async () => {
      await end(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a bare fastify server with the same responses. */
async function startBare(headers: Record<string, string>): Promise<Running> {
  const folder = await mkdtemp(join(process.cwd(), 'node_modules', '.bare-'));
  const file = join(folder, 'bare.mjs');
  await writeFile(
    file,
    `import { fastify } from 'fastify';
const app = fastify();
const id = (prefix) => prefix + '_000000000000000000000000';
const me = { user_id: id('user'), name: 'owner', role: 'owner', client_id: id('client'), scopes: { modules: ['*'], access: 'write' } };
app.post('/read', async () => ({ code: 0, msg: 'success', data: me }));
app.post('/write', async (request) => {
  const key = {
    key_id: id('key'), client_id: id('client'), name: request.body.name, modules: ['*'], access: 'write',
    create_time: Date.now(), expire_time: 0, last_used_time: 0, revoked: false,
  };
  return { code: 0, msg: 'success', data: { key, api_key: 'sk_' + '0'.repeat(52) } };
});
await app.listen({ port: 0, host: '127.0.0.1' });
console.log('ready at http://127.0.0.1:' + app.server.address().port);`,
  );
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await firstLine(child, /ready at (\S+)/);
  return {
    url,
    pid: child.pid!,
    headers,
    stop: async () => {
      await end(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function firstLine(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = pattern.exec(text);
      if (found) resolve(found[1]!);
    });
    child.on('exit', (code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

interface Rate {
  /** Requests per second of wall time. */
  wall: number;
  /** Requests per second of the server's processor time, which does not depend on other load. */
  cpu: number;
}

interface Target {
  server: Running;
  path: string;
  body: unknown;
  callers?: number;
}

/** Alternates the targets; only the runs after warm-up count. */
async function rates(inTurn: number, ...targets: Target[]): Promise<Rate[]> {
  const sums = targets.map(() => ({ requests: 0, seconds: 0, cpu: 0 }));
  for (let turn = 0; turn < warmUpRuns + runs; turn++) {
    for (const [index, { server, path, body, callers = connections }] of targets.entries()) {
      const before = await cpuSeconds(server);
      const amount = Math.ceil((inTurn * callers) / connections);
      const seconds = await measureHttpLoad({
        url: server.url + path,
        headers: server.headers,
        body: JSON.stringify(body),
        connections: callers,
        amount,
      });
      if (turn < warmUpRuns) continue;
      const sum = sums[index]!;
      sum.requests += amount;
      sum.seconds += seconds;
      sum.cpu += (await cpuSeconds(server)) - before;
    }
  }
  return sums.map(({ requests, seconds, cpu }) => ({ wall: requests / seconds, cpu: requests / cpu }));
}

const ticksPerSecond = 100;

async function cpuSeconds({ pid, databaseCpuSeconds }: Running): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond + ((await databaseCpuSeconds?.()) ?? 0);
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
}

const key = { name: 'bench' };

export async function run(args: readonly string[]): Promise<void> {
  if (args[0] === 'slow-disk') return serveOnSlowDisk();
  if (args[0] !== 'postgres') return measure();
  const postgres = await startPostgres();
  try {
    await measure(postgres);
  } finally {
    await postgres.stop();
  }
}

async function measure(postgres?: BenchPostgres): Promise<void> {
  const inTurn = postgres ? requestsPerRunOnPostgres : requestsPerRun;
  const sheaf = await startSheaf(undefined, postgres);
  await new Promise((resolve) => setTimeout(resolve, 5000));
  const idle = await memoryOf(sheaf.pid);
  const bare = await startBare(sheaf.headers);
  const account = '/openapi/account/v1';
  const [bareRead, read] = (await rates(
    inTurn,
    { server: bare, path: '/read', body: {} },
    { server: sheaf, path: `${account}/get_me`, body: {} },
  )) as [Rate, Rate];
  const [bareWrite, write] = (await rates(
    inTurn,
    { server: bare, path: '/write', body: key },
    { server: sheaf, path: `${account}/create_key`, body: key },
  )) as [Rate, Rate];
  await bare.stop();
  if (!postgres) await sheaf.stop();

  const slowed = postgres ? sheaf : await startSheaf(['tools/bench.mjs', 'server', 'slow-disk']);
  const slow: Target = { server: slowed, path: `${account}/create_key`, body: key };
  const [one, many] = (await rates(inTurn, { ...slow, callers: 1 }, slow)) as [Rate, Rate];
  await slowed.stop();

  const n = (value: number) => `${Math.round(value)}/s`;
  const ratio = (what: string, ours: Rate, theirs: Rate, goal: number) => ({
    what,
    value: `${(ours.cpu / theirs.cpu).toFixed(2)} by CPU time, ${(ours.wall / theirs.wall).toFixed(2)} by the clock (${n(ours.wall)})`,
    goal: `>= ${goal}`,
    met: ours.cpu / theirs.cpu >= goal,
  });
  report(`server${postgres ? ' on PostgreSQL' : ''}, ratios to a bare fastify route in the same run`, [
    {
      what: 'bare fastify: read, write',
      value: `${n(bareRead.wall)}, ${n(bareWrite.wall)}; for a second of its processor time ${n(bareRead.cpu)}, ${n(bareWrite.cpu)}`,
    },
    ratio('read operation (get_me), 64 callers', read, bareRead, 0.6),
    ratio('durable write (create_key), 64 callers', write, bareWrite, 0.5),
    {
      what: `${postgres ? 'the same' : 'syncs slowed by 5 ms'}: 64 callers over one`,
      value: `${(many.wall / one.wall).toFixed(1)} (${n(many.wall)} over ${n(one.wall)})`,
      goal: '>= 8',
      met: many.wall / one.wall >= 8,
    },
    { what: 'idle memory', value: `${idle.toFixed(0)} MB`, goal: '< 120 MB', met: idle < 120 },
  ]);
}
