/**
 * One member of a Patroni cluster: the Patroni agent and the PostgreSQL server that it manages. Tests can kill either
 * of the two, and kill or freeze both. Other members connect to its PostgreSQL through a proxy that can be cut.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { NetworkLink } from './network-link.ts';

export interface ClusterSettings {
  readonly folder: string;
  readonly etcdPort: number;
  readonly isSynchronous: boolean;
  /** Folder with the PostgreSQL programs. */
  readonly binaries: string;
  readonly user: { readonly uid?: number; readonly gid?: number };
}

/**
 * Seconds after which an unresponsive primary loses its leader lock. Patroni requires at least `loop_wait` plus twice
 * `retry_timeout`.
 */
export const leaseSeconds = 10;

export class PatroniMember {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  /** Proxy through which the other members connect to this member's PostgreSQL. */
  readonly link: NetworkLink;
  readonly #settings: ClusterSettings;
  readonly #folder: string;
  #agent: ChildProcess | undefined;
  #log = '';

  private constructor(
    name: string,
    ports: { own: number; rest: number },
    link: NetworkLink,
    settings: ClusterSettings,
  ) {
    this.name = name;
    this.port = ports.own;
    this.restPort = ports.rest;
    this.link = link;
    this.#settings = settings;
    this.#folder = join(settings.folder, name);
  }

  static async make(name: string, settings: ClusterSettings): Promise<PatroniMember> {
    const ports = { own: await freePort(), rest: await freePort() };
    const link = await NetworkLink.to(`http://127.0.0.1:${ports.own}`);
    const member = new PatroniMember(name, ports, link, settings);
    await mkdir(member.#folder);
    await writeFile(member.#file, JSON.stringify(member.#configuration(), undefined, 2), { mode: 0o644 });
    return member;
  }

  start(): void {
    const agent = spawn('/usr/bin/patroni', [this.#file], {
      ...this.#settings.user,
      cwd: this.#settings.folder,
      env: { PATH: `/usr/bin:/bin:${this.#settings.binaries}`, LC_ALL: 'C', HOME: this.#settings.folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [agent.stdout, agent.stderr])
      stream.on('data', (chunk: Buffer) => (this.#log = (this.#log + chunk.toString()).slice(-200_000)));
    this.#agent = agent;
  }

  get log(): string {
    return this.#log;
  }

  get isRunning(): boolean {
    return this.#agent !== undefined && this.#agent.exitCode === null && this.#agent.signalCode === null;
  }

  /** Kills agent and database at the same moment, like a machine failure. */
  async kill(): Promise<void> {
    await this.#signal('SIGSTOP', { agent: true, database: true });
    await this.#signal('SIGKILL', { agent: true, database: true });
  }

  /** Kills only the Patroni agent. The database keeps running and does not learn that another member was promoted. */
  async killAgent(): Promise<void> {
    await this.#signal('SIGKILL', { agent: true, database: false });
  }

  async killDatabase(): Promise<void> {
    await this.#signal('SIGKILL', { agent: false, database: true });
  }

  async freeze(): Promise<void> {
    await this.#signal('SIGSTOP', { agent: true, database: true });
  }

  async wake(): Promise<void> {
    await this.#signal('SIGCONT', { agent: true, database: true });
  }

  async end(): Promise<void> {
    await this.kill();
    await this.link.close();
  }

  get #file(): string {
    return join(this.#folder, 'patroni.yml');
  }

  async #signal(name: NodeJS.Signals, whom: { agent: boolean; database: boolean }): Promise<void> {
    if (whom.agent && this.isRunning) send(this.#agent!.pid!, name);
    if (!whom.database) return;
    const postmaster = Number(
      (await readFile(join(this.#folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0],
    );
    if (!postmaster || !(await isPostgres(postmaster))) return;
    // List the child processes before the signal to their parent, the postmaster. Once the postmaster is killed, its
    // children have another parent and can no longer be found.
    const children = await childrenOf(postmaster);
    send(postmaster, name);
    for (const child of new Set([...children, ...(name === 'SIGSTOP' ? await childrenOf(postmaster) : [])]))
      send(child, name);
  }

  /** Returns Patroni's configuration as JSON, which is valid YAML. */
  #configuration(): object {
    const { isSynchronous, etcdPort, binaries } = this.#settings;
    return {
      scope: 'drill',
      name: this.name,
      restapi: { listen: `127.0.0.1:${this.restPort}`, connect_address: `127.0.0.1:${this.restPort}` },
      etcd3: { host: `127.0.0.1:${etcdPort}` },
      bootstrap: {
        dcs: {
          ttl: leaseSeconds,
          loop_wait: 1,
          retry_timeout: 4,
          maximum_lag_on_failover: 1_000_000_000,
          synchronous_mode: isSynchronous,
          postgresql: {
            use_pg_rewind: true,
            remove_data_directory_on_rewind_failure: true,
            remove_data_directory_on_diverged_timelines: true,
            parameters: { max_connections: 200, wal_keep_size: '512MB', hot_standby: 'on' },
          },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }],
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
      postgresql: {
        listen: `127.0.0.1:${this.port}`,
        connect_address: `127.0.0.1:${this.link.port}`,
        data_dir: join(this.#folder, 'data'),
        bin_dir: binaries,
        pgpass: join(this.#folder, 'pgpass'),
        authentication: {
          superuser: { username: 'sheaf' },
          replication: { username: 'sheaf' },
          rewind: { username: 'sheaf' },
        },
        // Disable fsync: only processes are killed here, not machines, so written data survives without a disk sync.
        parameters: {
          fsync: 'off',
          shared_buffers: '64MB',
          unix_socket_directories: '',
          wal_retrieve_retry_interval: '500ms',
        },
      },
    };
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function isPostgres(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim() === 'postgres';
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const children: number[] = [];
  for (const pid of pids) {
    // The process name in parentheses may contain spaces. The parent id is the second field after it.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent) children.push(pid);
  }
  return children;
}
