import type { IncomingMessage } from 'node:http';
import { runDelayed } from '../../lib/background-tasks.ts';

/** How much of a refused body is read, so that the client gets the answer instead of a connection reset. */
const maxDrainedBytes = 32 * 2 ** 20;
const maxDrainMs = 5_000;

/** Discards the rest of a body, up to a size and time limit. Calls `whenDone` in every case. */
export function drainBody(request: IncomingMessage, whenDone: () => void = () => undefined): void {
  let left = maxDrainedBytes;
  let isDone = false;
  const timer = runDelayed('ending an unwanted body', maxDrainMs, () => request.destroy());
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
