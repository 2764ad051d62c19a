import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { runEvery } from '../../lib/background-tasks.ts';

const aliveMs = 10_000;
/** Maximum number of unsent bytes per stream. A client that reads more slowly is disconnected. */
const maxUnread = 2 ** 20;

/** Takes the response over from Fastify and begins a stream of server-sent events. */
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
  out.write(`${text}\n\n`);
  if (out.writableLength > maxUnread) out.destroy();
}

/**
 * Answers one request as server-sent events: notifications first, then the answer. The first message opens the stream.
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

  /** Writes the answer and ends the stream. With undefined, ends it without an answer. */
  end(answer: unknown): void {
    const out = this.#reply.raw;
    if (answer !== undefined) {
      if (!this.isOpen) this.#open();
      // Write an answer of any size; only notifications are subject to the limit on unsent bytes.
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
