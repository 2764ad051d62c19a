import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { runEvery, runInBackground, runInNextTurn } from '../../lib/background-tasks.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Param } from '../sql/database.ts';
import { Incarnation } from '../sql/incarnation.ts';
import { readDatabaseIdentity } from '../sql/postgres/database-identity.ts';
import { accessChannel, leaseMs, type AccessLease, type RunQuery } from '../sql/postgres/access-lease.ts';
import { channelOf, commonChannel, ListenedChannels } from './listened-channels.ts';
import { encodeEvent, TopicListeners } from './topic-listeners.ts';

const reconnectMs = 1000;
const connectMs = 5_000;
const maxEventsPerBatch = 100;
/** Maximum size of one notification in bytes. PostgreSQL's own limit is just under 8,000. */
const maxNotificationBytes = 7_900;
/**
 * Statement that sends notifications without waiting for the disk. This is safe, because they report writes that are
 * already durable, and a listener that misses a notification reads the database instead. PostgreSQL commits
 * notifications one after another, so waiting would also delay the notifications of all other connections.
 */
const notifyAll = `SELECT set_config('synchronous_commit', 'off', true), pg_notify(channel, news)
  FROM unnest($1::text[], $2::text[]) AS t(channel, news)`;
/**
 * Interval in milliseconds at which the node renews its access lease, which allows it to cache authentication. There
 * are three renewals per lease period, so one late renewal does no harm.
 */
const renewMs = leaseMs / 3;
/** Query timeout in milliseconds after which the connection is considered dead. */
const silentMs = 3_000;

interface EventMessage {
  readonly topic: string;
  readonly data: unknown;
}

/**
 * Event bus on PostgreSQL's LISTEN and NOTIFY, with its own connection that is restored when lost. The same connection
 * renews the node's access lease, which allows the node to cache authentication. So a node that no longer receives
 * revocations of access also loses the permission to use its cache.
 */
export class PostgresEventBus implements EventBus {
  readonly #url: string;
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  readonly #listeners: TopicListeners;
  readonly #channels = new ListenedChannels(destroySocket);
  #client: pg.Client | undefined;
  #closed = false;
  #lease: AccessLease | undefined;
  #renewing: NodeJS.Timeout | undefined;
  #renewal: Promise<void> | undefined;
  #isRenewalDue = false;
  readonly #outgoing: { topic: string; text: string; resolve: () => void; reject: (error: unknown) => void }[] = [];
  #isSending = false;
  readonly #incarnation: Incarnation;
  #wasConnected = false;
  /**
   * Whether the database was replaced (by a standby or a restored backup) since listeners were last notified of lost
   * events.
   */
  #isReset = false;

  constructor(url: string, pool: pg.Pool, log: Logger, incarnation: Incarnation = new Incarnation()) {
    this.#url = url;
    this.#pool = pool;
    this.#log = log;
    this.#incarnation = incarnation;
    incarnation.onChange(() => {
      this.#isReset = true;
      // Reconnect, because the connection may still lead to the old database. Reconnecting also notifies listeners of
      // lost events.
      if (this.#client) destroySocket(this.#client);
    });
    this.#listeners = new TopicListeners((error, topic) =>
      log.error({ err: error, topic }, 'an event listener failed'),
    );
  }

  async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'sheaf events',
      keepAlive: true,
      query_timeout: silentMs,
      // Without a timeout, a server that accepts the connection and never responds would block forever.
      connectionTimeoutMillis: connectMs,
    });
    client.on('error', (error) => this.#onConnectionLost(client, error));
    client.on('end', () => this.#onConnectionLost(client, new Error('connection ended')));
    client.on('notification', (message) => {
      if (message.payload === undefined) return;
      if (message.channel === accessChannel) return this.#accessChanged(Number(message.payload));
      const news = JSON.parse(message.payload) as EventMessage | EventMessage[];
      for (const { topic, data } of Array.isArray(news) ? news : [news]) this.#listeners.dispatch(topic, data);
    });
    await client.connect();
    try {
      const identity = await readDatabaseIdentity(client);
      if (identity !== undefined) this.#incarnation.observeIdentity(identity);
      // If the database reports no identity, a replaced database cannot be recognized. Assume after a reconnect that it
      // was replaced.
      else if (this.#wasConnected) this.#incarnation.begin();
      this.#wasConnected = true;
      await client.query(`LISTEN ${commonChannel}; LISTEN ${accessChannel}`);
      await this.#channels.connected(client);
    } catch (error) {
      this.#channels.disconnected();
      await client.end();
      throw error;
    }
    // If the bus was closed while connecting, close the connection here, because no other code refers to it.
    if (this.#closed) await client.end();
    else this.#client = client;
  }

  get isConnected(): boolean {
    return this.#client !== undefined;
  }

  /**
   * Renews the node's lease on its authentication cache, at once and then periodically. Callers must create the
   * database schema first.
   */
  async startRenewing(lease: AccessLease): Promise<void> {
    this.#lease = lease;
    await lease.removeExpiredNodes(this.#query);
    await this.#renew();
    lease.onWake = () => void runInBackground('renewing the lease of access', () => this.#renew());
    const renew = (): Promise<void> | undefined => (lease.isRenewalDue ? this.#renew() : undefined);
    this.#renewing = runEvery('renewing the lease of access', renewMs, renew).unref();
  }

  readonly #query: RunQuery = async <Row>(sql: string, values: readonly Param[] = []): Promise<Row[]> => {
    const client = this.#client;
    if (!client) return [];
    try {
      return (await client.query(sql, [...values])).rows as Row[];
    } catch (error) {
      // Close the connection, because a failed query shows that it is probably lost. The bus then reconnects.
      if (this.#client === client) destroySocket(client);
      throw error;
    }
  };

  #accessChanged(version: number): void {
    this.#lease?.observeVersion(version);
    if (this.#lease?.isResting) return;
    runInBackground('renewing the lease of access', () => this.#renew());
  }

  /** Runs one lease renewal at a time. Any number of calls during a renewal cause one further renewal. */
  async #renew(): Promise<void> {
    this.#isRenewalDue = true;
    this.#renewal ??= this.#renewAll().finally(() => {
      this.#renewal = undefined;
    });
    await this.#renewal;
  }

  async #renewAll(): Promise<void> {
    while (this.#isRenewalDue && !this.#closed && this.#client && this.#lease) {
      this.#isRenewalDue = false;
      await this.#lease.renew(this.#query);
    }
  }

  #onConnectionLost(client: pg.Client, error: Error): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    this.#channels.disconnected();
    this.#log.warn({ err: error }, 'event connection lost, reconnecting');
    runInBackground('connecting to events again', () => this.#reconnect());
  }

  async #reconnect(): Promise<void> {
    while (!this.#closed && !this.#client) {
      await sleep(reconnectMs, undefined, { ref: false });
      if (this.#closed) return;
      await this.connect().then(
        () => {
          this.#log.info({}, 'event connection restored');
          if (this.#client) this.#dispatchGap();
        },
        (error: unknown) => this.#log.warn({ err: error }, 'event connection still lost'),
      );
    }
  }

  #dispatchGap(): void {
    const isReset = this.#isReset;
    this.#isReset = false;
    this.#listeners.dispatchGap(isReset);
  }

  /**
   * Sends an event to all nodes. Events are sent with one query if they are published in the same turn of the event
   * loop, or while earlier events are being sent.
   */
  publish(topic: string, data: unknown): Promise<void> {
    let text: string;
    try {
      text = encodeEvent(topic, data);
    } catch (error) {
      return Promise.reject(error as Error);
    }
    return new Promise((resolve, reject) => {
      this.#outgoing.push({ topic, text, resolve, reject });
      if (this.#isSending) return;
      this.#isSending = true;
      runInNextTurn('telling news', () => this.#sendAll());
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#outgoing.length > 0) {
      const news = this.#outgoing.splice(0, maxEventsPerBatch);
      try {
        const packed = packNotifications(news);
        await this.#pool.query(notifyAll, [packed.map(({ channel }) => channel), packed.map(({ text }) => text)]);
        for (const { resolve } of news) resolve();
      } catch (error) {
        for (const { reject } of news) reject(error);
      }
    }
    this.#isSending = false;
  }

  subscribe(topic: string, listener: (data: unknown) => void): () => void {
    const removeListener = this.#listeners.add(topic, listener);
    const leaveChannel = this.#channels.add(topic);
    return () => {
      removeListener();
      leaveChannel();
    };
  }

  ready(topics: readonly string[]): Promise<void> | undefined {
    return this.#channels.ready(topics);
  }

  onGap(listener: (isReset: boolean) => void): () => void {
    return this.#listeners.addGapListener(listener);
  }

  async close(): Promise<void> {
    clearInterval(this.#renewing);
    await this.#renewal?.catch(() => undefined);
    if (this.#client) await this.#lease?.release(this.#query).catch(() => undefined);
    this.#closed = true;
    this.#listeners.clear();
    this.#channels.clear();
    await this.#client?.end();
  }
}

/**
 * Packs events into as few notifications as possible. A single event is sent without a list; several events of one
 * channel are sent as a list, up to the size limit.
 */
function packNotifications(
  events: readonly { readonly topic: string; readonly text: string }[],
): { channel: string; text: string }[] {
  const lists: { channel: string; texts: string[]; bytes: number }[] = [];
  const newest = new Map<string, (typeof lists)[number]>();
  for (const { topic, text } of events) {
    const channel = channelOf(topic);
    const bytes = Buffer.byteLength(text) + 1;
    const last = newest.get(channel);
    if (last && last.bytes + bytes <= maxNotificationBytes) {
      last.texts.push(text);
      last.bytes += bytes;
    } else {
      const list = { channel, texts: [text], bytes: bytes + 1 };
      newest.set(channel, list);
      lists.push(list);
    }
  }
  return lists.map(({ channel, texts }) => ({
    channel,
    text: texts.length === 1 ? texts[0]! : `[${texts.join(',')}]`,
  }));
}

/** Destroys the socket without a graceful close, which would wait for a server that may not respond. */
function destroySocket(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
