/** A separate PostgreSQL server for one test, which can stop and restart it. */
import { spawn } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './temporary-folder.ts';

const script = fileURLToPath(new URL('./postgres-server.mjs', import.meta.url));

export interface DedicatedPostgres {
  url: string;
  data: string;
  goAway(): Promise<void>;
  /** Stops the server without shutdown, like a power failure. */
  crash(): Promise<void>;
  comeBack(): Promise<void>;
  end(): Promise<void>;
}

/** Starts a standby that replicates from the primary. The primary is stopped briefly while its data is copied. */
export async function startStandby(primary: DedicatedPostgres): Promise<DedicatedPostgres> {
  await primary.goAway();
  const standby = await startDedicatedPostgres({
    SHEAF_TEST_STANDBY_OF: primary.data,
    SHEAF_TEST_PRIMARY_PORT: new URL(primary.url).port,
  });
  await primary.comeBack();
  return standby;
}

export async function startDedicatedPostgres(env: Record<string, string> = {}): Promise<DedicatedPostgres> {
  const folder = await temporaryFolder();
  const child = spawn(process.execPath, [script, folder, String(process.pid)], {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { ...process.env, ...env },
  });
  const told = join(folder, 'server.json');
  const isThere = (): Promise<boolean> =>
    access(told).then(
      () => true,
      () => false,
    );
  const until = async (wanted: boolean): Promise<void> => {
    for (const end = Date.now() + 90_000; (await isThere()) !== wanted; await sleep(50)) {
      if (Date.now() > end || child.exitCode !== null)
        throw new Error(`PostgreSQL did not ${wanted ? 'start' : 'stop'}`);
    }
  };
  await until(true);
  const { port } = JSON.parse(await readFile(told, 'utf8')) as { port: number };
  const signal = async (name: NodeJS.Signals, isThereThen: boolean): Promise<void> => {
    child.kill(name);
    await until(isThereThen);
  };
  return {
    url: `postgres://sheaf@127.0.0.1:${port}/postgres`,
    data: join(folder, 'data'),
    goAway: () => signal('SIGUSR2', false),
    crash: () => signal('SIGHUP', false),
    comeBack: () => signal('SIGUSR2', true),
    end: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        if (child.exitCode !== null) resolve();
        child.kill('SIGTERM');
      }),
  };
}
