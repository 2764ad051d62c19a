import { expect } from 'vitest';
import type { Key } from '@sheaf/tools/testing/call-client.ts';
import { eventsOf, headersOf, metaOf } from '../mcp/wire.ts';
import type { Thing } from './model.ts';
import { nameOf, type Program } from './program.ts';

const maxStreams = 10;
/** Time within which a stream ends whose user may no longer hear. The heartbeat would end it after ten seconds. */
const endMs = 5000;

interface Stream {
  readonly user: Key;
  readonly thing: Thing;
  readonly surface: 'http' | 'mcp';
  readonly abort: AbortController;
  /** Events on the thing by operation: so many came, and so many happened while the user was allowed to hear. */
  readonly came: Map<string, number>;
  readonly allowed: Map<string, number>;
  readonly foreign: string[];
  isEnded: boolean;
  /** When the user lost access. */
  lostAt?: number;
}

/**
 * Streams of events that users keep open on any node. An event comes only to those who may read the thing when it
 * happens, and the stream of a user who loses access ends.
 */
export class Watchers {
  readonly #program: Program;
  #streams: Stream[] = [];

  constructor(program: Program) {
    this.#program = program;
  }

  /** Opens a stream of a random user on a random thing, or checks that it is refused. */
  async open(): Promise<void> {
    const program = this.#program;
    const things = program.model.things.filter(({ kind, isGone }) => kind !== 'notebook' && !isGone);
    const thing = program.pick(things);
    const user = program.pick(program.active);
    const may = !thing.isDeleted && program.model.may(user.userId, thing, 'read');
    if (this.#streams.length >= maxStreams) this.#close(program.pick(this.#streams));
    const surface = program.chance(0.4) ? 'mcp' : 'http';
    const abort = new AbortController();
    const response = await (surface === 'mcp' ? this.#listen(thing, user, abort) : this.#events(thing, user, abort));
    if (surface === 'http') {
      const message = `${user.userId} opens events of ${thing.kind} ${nameOf(thing)}; ${program.where()}`;
      expect(response.status === 200, message).toBe(may);
    }
    if (response.status !== 200) {
      program.check('events', { id: thing.id }, await response.text(), user, { isRefused: true });
      return;
    }
    const stream: Stream = {
      user,
      thing,
      surface,
      abort,
      came: new Map(),
      allowed: new Map(),
      foreign: [],
      isEnded: false,
    };
    this.#streams.push(stream);
    program.say(`${user.userId} listens to ${thing.kind} ${nameOf(thing)} over ${surface}`);
    void this.#read(stream, response);
  }

  #events({ kind, id }: Thing, user: Key, { signal }: AbortController): Promise<Response> {
    const module = { note: 'note', base: 'wiki', sheet: 'sheet', notebook: '' }[kind];
    const field = { note: 'note_id', base: 'knowledge_base_id', sheet: 'file_id', notebook: '' }[kind];
    const { url } = this.#program.pick(this.#program.nodes);
    return fetch(`${url}/openapi/${module}/v1/events?${field}=${id}`, {
      headers: { authorization: `Bearer ${user.apiKey}` },
      signal,
    });
  }

  #listen({ kind, id, item, sheetId }: Thing, user: Key, { signal }: AbortController): Promise<Response> {
    const path = { note: `note/${id}`, base: `knowledge/${item}`, sheet: `sheet/${id}/${sheetId}`, notebook: '' }[kind];
    const uri = `sheaf://${path}`;
    const params = { _meta: metaOf(), notifications: { resourceSubscriptions: [uri] } };
    return fetch(`${this.#program.pick(this.#program.nodes).url}/mcp`, {
      method: 'POST',
      headers: headersOf('subscriptions/listen', params, 'modern', user, { accept: 'text/event-stream' }),
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }),
      signal,
    });
  }

  async #read(stream: Stream, response: Response): Promise<void> {
    try {
      for await (const event of eventsOf(response)) this.#hear(stream, event);
    } catch (error) {
      if (!stream.abort.signal.aborted && (error as Error).name !== 'TypeError') throw error;
    }
    stream.isEnded = true;
  }

  #hear(stream: Stream, event: any): void {
    const { thing, user } = stream;
    const text = JSON.stringify(event);
    const count = (operation: string): void => void stream.came.set(operation, (stream.came.get(operation) ?? 0) + 1);
    if (stream.surface === 'mcp') {
      if (event.method === 'notifications/resources/updated') count('any');
    } else if (thing.kind === 'sheet') {
      if (event.tool !== undefined) count('revision');
    } else if (event.operation === undefined || event.operation.startsWith('job:')) {
      return;
    } else if (event.target === thing.id || thing.kind === 'base') {
      count(event.operation);
    } else if (event.user_id !== user.userId) {
      const target = this.#program.model.things.find(({ id }) => id === event.target);
      if (target?.owner !== user.userId) stream.foreign.push(text);
    }
    for (const one of this.#program.model.things)
      for (const secret of [one.word, ...one.names]) if (text.includes(secret)) stream.foreign.push(text);
  }

  /** Records that something happened to a thing, of which those who may read it now are told. */
  wrote(thing: Thing, operation: string): void {
    for (const stream of this.#streams) {
      if (stream.thing !== thing || thing.isDeleted) continue;
      if (!this.#program.model.may(stream.user.userId, thing, 'read')) continue;
      for (const one of [operation, 'any']) stream.allowed.set(one, (stream.allowed.get(one) ?? 0) + 1);
    }
  }

  /** Runs a change by which users may lose access, and notes whose streams have to end. */
  async losing(run: () => Promise<void>): Promise<void> {
    await run();
    for (const stream of this.#streams) {
      const { thing, user } = stream;
      const may = !thing.isDeleted && this.#program.model.may(user.userId, thing, 'read');
      // The owner of a deleted note goes on hearing of the own notes.
      if (may || thing.owner === user.userId) continue;
      stream.lostAt ??= performance.now();
    }
  }

  /** Fails if somebody heard what they may not, or if a stream is open whose user lost access some time ago. */
  verify(): void {
    for (const stream of this.#streams) {
      const what = `${stream.user.userId} hears of ${stream.thing.kind} ${nameOf(stream.thing)} over ${stream.surface}`;
      const message = (): string => `${what}; ${this.#program.where()}`;
      for (const [operation, count] of stream.came)
        if (count > (stream.allowed.get(operation) ?? 0))
          expect([operation, count], message()).toEqual([operation, stream.allowed.get(operation) ?? 0]);
      if (stream.foreign.length > 0) expect(stream.foreign, message()).toEqual([]);
      if (stream.surface === 'http' && stream.lostAt !== undefined && performance.now() - stream.lostAt > endMs)
        expect(stream.isEnded, `the stream is open: ${message()}`).toBe(true);
    }
    this.#streams = this.#streams.filter(({ isEnded }) => !isEnded);
  }

  #close(stream: Stream): void {
    stream.abort.abort();
    this.#streams = this.#streams.filter((one) => one !== stream);
  }

  closeAll(): void {
    for (const stream of this.#streams) this.#close(stream);
  }
}
