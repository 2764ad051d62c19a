/** Three nodes of the built product on one PostgreSQL and one object store, each over links of its own that can be cut. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Key } from '@sheaf/tools/testing/call-client.ts';
import { NetworkLink } from '@sheaf/tools/testing/network-link.ts';
import { ownerKey, startNode, type NodeProcess } from '@sheaf/tools/testing/node-process.ts';
import { startDedicatedPostgres, type DedicatedPostgres } from '@sheaf/tools/testing/dedicated-postgres.ts';
import { startS3, type TestS3 } from '@sheaf/tools/testing/s3.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const clock = fileURLToPath(new URL('./skewed-clock.cjs', import.meta.url));
const startMs = 120_000;

export interface Links {
  readonly database: NetworkLink;
  /** The connection on which the node hears of events. */
  readonly events: NetworkLink;
  readonly store: NetworkLink;
  readonly callers: NetworkLink;
}

export class ClusterNode {
  readonly name: string;
  readonly links: Links;
  readonly #folder: string;
  readonly #env: Record<string, string>;
  #process: NodeProcess | undefined;
  #isMeantToRun = false;
  /** What ended it although nobody meant it to. */
  died: string | undefined;

  private constructor(name: string, folder: string, links: Links, env: Record<string, string>) {
    this.name = name;
    this.#folder = folder;
    this.links = links;
    this.#env = env;
  }

  static async make(name: string, postgres: { readonly url: string }, store: TestS3): Promise<ClusterNode> {
    const folder = await temporaryFolder();
    const links = {
      database: await NetworkLink.to(postgres.url),
      events: await NetworkLink.to(postgres.url),
      store: await NetworkLink.to(store.endpoint),
      callers: await NetworkLink.to('http://127.0.0.1:9'),
    };
    const env = {
      ...storeEnv(store),
      SHEAF_DATABASE_URL: links.database.through(postgres.url),
      SHEAF_DATABASE_DIRECT_URL: links.events.through(postgres.url),
      SHEAF_S3_ENDPOINT: links.store.through(store.endpoint),
      NODE_OPTIONS: `--require ${JSON.stringify(clock)}`,
      SKEW_FILE: join(folder, 'skew'),
    };
    return new ClusterNode(name, folder, links, env);
  }

  /** Tries until it serves: while its database is away, a node that starts ends with the reason. */
  async start(): Promise<void> {
    let reason: unknown;
    for (const end = Date.now() + startMs; Date.now() < end; await sleep(300)) {
      try {
        const started = await startNode({ folder: this.#folder, env: this.#env });
        this.#process = started;
        this.#isMeantToRun = true;
        started.child.once('exit', (code, signal) => {
          if (this.#process === started && this.#isMeantToRun)
            this.died = `${this.name} ended with ${code ?? signal}: ${started.log().slice(-2000)}`;
        });
        this.links.callers.aim(started.url);
        return;
      } catch (error) {
        reason = error;
      }
    }
    throw new Error(`${this.name} did not start within ${startMs} ms`, { cause: reason });
  }

  get url(): string {
    return this.links.callers.through('http://127.0.0.1:9');
  }

  get log(): string {
    return this.#process?.log() ?? '';
  }

  async kill(): Promise<void> {
    this.#isMeantToRun = false;
    const child = this.#process!.child;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** How it ended. */
  async stop(): Promise<number | NodeJS.Signals | null> {
    this.#isMeantToRun = false;
    return (await this.#process?.stop()) ?? null;
  }

  freeze(): void {
    this.#process!.child.kill('SIGSTOP');
  }

  wake(): void {
    this.#process!.child.kill('SIGCONT');
  }

  skew(milliseconds: number): Promise<void> {
    return writeFile(join(this.#folder, 'skew'), String(milliseconds));
  }

  key(): Promise<Key> {
    return ownerKey(this.#folder);
  }

  async ready(withinMs: number): Promise<void> {
    let said = '';
    for (const end = Date.now() + withinMs; Date.now() < end; await sleep(200)) {
      try {
        const response = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(10_000) });
        said = await response.text();
        if (response.ok) return;
      } catch (error) {
        said = String(error);
      }
    }
    throw new Error(`${this.name} is not ready within ${withinMs} ms: ${said}`);
  }

  async end(): Promise<void> {
    this.wake();
    await this.kill();
    for (const link of Object.values(this.links)) await link.close();
  }
}

/** Whatever answers for the database: one server, or several behind an address. */
export interface ClusterDatabase {
  readonly url: string;
  end(): Promise<void>;
}

export class Cluster<Postgres extends ClusterDatabase = DedicatedPostgres> {
  readonly postgres: Postgres;
  readonly nodes: readonly ClusterNode[];
  #store: TestS3;

  private constructor(postgres: Postgres, store: TestS3, nodes: readonly ClusterNode[]) {
    this.postgres = postgres;
    this.#store = store;
    this.nodes = nodes;
  }

  static async start(): Promise<Cluster> {
    return Cluster.startOn(await startDedicatedPostgres());
  }

  static async startOn<Postgres extends ClusterDatabase>(postgres: Postgres): Promise<Cluster<Postgres>> {
    const store = await startS3();
    const nodes: ClusterNode[] = [];
    for (const name of ['node a', 'node b', 'node c']) {
      const node = await ClusterNode.make(name, postgres, store);
      await node.start();
      nodes.push(node);
    }
    return new Cluster(postgres, store, nodes);
  }

  /** For commands that work beside the nodes, over no link. */
  get env(): Record<string, string> {
    return { ...storeEnv(this.#store), SHEAF_DATABASE_URL: this.postgres.url };
  }

  async storeGoesAway(): Promise<void> {
    await this.#store.stop();
  }

  async storeComesBack(): Promise<void> {
    this.#store = await startS3(this.#store);
  }

  async end(): Promise<void> {
    for (const node of this.nodes) await node.end();
    await this.#store.stop();
    await this.postgres.end();
  }
}

function storeEnv(store: TestS3): Record<string, string> {
  return {
    SHEAF_S3_ENDPOINT: store.endpoint,
    SHEAF_S3_BUCKET: store.bucket,
    SHEAF_S3_REGION: store.region,
    SHEAF_S3_ACCESS_KEY: store.accessKey,
    SHEAF_S3_SECRET_KEY: store.secretKey,
  };
}
