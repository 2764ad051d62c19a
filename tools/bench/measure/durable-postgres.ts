import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuOfTree } from '../wiki/server.ts';

export interface BenchPostgres {
  url: string;
  /** Processor seconds of all its processes, including those that have ended. */
  cpuSeconds(): Promise<number>;
  stop(): Promise<void>;
}

const longestStartMs = 60_000;

/**
 * Starts the PostgreSQL of the tests in a temporary folder, but with fsync on, because durable writes are part of the
 * measurement.
 */
export async function startPostgres(): Promise<BenchPostgres> {
  const outer = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const folder = join(outer, 'postgres');
  await mkdir(folder);
  const child = spawn(
    process.execPath,
    [join('tools', 'testing', 'postgres-server.mjs'), folder, String(process.pid), 'durable'],
    { stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await rm(outer, { recursive: true, force: true });
  };
  const until = Date.now() + longestStartMs;
  while (!existsSync(join(folder, 'server.json'))) {
    if (Date.now() > until || child.exitCode !== null) {
      await stop();
      throw new Error('PostgreSQL did not start; npm test says why');
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { port } = JSON.parse(await readFile(join(folder, 'server.json'), 'utf8')) as { port: number };
  return { url: `postgres://sheaf@127.0.0.1:${port}/postgres`, cpuSeconds: () => cpuOfTree(child.pid!, true), stop };
}
