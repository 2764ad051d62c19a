/** [finding R6] Bodies without a key, held just before their end: 40 PUTs took 172 MB to 763 MB and stayed past 430 s. */
import { connect, type Socket } from 'node:net';
import type { Target } from './target.ts';

const MiB = 2 ** 20;
const paths = ['/nowhere', '/mcp', '/files/x', '/openapi/note/v1/import_doc', '/sheaf-1250000000/x', '/sign-in/x'];

/** Returns how many were still open when the time was over. */
export async function heldBodies(target: Target, { count = 40, holdMs = 20_000, methods = ['PUT', 'POST'] } = {}): Promise<number> {
  const port = Number(new URL(target.url).port);
  const open = new Set<Socket>();
  for (let i = 0; i < count; i++) {
    const socket = connect(port, '127.0.0.1');
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    socket.resume();
    socket.write(`${methods[i % methods.length]} ${paths[i % paths.length]} HTTP/1.1\r\nHost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${16 * MiB}\r\n\r\n`);
    // All but the last byte.
    socket.write(Buffer.alloc(16 * MiB - 1, 'a'));
  }
  const until = performance.now() + holdMs;
  while (open.size > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 100));
  const left = open.size;
  for (const socket of open) socket.destroy();
  return left;
}
