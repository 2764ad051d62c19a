/** Why a call's signal ended: nobody wants the answer any longer. A server that stops still answers what is under way. */
export class Cancelled extends Error {
  constructor() {
    super('the call was cancelled');
  }
}

export function isCancelled(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && signal.reason instanceof Cancelled;
}
