import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { runEvery } from '../../lib/background-tasks.ts';
import { IncomingRequest } from './incoming-request.ts';
import { rawFailure } from './answer.ts';

const checkIntervalMs = 10_000;
/**
 * Minimum number of body bytes that must arrive per check interval. A connection that stays below it for a minute is
 * closed.
 */
const minBytes = 40 * 1024;
const maxSlow = 6;
/**
 * Number of checks (about five minutes) within which a request body must arrive completely, even if its bytes arrive
 * steadily. Does not apply to uploads.
 */
const maxChecks = 30;
const defaultPerAddress = 2000;

interface WatchedSocket {
  request: IncomingMessage | undefined;
  bytes: number;
  slowChecks: number;
  checks: number;
}

/**
 * Enforces connection limits that Node lacks. Closes connections that send no request or do not complete one in time.
 * Node's own timeout is unsuitable, because it would also end uploads, which may take hours. Also limits the number of
 * connections per client address, and at shutdown closes connections without a request.
 */
export class ConnectionLimits {
  readonly #sockets = new Map<Socket, WatchedSocket>();
  readonly #ofAddress = new Map<string, number>();
  readonly #addressOf: (socket: Socket) => string | undefined;
  readonly #perAddress: number;
  readonly #code: number;
  readonly #timer: NodeJS.Timeout;

  /**
   * `addressOf` returns the client address whose limit a connection counts towards, or undefined for trusted proxies,
   * which connect for many clients. `code` is the error code of a refusal.
   */
  constructor(
    code: number,
    addressOf: (socket: Socket) => string | undefined = () => undefined,
    perAddress = defaultPerAddress,
  ) {
    this.#code = code;
    this.#addressOf = addressOf;
    this.#perAddress = perAddress;
    this.#timer = runEvery('looking for stuck connections', checkIntervalMs, () => this.closeStalled()).unref();
  }

  onConnection(socket: Socket): void {
    const address = this.#addressOf(socket);
    if (address !== undefined && !this.#countConnection(address)) return refuseConnection(socket, this.#code);
    this.#sockets.set(socket, { request: undefined, bytes: 0, slowChecks: 0, checks: 0 });
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (address !== undefined) this.#releaseConnection(address);
    });
  }

  /**
   * Starts watching a new request on its connection. The caller need not end the watch, because a request that has
   * arrived completely is ignored.
   */
  onRequest(request: IncomingMessage): void {
    const watched = this.#sockets.get(request.socket);
    if (!watched) return;
    watched.request = request;
    watched.bytes = request.socket.bytesRead;
    watched.slowChecks = 0;
    watched.checks = 0;
  }

  closeStalled(): void {
    for (const [socket, watched] of this.#sockets) {
      const { request } = watched;
      if (request === undefined) {
        if (++watched.checks > maxSlow) socket.destroy();
        continue;
      }
      if (request.complete) continue;
      const came = socket.bytesRead - watched.bytes;
      watched.bytes = socket.bytesRead;
      // Do not count the check as slow if received data is still unread in the buffer, because then the server is slow,
      // not the client.
      watched.slowChecks = came < minBytes && request.readableLength === 0 ? watched.slowChecks + 1 : 0;
      watched.checks++;
      const isUpload = request instanceof IncomingRequest && request.isUpload;
      if (watched.slowChecks > maxSlow || (!isUpload && watched.checks > maxChecks)) socket.destroy();
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const [socket, { request }] of this.#sockets) if (request === undefined) socket.destroy();
  }

  #countConnection(address: string): boolean {
    const count = (this.#ofAddress.get(address) ?? 0) + 1;
    if (count > this.#perAddress) return false;
    this.#ofAddress.set(address, count);
    return true;
  }

  #releaseConnection(address: string): void {
    const left = (this.#ofAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#ofAddress.set(address, left);
    else this.#ofAddress.delete(address);
  }
}

function refuseConnection(socket: Socket, code: number): void {
  const message = 'too many connections from this address; close some';
  socket.on('error', () => undefined);
  socket.write(rawFailure('429 Too Many Requests', code, message, 'retry-after: 1\r\n'));
  // Close the socket once the refusal is sent. Further input is ignored.
  socket.destroySoon();
}
