import type { IncomingMessage } from 'node:http';
import { later } from '../../lib/background.ts';

/** How much of a refused body is read, so that the client gets the answer instead of a connection reset. */
const politeBytes = 32 * 2 ** 20;
const politeMs = 5_000;

/** Discards the rest of a body, up to a size and time limit. Calls `whenDone` in every case. */
export function drain(request: IncomingMessage, whenDone: () => void = () => undefined): void {
  let left = politeBytes;
  let isDone = false;
  const timer = later('ending an unwanted body', politeMs, () => request.destroy());
  const done = (): void => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    whenDone();
  };
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.on('error', () => undefined);
  request.on('end', done).on('close', done);
  request.resume();
}
