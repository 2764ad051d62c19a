/**
 * Starts PgBouncer in transaction mode. Tests use it instead of the simulated connection pooler of connection-pooler.ts
 * if SHEAF_TEST_PGBOUNCER contains the path of the program.
 */
import { spawn } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pooler } from './connection-pooler.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

const longestStartMs = 20_000;

export async function startPgBouncer(program: string, url: string, connections: number): Promise<Pooler> {
  const target = new URL(url);
  const port = await freePort();
  const folder = await temporaryFolder();
  const users = join(folder, 'users.txt');
  const settings = join(folder, 'pgbouncer.ini');
  await writeFile(users, `"${target.username}" ""\n`);
  await writeFile(
    settings,
    [
      '[databases]',
      `* = host=${target.hostname} port=${target.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      `default_pool_size = ${connections}`,
      'max_client_conn = 200',
      '',
    ].join('\n'),
  );
  // If PgBouncer is started as root, it switches to another user, who needs access to its files.
  await chmod(dirname(folder), 0o711);
  await chmod(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  const child = spawn(program, [...(isRoot ? ['-u', 'nobody'] : []), settings], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = performance.now() + longestStartMs;
  while (!(await listens(port))) {
    if (child.exitCode !== null || performance.now() > end) throw new Error(`PgBouncer did not start: ${told}`);
    await sleep(50);
  }
  const own = new URL(url);
  own.port = String(port);
  return {
    url: own.href,
    sessionState: [],
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
