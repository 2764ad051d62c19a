/**
 * A real PostgreSQL for tests, one for the whole run, started by whoever asks first.
 *
 *   const url = await freshPostgres();   // the address of a new, empty database
 *
 * It is stopped by the global set-up at the end, and stops by itself when the test run is killed.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { access, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { runFolder } from './run-folder.ts';

const launcher = fileURLToPath(new URL('./postgres-server.mjs', import.meta.url));
const startMs = 90_000;
const stopMs = 10_000;

interface Server {
  /** Process of the launcher, which owns the database server. */
  pid: number;
  port: number;
}

let databases = 0;

/** The address of a new, empty database. */
export async function freshPostgres(): Promise<string> {
  const { port } = await server();
  const name = `test_${process.pid}_${++databases}`;
  const client = new pg.Client({ connectionString: address(port, 'postgres') });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  return address(port, name);
}

/** Runs one statement as administrator, for tests that disturb the server. */
export async function postgresAdmin(sql: string, values: unknown[] = []): Promise<unknown[]> {
  const { port } = await server();
  const client = new pg.Client({ connectionString: address(port, 'postgres') });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

export async function stopPostgres(): Promise<void> {
  const running = await readServer();
  if (!running) return;
  try {
    process.kill(running.pid, 'SIGTERM');
  } catch {
    return;
  }
  for (const end = Date.now() + stopMs; Date.now() < end && isAlive(running.pid); ) await sleep(20);
}

async function server(): Promise<Server> {
  const started = await readServer();
  if (started) return started;
  const folder = join(runFolder(), 'postgres');
  // Making the folder is the claim: of all workers exactly one starts the server, the others wait for it.
  const first = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (first) {
    const log = openSync(join(folder, 'log'), 'a');
    spawn(process.execPath, [launcher, folder, String(ownerOfRun())], { detached: true, stdio: ['ignore', log, log] }).unref();
    closeSync(log);
  }
  for (const end = Date.now() + startMs; Date.now() < end; await sleep(50)) {
    const ready = await readServer();
    if (ready) return ready;
    if (await exists(join(folder, 'failed'))) break;
  }
  throw new Error(`PostgreSQL did not start: ${await readFile(join(folder, 'log'), 'utf8').catch(() => 'no log')}`);
}

/** The run ends with the process that made the run's folder: vitest itself when there are workers. */
function ownerOfRun(): number {
  return process.env['VITEST_WORKER_ID'] === undefined ? process.pid : process.ppid;
}

async function readServer(): Promise<Server | undefined> {
  const text = await readFile(join(runFolder(), 'postgres', 'server.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Server);
}

function address(port: number, database: string): string {
  return `postgres://sheaf@127.0.0.1:${port}/${database}`;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
