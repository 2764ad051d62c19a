import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { runEvery } from '../../lib/background-tasks.ts';

const aliveMs = 10_000;
/**
 * Maximum number of unsent bytes per stream. A client that reads so slowly that more bytes are unsent is disconnected.
 */
const maxUnread = 2 ** 20;

/** Takes the response from Fastify and starts a stream of server-sent events on it. */
export function openEventStream(reply: FastifyReply, headers: Record<string, string> = {}): ServerResponse {
  reply.hijack();
  return reply.raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    ...headers,
    'x-request-id': reply.request.id,
  });
}

/** Writes an event, or a comment such as a heartbeat. Disconnects a client that reads too slowly. */
export function writeEvent(out: ServerResponse, text: string): void {
  writeEncoded(out, `${text}\n\n`);
}

/**
 * Cache of encoded events, by the event's data object. All listeners of a topic of the event bus get the same object,
 * so it is encoded only once.
 */
const encoded = new WeakMap<object, Buffer>();

/** Writes the data of an event as JSON. */
export function writeDataEvent(out: ServerResponse, data: object): void {
  let bytes = encoded.get(data);
  if (!bytes) encoded.set(data, (bytes = Buffer.from(`data: ${JSON.stringify(data)}\n\n`)));
  writeEncoded(out, bytes);
}

function writeEncoded(out: ServerResponse, event: string | Buffer): void {
  out.write(event);
  if (out.writableLength > maxUnread) out.destroy();
}

/**
 * Answers one MCP request with server-sent events: first notifications, then the answer. The first message opens the
 * stream.
 */
export class McpStream {
  readonly #reply: FastifyReply;
  #alive: NodeJS.Timeout | undefined;

  constructor(reply: FastifyReply) {
    this.#reply = reply;
  }

  get response(): ServerResponse {
    return this.#reply.raw;
  }

  get isOpen(): boolean {
    return this.#alive !== undefined;
  }

  send(message: unknown): void {
    const out = this.#reply.raw;
    if (!this.isOpen) this.#open();
    if (out.writableEnded || out.destroyed) return;
    writeEvent(out, `event: message\ndata: ${JSON.stringify(message)}`);
  }

  /** Writes the answer and ends the stream. If `answer` is undefined, ends the stream without an answer. */
  end(answer: unknown): void {
    const out = this.#reply.raw;
    if (answer !== undefined) {
      if (!this.isOpen) this.#open();
      // Write an answer of any size. Only notifications are subject to the limit on unsent bytes.
      if (!out.writableEnded && !out.destroyed) out.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
    }
    clearInterval(this.#alive);
    out.end();
  }

  #open(): void {
    const out = openEventStream(this.#reply, { 'x-content-type-options': 'nosniff' });
    this.#alive = runEvery('the heartbeat of an MCP stream', aliveMs, () => void out.write(': still here\n\n')).unref();
    out.once('close', () => clearInterval(this.#alive));
  }
}
