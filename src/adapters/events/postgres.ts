import pg from 'pg';
import type { EventBus } from '../../ports/event-bus.ts';
import type { Log } from '../../lib/log.ts';
import { Listeners } from './in-process.ts';

const channel = 'sheaf_events';
const reconnectMs = 1000;

/** LISTEN/NOTIFY on one connection of its own, which is opened again when the server drops it. */
export class PostgresEventBus implements EventBus {
  readonly #url: string;
  readonly #pool: pg.Pool;
  readonly #log: Log;
  readonly #listeners = new Listeners();
  #client: pg.Client | undefined;
  #closed = false;

  constructor(url: string, pool: pg.Pool, log: Log) {
    this.#url = url;
    this.#pool = pool;
    this.#log = log;
  }

  async connect(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url, application_name: 'sheaf events' });
    client.on('error', (error) => this.#lost(error));
    client.on('end', () => this.#lost(new Error('connection ended')));
    client.on('notification', (message) => {
      const { topic, data } = JSON.parse(message.payload ?? '{}') as { topic: string; data: unknown };
      this.#listeners.tell(topic, data);
    });
    await client.connect();
    await client.query(`LISTEN ${channel}`);
    this.#client = client;
  }

  #lost(error: Error): void {
    if (this.#closed || !this.#client) return;
    this.#client = undefined;
    this.#log.warn({ error: error.message }, 'event connection lost, reconnecting');
    const again = (): void => {
      if (this.#closed) return;
      this.connect().catch(() => setTimeout(again, reconnectMs).unref());
    };
    setTimeout(again, reconnectMs).unref();
  }

  async publish(topic: string, data: unknown): Promise<void> {
    await this.#pool.query('SELECT pg_notify($1, $2)', [channel, JSON.stringify({ topic, data })]);
  }

  subscribe(topic: string, listener: (data: unknown) => void): () => void {
    return this.#listeners.add(topic, listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listeners.clear();
    await this.#client?.end();
  }
}
