import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { every } from '../../lib/background.ts';

const aliveMs = 10_000;
/** What a client may leave unread before it is cut off. */
const maxUnread = 2 ** 20;

/** The answer to one request as server-sent events: what is told before it, then itself. Opened by the first message. */
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
    out.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    if (out.writableLength > maxUnread) out.destroy();
  }

  /** `undefined`: there is nothing to say at the end. */
  end(answer: unknown): void {
    const out = this.#reply.raw;
    if (answer !== undefined) {
      if (!this.isOpen) this.#open();
      // A long answer is not cut off: only what nobody asked to wait for is.
      if (!out.writableEnded && !out.destroyed) out.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
    }
    clearInterval(this.#alive);
    out.end();
  }

  #open(): void {
    const { raw: out, request } = this.#reply;
    this.#reply.hijack();
    out.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': request.id,
    });
    this.#alive = every('the heartbeat of an MCP stream', aliveMs, () => void out.write(': still here\n\n')).unref();
    out.once('close', () => clearInterval(this.#alive));
  }
}
