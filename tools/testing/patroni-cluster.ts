/**
 * A PostgreSQL 15 primary with a standby, for tests of failover. Patroni manages them with etcd. HAProxy forwards
 * connections to `url` to the current primary. All programs are Debian's and run on 127.0.0.1 in a temporary folder.
 */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { PatroniMember, type ClusterSettings } from './patroni-member.ts';
import { temporaryFolder } from './temporary-folder.ts';

const binaries = '/usr/lib/postgresql/15/bin';
const programs: Readonly<Record<string, string>> = {
  '/usr/bin/patroni': 'patroni',
  '/usr/lib/python3/dist-packages/etcd': 'python3-etcd',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/sbin/haproxy': 'haproxy',
  [`${binaries}/postgres`]: 'postgresql-15',
};
const guard = fileURLToPath(new URL('./patroni-guard.mjs', import.meta.url));
const wholeMs = 180_000;
const askMs = 1_500;

/** Returns the Debian packages that the cluster needs and that are not installed. */
export function missingPackages(): string[] {
  return Object.entries(programs).flatMap(([path, name]) => (existsSync(path) ? [] : [name]));
}

interface MemberState {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

export class PatroniCluster {
  readonly members: readonly PatroniMember[];
  readonly url: string;
  readonly #isSynchronous: boolean;
  readonly #others: readonly ChildProcess[];

  private constructor(
    members: readonly PatroniMember[],
    proxyPort: number,
    settings: ClusterSettings,
    others: readonly ChildProcess[],
  ) {
    this.members = members;
    this.url = `postgres://sheaf@127.0.0.1:${proxyPort}/postgres`;
    this.#isSynchronous = settings.isSynchronous;
    this.#others = others;
  }

  static async start({ isSynchronous }: { isSynchronous: boolean }): Promise<PatroniCluster> {
    const folder = join(await temporaryFolder(), 'patroni');
    const user = unprivilegedUser();
    await mkdir(folder, { mode: 0o755 });
    // If the test runs as root, PostgreSQL runs as another user, who must be able to enter the parent folders.
    for (const above of [dirname(folder), dirname(dirname(folder))]) await chmod(above, 0o711);
    const settings: ClusterSettings = { folder, etcdPort: await freePort(), isSynchronous, binaries, user };
    const others = [await startEtcd(settings)];
    const members = [await PatroniMember.make('pg1', settings), await PatroniMember.make('pg2', settings)];
    if (user.uid !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
    const proxyPort = await freePort();
    others.push(await startProxy(folder, proxyPort, members));
    const guarded = [String(process.pid), folder, ...others.map(({ pid }) => String(pid))];
    others.push(spawn(process.execPath, [guard, ...guarded], { stdio: 'ignore' }));
    const cluster = new PatroniCluster(members, proxyPort, settings, others);
    for (const member of members) member.start();
    try {
      await cluster.whole();
    } catch (error) {
      await cluster.end();
      throw error;
    }
    return cluster;
  }

  /**
   * Returns the running primary, as reported by the Patroni agent of any member. Returns undefined if there is none.
   */
  async leader(): Promise<PatroniMember | undefined> {
    const leader = (await this.#states())?.find(({ role, state }) => role === 'leader' && state === 'running');
    return this.members.find(({ name }) => name === leader?.name);
  }

  other(member: PatroniMember): PatroniMember {
    return this.members.find((one) => one !== member)!;
  }

  /**
   * Waits until there is a running primary and a standby that has caught up with it, and returns the primary. Throws if
   * this takes longer than `wholeMs`.
   */
  async whole(): Promise<PatroniMember> {
    for (const end = Date.now() + wholeMs; Date.now() < end; await sleep(300)) {
      const states = (await this.#states()) ?? [];
      const isStanding = states.some(
        ({ role, state }) =>
          role === (this.#isSynchronous ? 'sync_standby' : 'replica') && /^(?:running|streaming)$/.test(state),
      );
      const leader = await this.leader();
      if (leader && isStanding && (await this.isServing()) && (await hasCaughtUp(this.url, this.#isSynchronous)))
        return leader;
    }
    const logs = this.members.map(({ name, log }) => `${name}: ${log.slice(-1500)}`).join('\n');
    throw new Error(`the cluster is not whole within ${wholeMs} ms: ${JSON.stringify(await this.#states())}\n${logs}`);
  }

  /** Returns whether the cluster's address leads to a primary that accepts writes. */
  async isServing(): Promise<boolean> {
    const rows = await ask<{ is_standby: boolean }>(this.url, 'SELECT pg_is_in_recovery() AS is_standby').catch(
      () => [],
    );
    return rows[0]?.is_standby === false;
  }

  async switchOver(from: PatroniMember): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${from.restPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: from.name, candidate: this.other(from).name }),
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(60_000),
    });
    if (!response.ok) throw new Error(`switchover: ${response.status} ${await response.text()}`);
  }

  async end(): Promise<void> {
    for (const member of this.members) await member.end();
    for (const child of [...this.#others].reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
  }

  async #states(): Promise<MemberState[] | undefined> {
    for (const { restPort } of this.members) {
      try {
        const response = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(askMs) });
        return ((await response.json()) as { members: MemberState[] }).members;
      } catch {
        // This member does not respond, so ask the next one.
      }
    }
    return undefined;
  }
}

async function hasCaughtUp(url: string, isSynchronous: boolean): Promise<boolean> {
  const sql = `SELECT count(*)::int AS n FROM pg_stat_replication
    WHERE state = 'streaming' AND replay_lsn >= pg_current_wal_lsn() - 65536 AND (sync_state = 'sync') = ${isSynchronous}`;
  const rows = await ask<{ n: number }>(url, sql).catch(() => []);
  return (rows[0]?.n ?? 0) > 0;
}

export async function ask<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: askMs, query_timeout: askMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows as Row[];
  } finally {
    client.end().catch(() => undefined);
  }
}

/**
 * Returns the ids of the user that runs PostgreSQL if the test runs as root, because PostgreSQL refuses to run as root.
 * Otherwise returns no ids, and PostgreSQL runs as the user of the test.
 */
function unprivilegedUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

async function startEtcd({ folder, etcdPort }: ClusterSettings): Promise<ChildProcess> {
  const [own, peers] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${await freePort()}`];
  const child = spawn(
    '/usr/bin/etcd',
    [
      '--name',
      'drill',
      '--data-dir',
      join(folder, 'etcd'),
      '--log-level',
      'error',
      '--logger',
      'zap',
      '--listen-client-urls',
      own,
      '--advertise-client-urls',
      own,
      '--listen-peer-urls',
      peers,
      '--initial-advertise-peer-urls',
      peers,
      '--initial-cluster',
      `drill=${peers}`,
    ],
    { stdio: 'ignore', env: { PATH: process.env['PATH'] } },
  );
  for (const end = Date.now() + 30_000; ; await sleep(100)) {
    const isWell = await fetch(`${own}/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (isWell) return child;
    if (Date.now() > end || child.exitCode !== null) throw new Error(`etcd did not start: ${child.exitCode}`);
  }
}

/**
 * Starts HAProxy with the settings that Patroni's documentation recommends. It forwards connections only to the
 * primary, and closes the connections to a member that stops being the primary.
 */
async function startProxy(folder: string, port: number, members: readonly PatroniMember[]): Promise<ChildProcess> {
  const file = join(folder, 'haproxy.cfg');
  const lines = [
    'global',
    '  maxconn 1000',
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout client 30m',
    '  timeout server 30m',
    '  timeout check 2s',
    'listen primary',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk OPTIONS /primary',
    '  http-check expect status 200',
    '  default-server inter 1s fastinter 300ms fall 2 rise 1 on-marked-down shutdown-sessions',
    ...members.map((one) => `  server ${one.name} 127.0.0.1:${one.port} maxconn 300 check port ${one.restPort}`),
    '',
  ];
  await writeFile(file, lines.join('\n'));
  return spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'ignore' });
}
