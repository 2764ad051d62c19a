import { createHash } from 'node:crypto';
import type pg from 'pg';
import { runDelayed, runInNextTurn } from '../../lib/background-tasks.ts';

/** Channel of the topics that concern every node. Nodes of earlier versions use it for all topics. */
export const commonChannel = 'sheaf_events';
const channelCount = 256;
/** Time in milliseconds for which a channel is listened to after its last listener left. */
const lingerMs = 60_000;
/**
 * Maximum time in milliseconds to wait for a channel. Without a connection, listeners are told of the gap once there is
 * one again.
 */
const readyMs = 2_000;

/**
 * Returns the channel on which events of a topic are sent. Topics of one object (`sheet:ID`) share a number of channels,
 * so that a node receives those of objects that somebody watches there, and not those of all.
 */
export function channelOf(topic: string): string {
  if (!topic.includes(':')) return commonChannel;
  const number = createHash('sha1').update(topic).digest().readUInt16BE() % channelCount;
  return `${commonChannel}_${number}`;
}

interface Channel {
  listeners: number;
  isOn: boolean;
  /** Calls to resolve when the channel is listened to. */
  waiting: (() => void)[];
  leaving: NodeJS.Timeout | undefined;
}

/** The channels of PostgreSQL that this node listens to, besides the common one. */
export class ListenedChannels {
  readonly #channels = new Map<string, Channel>();
  #client: pg.Client | undefined;
  #isListening = false;
  readonly #onFailure: (client: pg.Client) => void;

  /** `onFailure` is called with a connection on which LISTEN failed, which must be replaced. */
  constructor(onFailure: (client: pg.Client) => void) {
    this.#onFailure = onFailure;
  }

  /** Listens to all channels on a new connection. Rejects if that fails. */
  async connected(client: pg.Client): Promise<void> {
    for (const channel of this.#channels.values()) channel.isOn = false;
    this.#client = client;
    while (await this.#listenToMissing(client));
  }

  disconnected(): void {
    this.#client = undefined;
  }

  /** Registers a listener of a topic. Returns a function that removes it. */
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

  /** Returns undefined if events of these topics arrive already; otherwise a promise that resolves when they do. */
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
        // In the next turn, so that topics that are subscribed to together share one statement.
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

  /** Sends LISTEN for all channels that the connection does not listen to yet. Returns false if there were none. */
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
      // If it fails, the connection is lost, and with it what it listened to.
      await this.#client?.query(`UNLISTEN ${name}`).catch(() => undefined);
    }).unref();
  }
}
