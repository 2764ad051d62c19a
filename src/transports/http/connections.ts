import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { every } from '../../lib/background.ts';

/** How often is looked, and how often a body may be found unfinished: five minutes, far more than 16 MiB take. */
const everyMs = 30_000;
const mostTimes = 10;

/**
 * What Node does not do about connections. Those whose request never becomes whole are ended: anybody could hold any number
 * of them otherwise, byte by byte, and Node's own limit would hold for uploads too, which may take hours. Those on which
 * nothing was asked yet do not hold up a stop.
 */
export class Connections {
  readonly #latest = new Map<Socket, IncomingMessage | undefined>();
  readonly #found = new WeakMap<IncomingMessage, number>();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = every('looking for stuck connections', everyMs, () => this.look()).unref();
  }

  opened(socket: Socket): void {
    this.#latest.set(socket, undefined);
    socket.once('close', () => this.#latest.delete(socket));
  }

  /** One entry for each connection: nothing has to be undone when a request is answered. */
  asked(request: IncomingMessage): void {
    this.#latest.set(request.socket, request);
  }

  look(): void {
    for (const [socket, request] of this.#latest) {
      if (request === undefined || request.complete || request.method === 'PUT') continue;
      const times = (this.#found.get(request) ?? 0) + 1;
      this.#found.set(request, times);
      if (times > mostTimes) socket.destroy();
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const [socket, request] of this.#latest) if (request === undefined) socket.destroy();
  }
}
