import { createHash } from 'node:crypto';
import type pg from 'pg';
import { runDelayed, runInNextTurn } from '../../lib/background-tasks.ts';

/** PostgreSQL channel of topics that concern every node. Nodes of earlier versions use it for all topics. */
export const commonChannel = 'sheaf_events';
const channelCount = 256;
/**
 * Time in milliseconds for which the node still listens to a PostgreSQL channel after the channel's last listener was
 * removed.
 */
const lingerMs = 60_000;
/**
 * Maximum time in milliseconds to wait until the node listens to a channel. If the connection is down for longer,
 * listeners are told about possibly lost events after the reconnect.
 */
const readyMs = 2_000;

/**
 * Returns the PostgreSQL channel for events of a topic. Topics of single objects (`sheet:ID`) are spread over many
 * channels, so that a node receives few events of objects that none of its users watches.
 */
export function channelOf(topic: string): string {
  if (!topic.includes(':')) return commonChannel;
  const number = createHash('sha1').update(topic).digest().readUInt16BE() % channelCount;
  return `${commonChannel}_${number}`;
}

interface Channel {
  listeners: number;
  isOn: boolean;
  /** Functions to call once the node listens to the channel. */
  waiting: (() => void)[];
  leaving: NodeJS.Timeout | undefined;
}

/** PostgreSQL channels that this node listens to, in addition to the common channel. */
export class ListenedChannels {
  readonly #channels = new Map<string, Channel>();
  #client: pg.Client | undefined;
  #isListening = false;
  readonly #onFailure: (client: pg.Client) => void;

  /** `onFailure` is called with a connection on which LISTEN failed. The callback must replace the connection. */
  constructor(onFailure: (client: pg.Client) => void) {
    this.#onFailure = onFailure;
  }

  /** Listens to all channels on a new connection. Rejects if LISTEN fails. */
  async connected(client: pg.Client): Promise<void> {
    for (const channel of this.#channels.values()) channel.isOn = false;
    this.#client = client;
    while (await this.#listenToMissing(client));
  }

  disconnected(): void {
    this.#client = undefined;
  }

  /**
   * Counts a listener of a topic, so that the node listens to the topic's channel. Returns a function that removes the
   * listener.
   */
  add(topic: string): () => void {
    const name = channelOf(topic);
    if (name === commonChannel) return () => undefined;
    this.#want(name).listeners += 1;
    let isRemoved = false;
    return () => {
      if (isRemoved) return;
      isRemoved = true;
      const channel = this.#channels.get(name)!;
      channel.listeners -= 1;
      this.#leaveLater(name, channel);
    };
  }

  /**
   * Returns undefined if the node already listens to the topics. Otherwise returns a promise that resolves once the
   * node listens, or after `readyMs` milliseconds.
   */
  ready(topics: readonly string[]): Promise<void> | undefined {
    const missing = new Set(topics.map(channelOf));
    missing.delete(commonChannel);
    for (const name of missing) {
      const channel = this.#want(name);
      this.#leaveLater(name, channel);
      if (channel.isOn) missing.delete(name);
    }
    if (missing.size === 0) return undefined;
    const all = Promise.all(
      Array.from(missing, (name) => new Promise<void>((resolve) => this.#want(name).waiting.push(resolve))),
    );
    let timer: NodeJS.Timeout;
    const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, readyMs)));
    return Promise.race([all.then(() => undefined), limit]).finally(() => clearTimeout(timer));
  }

  clear(): void {
    for (const { leaving } of this.#channels.values()) clearTimeout(leaving);
    this.#channels.clear();
    this.#client = undefined;
  }

  #want(name: string): Channel {
    let channel = this.#channels.get(name);
    if (!channel) {
      channel = { listeners: 0, isOn: false, waiting: [], leaving: undefined };
      this.#channels.set(name, channel);
      if (!this.#isListening) {
        this.#isListening = true;
        // Listen in the next turn of the event loop, so that all topics that are subscribed to in this turn share one
        // LISTEN statement.
        runInNextTurn('listening to events', () => this.#listen());
      }
    }
    return channel;
  }

  async #listen(): Promise<void> {
    const client = this.#client;
    try {
      while (client && (await this.#listenToMissing(client)));
    } catch {
      if (client && client === this.#client) this.#onFailure(client);
    }
    this.#isListening = false;
  }

  /**
   * Sends LISTEN for all channels that the connection does not listen to yet. Returns false if there were none, or if
   * the connection was replaced.
   */
  async #listenToMissing(client: pg.Client): Promise<boolean> {
    const missing = [...this.#channels].filter(([, { isOn }]) => !isOn);
    if (client !== this.#client || missing.length === 0) return false;
    await client.query(missing.map(([name]) => `LISTEN ${name}`).join('; '));
    if (client !== this.#client) return false;
    for (const [, channel] of missing) {
      channel.isOn = true;
      for (const resolve of channel.waiting.splice(0)) resolve();
    }
    return true;
  }

  #leaveLater(name: string, channel: Channel): void {
    clearTimeout(channel.leaving);
    if (channel.listeners > 0) return;
    channel.leaving = runDelayed('leaving a channel of events', lingerMs, async () => {
      if (channel.listeners > 0 || this.#channels.get(name) !== channel) return;
      this.#channels.delete(name);
      // Ignore a failure. It means that the connection is lost, and the database then sends no more events of this
      // channel anyway.
      await this.#client?.query(`UNLISTEN ${name}`).catch(() => undefined);
    }).unref();
  }
}
