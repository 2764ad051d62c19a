/**
 * Starts a process that a whole test run shares. A launcher script runs it, with a folder and the id of the main
 * process of vitest as arguments. The launcher writes server.json to the folder when it is ready, and stops on SIGTERM
 * or when vitest ends.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { access, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runFolder } from './run-folder.ts';

const startMs = 90_000;
const stopMs = 10_000;

/**
 * Starts a process that all test workers share, unless it is running, and returns the content of its server.json.
 * `launcher` is a script in the folder of this source file.
 */
export async function startSharedProcess<Server>(
  name: string,
  launcher: string,
  environment: () => Promise<Record<string, string>> = async () => ({}),
): Promise<Server> {
  const started = await running<Server>(name);
  if (started) return started;
  const folder = join(runFolder(), name);
  // Creating the folder is atomic: the one worker that succeeds starts the server, the others wait for it.
  const first = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (first) {
    const script = fileURLToPath(new URL(launcher, import.meta.url));
    // Unset npm_lifecycle_event, which npm and npx set: with it, a server can end together with its parent process, but
    // this server must outlive the worker that starts it.
    const env = { ...process.env, npm_lifecycle_event: undefined, ...(await environment()) };
    const log = openSync(join(folder, 'log'), 'a');
    spawn(process.execPath, [script, folder, String(ownerOfRun())], {
      detached: true,
      stdio: ['ignore', log, log],
      env,
    }).unref();
    closeSync(log);
  }
  for (const end = Date.now() + startMs; Date.now() < end; await sleep(50)) {
    const ready = await running<Server>(name);
    if (ready) return ready;
    if (await exists(join(folder, 'failed'))) break;
  }
  throw new Error(`${name} did not start: ${await readFile(join(folder, 'log'), 'utf8').catch(() => 'no log')}`);
}

export async function stopSharedProcess(name: string): Promise<void> {
  const server = await running<{ pid: number }>(name);
  if (!server) return;
  try {
    process.kill(server.pid, 'SIGTERM');
  } catch {
    return;
  }
  for (const end = Date.now() + stopMs; Date.now() < end && isAlive(server.pid);) await sleep(20);
}

async function running<Server>(name: string): Promise<Server | undefined> {
  const text = await readFile(join(runFolder(), name, 'server.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Server);
}

/** Returns the process id of vitest. In a test worker, this is the parent process. */
function ownerOfRun(): number {
  return process.env['VITEST_WORKER_ID'] === undefined ? process.pid : process.ppid;
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
