import type { IncomingMessage } from 'node:http';

/** How much of an unwanted body is read, so that the client sees the refusal instead of a broken connection. */
const politeBytes = 32 * 2 ** 20;
const politeMs = 5_000;

export function drain(request: IncomingMessage): void {
  let left = politeBytes;
  const timer = setTimeout(() => request.destroy(), politeMs);
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.on('error', () => undefined);
  request.on('close', () => clearTimeout(timer));
  request.resume();
}
