/**
 * Abort reason of a call that the client canceled; no answer is sent. A server shutdown aborts with another reason and
 * still sends answers.
 */
export class CallCancelled extends Error {
  constructor() {
    super('the call was cancelled');
  }
}

export function isCallCancelled(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && signal.reason instanceof CallCancelled;
}
