import type { ServerResponse } from 'node:http';
import { CallCancelled } from '../../lib/cancellation.ts';

/** A signal that aborts when the client disconnects before its answer, or the server stops. */
export function disconnectSignal(response: ServerResponse, stopping: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  if (stopping.aborted) end();
  stopping.addEventListener('abort', end);
  response.once('close', () => {
    stopping.removeEventListener('abort', end);
    if (!response.writableFinished) controller.abort(new CallCancelled());
  });
  return controller.signal;
}
