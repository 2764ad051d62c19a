import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { measureHttpLoad } from '../measure/http-load.ts';

export interface Running {
  url: string;
  pid: number;
  headers: Record<string, string>;
  stop(): Promise<void>;
}

function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /ready at (\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.on('exit', (code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
}

/** Kills the server if the benchmark exits early. */
function endWithUs(child: ChildProcess): void {
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  await rm(folder, { recursive: true, force: true });
}

/** Starts the server directly from dist/; the setup step would count as its memory. */
export async function startSheaf(command?: readonly string[], tree: string = process.cwd()): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const start = join(folder, 'start.mjs');
  await writeFile(
    start,
    `const { main } = await import(${JSON.stringify(pathToFileURL(join(tree, 'dist', 'main.js')).href)});\nawait main(['serve']);\n`,
  );
  const child = spawn(process.execPath, command ? [...command] : [start], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      SHEAF_DATA: folder,
      SHEAF_PORT: '0',
      SHEAF_RATE_LIMIT: '0',
      SHEAF_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithUs(child);
  const url = await ready(child);
  const { client_id, api_key } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as {
    client_id: string;
    api_key: string;
  };
  return {
    url,
    pid: child.pid!,
    headers: { 'content-type': 'application/json', 'svc-openapi-clientid': client_id, 'svc-openapi-apikey': api_key },
    stop: () => stop(child, folder),
  };
}

/** Starts a bare fastify server with the same response. */
export async function startBare(): Promise<Running> {
  const folder = await mkdtemp(join(process.cwd(), 'node_modules', '.bare-'));
  const file = join(folder, 'bare.mjs');
  await writeFile(
    file,
    `import { fastify } from 'fastify';
const app = fastify();
app.post('/write', async (request) => ({ code: 0, msg: 'success', data: request.body.file_id ? {} : {} }));
await app.listen({ port: 0, host: '127.0.0.1' });
console.log('ready at http://127.0.0.1:' + app.server.address().port);`,
  );
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  endWithUs(child);
  return {
    url: await ready(child),
    pid: child.pid!,
    headers: { 'content-type': 'application/json' },
    stop: () => stop(child, folder),
  };
}

export async function call(server: Running, path: string, body: string): Promise<string> {
  const response = await fetch(server.url + path, { method: 'POST', headers: server.headers, body });
  const text = await response.text();
  if (!text.startsWith('{"code":0,')) throw new Error(`${path}: ${text.slice(0, 300)}`);
  return text;
}

export async function dataOf(server: Running, path: string, input: unknown): Promise<Record<string, unknown>> {
  return (JSON.parse(await call(server, path, JSON.stringify(input))) as { data: Record<string, unknown> }).data;
}

export async function newFile(server: Running, title: string): Promise<{ file_id: string; sheet_id: string }> {
  return (await dataOf(server, '/openapi/manage/v1/create_file', { title })) as { file_id: string; sheet_id: string };
}

const ticksPerSecond = 100;

/** Returns the processor time of all threads of a process. */
export async function cpuSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

export async function peakMegabytes(pid: number): Promise<number> {
  return Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

export interface Cost {
  /** Median wall time in milliseconds. */
  clock: number;
  /** Mean processor time in milliseconds, which does not depend on other load. */
  cpu: number;
}

const warmUps = 5;

/** Measures the cost of work: in the server's process if `pid` is given, else in this process. */
export async function cost(rounds: number, work: () => unknown, pid?: number): Promise<Cost> {
  const spent = async (): Promise<number> => {
    if (pid !== undefined) return (await cpuSeconds(pid)) * 1000;
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const times: number[] = [];
  let before = 0;
  for (let i = -warmUps; i < rounds; i++) {
    if (i === 0) before = await spent();
    const start = performance.now();
    await work();
    if (i >= 0) times.push(performance.now() - start);
  }
  return { clock: times.sort((a, b) => a - b)[rounds >> 1]!, cpu: ((await spent()) - before) / rounds };
}

export interface Rate {
  /** Requests per second of wall time. */
  clock: number;
  /** Requests per second of the server's processor time. */
  cpu: number;
}

/**
 * Sends a fixed number of requests instead of running for a fixed time: on a busy machine a second may not be enough to
 * compile hot code.
 */
export async function rate(
  server: Running,
  path: string,
  body: string,
  connections: number,
  amount: number,
): Promise<Rate> {
  const options = { url: server.url + path, headers: server.headers, body, connections };
  await measureHttpLoad({ ...options, amount: Math.ceil(amount / 2) });
  const before = await cpuSeconds(server.pid);
  const seconds = await measureHttpLoad({ ...options, amount });
  const used = (await cpuSeconds(server.pid)) - before;
  return { clock: amount / seconds, cpu: amount / used };
}
