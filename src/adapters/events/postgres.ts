import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inBackground } from '../../lib/background.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import type { Log } from '../../lib/log.ts';
import { eventText, Listeners } from './listeners.ts';

const channel = 'sheaf_events';
const reconnectMs = 1000;

/** LISTEN/NOTIFY on one connection of its own, which is opened again when the server drops it. */
export class PostgresEventBus implements EventBus {
  readonly #url: string;
  readonly #pool: pg.Pool;
  readonly #log: Log;
  readonly #listeners: Listeners;
  #client: pg.Client | undefined;
  #closed = false;

  constructor(url: string, pool: pg.Pool, log: Log) {
    this.#url = url;
    this.#pool = pool;
    this.#log = log;
    this.#listeners = new Listeners((error, topic) => log.error({ err: error, topic }, 'an event listener failed'));
  }

  async connect(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url, application_name: 'sheaf events', keepAlive: true });
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('connection ended')));
    client.on('notification', (message) => {
      if (message.payload === undefined) return;
      const { topic, data } = JSON.parse(message.payload) as { topic: string; data: unknown };
      this.#listeners.tell(topic, data);
    });
    await client.connect();
    try {
      await client.query(`LISTEN ${channel}`);
    } catch (error) {
      await client.end();
      throw error;
    }
    // Closed while connecting: nobody else knows of this connection.
    if (this.#closed) await client.end();
    else this.#client = client;
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
          if (this.#client) this.#listeners.tellGap();
        },
        (error: unknown) => this.#log.warn({ err: error }, 'event connection still lost'),
      );
    }
  }

  async publish(topic: string, data: unknown): Promise<void> {
    await this.#pool.query('SELECT pg_notify($1, $2)', [channel, eventText(topic, data)]);
  }

  subscribe(topic: string, listener: (data: unknown) => void): () => void {
    return this.#listeners.add(topic, listener);
  }

  onGap(listener: () => void): () => void {
    return this.#listeners.addGap(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listeners.clear();
    await this.#client?.end();
  }
}
