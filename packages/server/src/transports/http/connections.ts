import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { every } from '../../lib/background.ts';
import { Incoming } from './incoming.ts';
import { failureBody } from './answer.ts';

const everyMs = 10_000;
/**
 * Minimum bytes of a body per check, far below any real line speed. Bodies slower than this for a minute are cut off.
 */
const minBytes = 40 * 1024;
const maxSlow = 6;
/** A body that is read into memory must be complete after five minutes, even if it arrives steadily. */
const maxLooks = 30;
const defaultPerAddress = 2000;

interface Watched {
  request: IncomingMessage | undefined;
  bytes: number;
  slow: number;
  looks: number;
}

/**
 * Connection limits that Node lacks. Closes connections whose request never completes: Node's own timeout would also
 * hit uploads, which may take hours. Limits the connections per address. At shutdown, closes connections that have sent
 * no request.
 */
export class Connections {
  readonly #sockets = new Map<Socket, Watched>();
  readonly #ofAddress = new Map<string, number>();
  readonly #addressOf: (socket: Socket) => string | undefined;
  readonly #perAddress: number;
  readonly #code: number;
  readonly #timer: NodeJS.Timeout;

  /**
   * `addressOf`: the address a connection counts for; undefined for proxies, which carry many clients. `code`: error
   * code of a refusal.
   */
  constructor(
    code: number,
    addressOf: (socket: Socket) => string | undefined = () => undefined,
    perAddress = defaultPerAddress,
  ) {
    this.#code = code;
    this.#addressOf = addressOf;
    this.#perAddress = perAddress;
    this.#timer = every('looking for stuck connections', everyMs, () => this.look()).unref();
  }

  opened(socket: Socket): void {
    const address = this.#addressOf(socket);
    if (address !== undefined && !this.#enter(address)) return refuse(socket, this.#code);
    this.#sockets.set(socket, { request: undefined, bytes: 0, slow: 0, looks: 0 });
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (address !== undefined) this.#leave(address);
    });
  }

  /** Updates the connection's entry for a new request; the entry needs no cleanup when the request is answered. */
  asked(request: IncomingMessage): void {
    const watched = this.#sockets.get(request.socket);
    if (!watched) return;
    watched.request = request;
    watched.bytes = request.socket.bytesRead;
    watched.slow = 0;
    watched.looks = 0;
  }

  look(): void {
    for (const [socket, watched] of this.#sockets) {
      const { request } = watched;
      if (request === undefined || request.complete) continue;
      const came = socket.bytesRead - watched.bytes;
      watched.bytes = socket.bytesRead;
      // Unread data in the buffer means that the server is slow, not the client.
      watched.slow = came < minBytes && request.readableLength === 0 ? watched.slow + 1 : 0;
      watched.looks++;
      const isUpload = request instanceof Incoming && request.isUpload;
      if (watched.slow > maxSlow || (!isUpload && watched.looks > maxLooks)) socket.destroy();
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const [socket, { request }] of this.#sockets) if (request === undefined) socket.destroy();
  }

  #enter(address: string): boolean {
    const count = (this.#ofAddress.get(address) ?? 0) + 1;
    if (count > this.#perAddress) return false;
    this.#ofAddress.set(address, count);
    return true;
  }

  #leave(address: string): void {
    const left = (this.#ofAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#ofAddress.set(address, left);
    else this.#ofAddress.delete(address);
  }
}

function refuse(socket: Socket, code: number): void {
  const body = JSON.stringify(failureBody(code, 'too many connections from this address; close some'));
  socket.on('error', () => undefined);
  socket.write(
    `HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json; charset=utf-8\r\nretry-after: ` +
      `1\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
  // Sends the refusal and closes; further input is not read.
  socket.destroySoon();
}
