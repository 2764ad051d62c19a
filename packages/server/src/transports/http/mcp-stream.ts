import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { runEvery } from '../../lib/background-tasks.ts';

const aliveMs = 10_000;
/** Maximum unread bytes before the client is disconnected. */
const maxUnread = 2 ** 20;

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
    out.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    if (out.writableLength > maxUnread) out.destroy();
  }

  /** `undefined`: ends the stream without an answer. */
  end(answer: unknown): void {
    const out = this.#reply.raw;
    if (answer !== undefined) {
      if (!this.isOpen) this.#open();
      // An answer is written whatever its size; only notifications are subject to the unread limit.
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
    this.#alive = runEvery('the heartbeat of an MCP stream', aliveMs, () => void out.write(': still here\n\n')).unref();
    out.once('close', () => clearInterval(this.#alive));
  }
}
