import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { every, inBackground, nextTurn } from '../../lib/background.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import type { Log } from '../../lib/log.ts';
import type { Param } from '../sql/database.ts';
import { Incarnation } from '../sql/incarnation.ts';
import { identityOf } from '../sql/postgres/identity.ts';
import { accessChannel, leaseMs, type AccessLease, type Ask } from '../sql/postgres/access-lease.ts';
import { eventText, Listeners } from './listeners.ts';

const channel = 'sheaf_events';
const reconnectMs = 1000;
const connectMs = 5_000;
const maxNewsTogether = 100;
/** The server takes less than 8,000. */
const maxNotificationBytes = 7_900;
/**
 * News is of what is durable already, and whoever missed some looks again: it need not wait for the disk, for which the server
 * would hold everybody else's news too.
 */
const notifyAll = `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, news)
  FROM json_array_elements_text($2::json) AS t(news)`;
/** Three times in the life of a lease: one that comes late loses nothing. */
const renewMs = leaseMs / 3;
/** A server that has not renewed a lease for so long will not answer on this connection any more. */
const silentMs = 3_000;

interface News {
  readonly topic: string;
  readonly data: unknown;
}

/**
 * LISTEN/NOTIFY on one connection of its own, which is opened again when the server drops it. The lease by which this node
 * may remember callers is renewed on it: who cannot hear that somebody was suspended has no lease either.
 */
export class PostgresEventBus implements EventBus {
  readonly #url: string;
  readonly #pool: pg.Pool;
  readonly #log: Log;
  readonly #listeners: Listeners;
  #client: pg.Client | undefined;
  #closed = false;
  #lease: AccessLease | undefined;
  #renewing: NodeJS.Timeout | undefined;
  #renewal: Promise<void> | undefined;
  #isRenewalDue = false;
  readonly #outgoing: { text: string; resolve: () => void; reject: (error: unknown) => void }[] = [];
  #isSending = false;
  readonly #incarnation: Incarnation;
  #wasConnected = false;
  /** Whether the database was put back since listeners were last told of a gap. */
  #isReset = false;

  constructor(url: string, pool: pg.Pool, log: Log, incarnation: Incarnation = new Incarnation()) {
    this.#url = url;
    this.#pool = pool;
    this.#log = log;
    this.#incarnation = incarnation;
    incarnation.onChange(() => {
      this.#isReset = true;
      // It may still lead to the database from before; and whoever listens is to be told anew.
      if (this.#client) drop(this.#client);
    });
    this.#listeners = new Listeners((error, topic) => log.error({ err: error, topic }, 'an event listener failed'));
  }

  async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'sheaf events',
      keepAlive: true,
      query_timeout: silentMs,
      // A server that takes the connection and says nothing would keep us waiting for good.
      connectionTimeoutMillis: connectMs,
    });
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('connection ended')));
    client.on('notification', (message) => {
      if (message.payload === undefined) return;
      if (message.channel === accessChannel) return this.#accessChanged(Number(message.payload));
      const news = JSON.parse(message.payload) as News | News[];
      for (const { topic, data } of Array.isArray(news) ? news : [news]) this.#listeners.tell(topic, data);
    });
    await client.connect();
    try {
      const identity = await identityOf(client);
      if (identity !== undefined) this.#incarnation.met(identity);
      // Nobody tells whether it is the same database as before the connection was lost.
      else if (this.#wasConnected) this.#incarnation.begin();
      this.#wasConnected = true;
      await client.query(`LISTEN ${channel}; LISTEN ${accessChannel}`);
    } catch (error) {
      await client.end();
      throw error;
    }
    // Closed while connecting: nobody else knows of this connection.
    if (this.#closed) await client.end();
    else this.#client = client;
  }

  get isConnected(): boolean {
    return this.#client !== undefined;
  }

  /** Renews the lease from now on. The schema must be there. */
  async hold(lease: AccessLease): Promise<void> {
    this.#lease = lease;
    await lease.sweep(this.#ask);
    await this.#renew();
    this.#renewing = every('renewing the lease of access', renewMs, () => this.#renew()).unref();
  }

  readonly #ask: Ask = async <Row>(sql: string, values: readonly Param[] = []): Promise<Row[]> => {
    const client = this.#client;
    if (!client) return [];
    try {
      return (await client.query(sql, [...values])).rows as Row[];
    } catch (error) {
      // Lost without a word, or about to be: either way a new connection hears more.
      if (this.#client === client) drop(client);
      throw error;
    }
  };

  #accessChanged(version: number): void {
    this.#lease?.hear(version);
    inBackground('renewing the lease of access', () => this.#renew());
  }

  /** One at a time. What is heard of meanwhile is told with one more. */
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
      await this.#lease.renew(this.#ask);
    }
  }

  #lost(client: pg.Client, error: Error): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    this.#log.warn({ err: error }, 'event connection lost, reconnecting');
    inBackground('connecting to events again', () => this.#reconnect());
  }

  async #reconnect(): Promise<void> {
    while (!this.#closed && !this.#client) {
      await sleep(reconnectMs, undefined, { ref: false });
      if (this.#closed) return;
      await this.connect().then(
        () => {
          this.#log.info({}, 'event connection restored');
          if (this.#client) this.#tellGap();
        },
        (error: unknown) => this.#log.warn({ err: error }, 'event connection still lost'),
      );
    }
  }

  #tellGap(): void {
    const isReset = this.#isReset;
    this.#isReset = false;
    this.#listeners.tellGap(isReset);
  }

  /** What is told in one turn of the event loop, or while earlier news is on its way, goes together. */
  publish(topic: string, data: unknown): Promise<void> {
    let text: string;
    try {
      text = eventText(topic, data);
    } catch (error) {
      return Promise.reject(error as Error);
    }
    return new Promise((resolve, reject) => {
      this.#outgoing.push({ text, resolve, reject });
      if (this.#isSending) return;
      this.#isSending = true;
      nextTurn('telling news', () => this.#sendAll());
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#outgoing.length > 0) {
      const news = this.#outgoing.splice(0, maxNewsTogether);
      try {
        await this.#pool.query(notifyAll, [channel, JSON.stringify(packed(news.map(({ text }) => text)))]);
        for (const { resolve } of news) resolve();
      } catch (error) {
        for (const { reject } of news) reject(error);
      }
    }
    this.#isSending = false;
  }

  subscribe(topic: string, listener: (data: unknown) => void): () => void {
    return this.#listeners.add(topic, listener);
  }

  onGap(listener: (isReset: boolean) => void): () => void {
    return this.#listeners.addGap(listener);
  }

  async close(): Promise<void> {
    clearInterval(this.#renewing);
    await this.#renewal?.catch(() => undefined);
    if (this.#client) await this.#lease?.leave(this.#ask).catch(() => undefined);
    this.#closed = true;
    this.#listeners.clear();
    await this.#client?.end();
  }
}

/** News as few notifications: alone as it is, several as a list, as long as one may be. */
function packed(texts: readonly string[]): string[] {
  const lists: { texts: string[]; bytes: number }[] = [];
  for (const text of texts) {
    const bytes = Buffer.byteLength(text) + 1;
    const last = lists.at(-1);
    if (last && last.bytes + bytes <= maxNotificationBytes) {
      last.texts.push(text);
      last.bytes += bytes;
    } else lists.push({ texts: [text], bytes: bytes + 1 });
  }
  return lists.map((list) => (list.texts.length === 1 ? list.texts[0]! : `[${list.texts.join(',')}]`));
}

/** Ends a connection whose other end may not answer any more; asking it to end would wait for that. */
function drop(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
