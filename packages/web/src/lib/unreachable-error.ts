/** Thrown if a request gets no response. It is then unknown whether the server applied the request. */
export class UnreachableError extends Error {
  override readonly name = 'Unreachable';
}

/**
 * Waits for a request and converts its failure to UnreachableError, for example if the response is missing, truncated
 * or not from this server. An abort by the page itself, except a timeout, is rethrown unchanged.
 */
export async function asUnreachable<Result>(
  request: Promise<Result>,
  signal: AbortSignal | null | undefined,
): Promise<Result> {
  try {
    return await request;
  } catch (error) {
    if (signal?.aborted && (signal.reason as { name?: string } | undefined)?.name !== 'TimeoutError') throw error;
    if (error instanceof UnreachableError) throw error;
    throw new UnreachableError('the server cannot be reached', { cause: error });
  }
}
