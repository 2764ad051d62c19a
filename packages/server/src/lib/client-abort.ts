/**
 * Abort reason of a call that the client canceled. No answer is sent to such a call. Calls that a server shutdown
 * aborts have another abort reason and still get an answer.
 */
export class ClientAbortReason extends Error {
  constructor() {
    super('the call was cancelled');
  }
}

export function isAbortedByClient(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && signal.reason instanceof ClientAbortReason;
}
