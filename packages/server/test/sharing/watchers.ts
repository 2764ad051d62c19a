import { expect } from 'vitest';
import type { Callable, Key } from '@sheaf/tools/testing/call-client.ts';
import { eventsOf, headersOf, metaOf } from '../mcp/wire.ts';
import type { Thing } from './model.ts';
import { nameOf, type Program } from './program.ts';

const maxStreams = 10;
/** A slow machine may take long to end a stream; a stream that stays open fails the program whatever the machine. */
const endMs = 120_000;

interface Stream {
  readonly user: Key;
  readonly thing: Thing;
  readonly surface: 'http' | 'mcp';
  readonly abort: AbortController;
  /** What came that the user may not hear. */
  readonly foreign: string[];
  /** Whether something happened, while the user was allowed to hear, of which the news may still be on its way. */
  isAwaited: boolean;
  isEnded: boolean;
}

/**
 * Streams of events that users keep open on any node. An event comes only to those who may read the thing when it
 * happens, and the stream of a user who loses access ends.
 */
export class Watchers {
  readonly #program: Program;
  #streams: Stream[] = [];
  /** While access is being taken away, what comes may have been sent before or after. */
  #isLosing = false;

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
    const node = program.pick(program.nodes);
    // The stream of MCP stays open without the thing, so another one on the same node tells when that happens.
    if (surface === 'mcp' && may) await this.#add(thing, user, 'http', node);
    await this.#add(thing, user, surface, node, may);
  }

  async #add(thing: Thing, user: Key, surface: Stream['surface'], node: Callable, may = true): Promise<void> {
    const program = this.#program;
    const abort = new AbortController();
    const open = surface === 'mcp' ? this.#listen : this.#events;
    const response = await open(thing, user, node, abort);
    if (surface === 'http') {
      const message = `${user.userId} opens events of ${thing.kind} ${nameOf(thing)}; ${program.where()}`;
      expect(response.status === 200, message).toBe(may);
    }
    if (response.status !== 200) {
      program.check('events', { id: thing.id }, await response.text(), user, { isRefused: true });
      return;
    }
    const stream: Stream = { user, thing, surface, abort, foreign: [], isAwaited: false, isEnded: false };
    this.#streams.push(stream);
    program.say(`${user.userId} listens to ${thing.kind} ${nameOf(thing)} over ${surface}`);
    void this.#read(stream, response);
  }

  #events({ kind, id }: Thing, user: Key, { url }: Callable, { signal }: AbortController): Promise<Response> {
    const module = { note: 'note', base: 'wiki', sheet: 'sheet', notebook: '' }[kind];
    const field = { note: 'note_id', base: 'knowledge_base_id', sheet: 'file_id', notebook: '' }[kind];
    return fetch(`${url}/openapi/${module}/v1/events?${field}=${id}`, {
      headers: { authorization: `Bearer ${user.apiKey}` },
      signal,
    });
  }

  #listen(
    { kind, id, item, sheetId }: Thing,
    user: Key,
    { url }: Callable,
    { signal }: AbortController,
  ): Promise<Response> {
    const path = { note: `note/${id}`, base: `knowledge/${item}`, sheet: `sheet/${id}/${sheetId}`, notebook: '' }[kind];
    const uri = `sheaf://${path}`;
    const params = { _meta: metaOf(), notifications: { resourceSubscriptions: [uri] } };
    return fetch(`${url}/mcp`, {
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
    const { thing, user, surface } = stream;
    const text = JSON.stringify(event);
    if (surface === 'mcp') {
      if (event.method === 'notifications/resources/updated') this.#count(stream, text);
    } else if (thing.kind === 'sheet') {
      if (event.tool !== undefined) this.#count(stream, text);
    } else if (event.operation === undefined || event.operation.startsWith('job:')) {
      // Says of nothing that it was written.
    } else if (event.target === thing.id || thing.kind === 'base') {
      this.#count(stream, text);
    } else if (event.user_id !== user.userId) {
      const target = this.#program.model.things.find(({ id }) => id === event.target);
      if (target?.owner !== user.userId) stream.foreign.push(text);
    }
    if (this.#isLosing) return;
    for (const one of this.#program.model.things) {
      const isTold = (secret: string): boolean => text.includes(secret);
      if (isTold(one.word) && !this.#program.model.mayKnowWord(user.userId, one)) stream.foreign.push(text);
      if (one.names.some(isTold) && !this.#program.model.mayKnowName(user.userId, one)) stream.foreign.push(text);
    }
  }

  /** News of the thing is foreign to those who may not read it, but for what was sent before they lost it. */
  #count(stream: Stream, text: string): void {
    if (this.#isLosing || this.#mayHear(stream)) return;
    if (stream.isAwaited) stream.isAwaited = false;
    else stream.foreign.push(text);
  }

  /** The owner of a deleted note goes on hearing of the own notes. */
  #mayHear({ thing, user }: Stream): boolean {
    if (!this.#program.isActive(user.userId)) return false;
    return thing.owner === user.userId || (!thing.isDeleted && this.#program.model.may(user.userId, thing, 'read'));
  }

  /** Records that something happened to a thing, of which those who may read it now are told. */
  wrote(thing: Thing): void {
    for (const stream of this.#streams) if (stream.thing === thing && this.#mayHear(stream)) stream.isAwaited = true;
  }

  /** Runs a change by which users may lose access, and waits until the streams of those who did have ended. */
  async losing(run: () => Promise<void>): Promise<void> {
    this.#isLosing = true;
    try {
      await run();
      for (const stream of this.#streams) {
        if (stream.surface === 'mcp' || this.#mayHear(stream)) continue;
        const what = `the stream of ${stream.user.userId} to ${stream.thing.kind} ${nameOf(stream.thing)} has ended`;
        await expect
          .poll(() => stream.isEnded, { timeout: endMs, message: `${what}; ${this.#program.where()}` })
          .toBe(true);
      }
    } finally {
      this.#isLosing = false;
    }
  }

  /** Fails if somebody heard what they may not. */
  verify(): void {
    for (const { user, thing, surface, foreign } of this.#streams) {
      const what = `${user.userId} hears of ${thing.kind} ${nameOf(thing)} over ${surface}`;
      if (foreign.length > 0) expect(foreign, `${what}; ${this.#program.where()}`).toEqual([]);
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
