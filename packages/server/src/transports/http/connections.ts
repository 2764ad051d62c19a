import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { every } from '../../lib/background.ts';
import { Incoming } from './incoming.ts';
import { failureBody } from './answer.ts';

const everyMs = 10_000;
/** A body must bring so many bytes between two looks, far less than any line gives; after a minute of less it is ended. */
const minBytes = 40 * 1024;
const maxSlow = 6;
/** What is read into memory must be whole after five minutes, however steadily it comes. */
const maxLooks = 30;
const defaultPerAddress = 2000;

interface Watched {
  request: IncomingMessage | undefined;
  bytes: number;
  slow: number;
  looks: number;
}

/**
 * What Node does not do about connections. Those whose request never becomes whole are ended: anybody could hold any number
 * of them otherwise, byte by byte, and Node's own limit would hold for uploads too, which may take hours. Nobody has more
 * than so many of them. Those on which nothing was asked yet do not hold up a stop.
 */
export class Connections {
  readonly #sockets = new Map<Socket, Watched>();
  readonly #ofAddress = new Map<string, number>();
  readonly #addressOf: (socket: Socket) => string | undefined;
  readonly #perAddress: number;
  readonly #code: number;
  readonly #timer: NodeJS.Timeout;

  /** `addressOf`: whom a connection counts for; undefined for proxies, which bring everybody's. `code`: of a refusal. */
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

  /** One entry for each connection: nothing has to be undone when a request is answered. */
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
      // While we have not taken what came already, it is us who are slow.
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
  // Nothing that it sends is read any more.
  socket.destroySoon();
}
