import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** How often is looked, and how often a body may be found unfinished: five minutes, far more than 16 MiB take. */
const everyMs = 30_000;
const mostTimes = 10;

/**
 * Ends connections whose request never becomes whole: anybody could hold any number of them otherwise, byte by byte. Node's
 * own limit would hold for uploads too, which may take hours.
 */
export class SlowBodies {
  readonly #latest = new Map<Socket, IncomingMessage>();
  readonly #found = new WeakMap<IncomingMessage, number>();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => this.look(), everyMs).unref();
  }

  watch(socket: Socket): void {
    socket.once('close', () => this.#latest.delete(socket));
  }

  /** One entry for each connection: nothing has to be undone when a request is answered. */
  began(request: IncomingMessage): void {
    this.#latest.set(request.socket, request);
  }

  look(): void {
    for (const [socket, request] of this.#latest) {
      if (request.complete) continue;
      const times = (this.#found.get(request) ?? 0) + 1;
      this.#found.set(request, times);
      if (times > mostTimes) socket.destroy();
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
