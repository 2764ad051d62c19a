/** Thrown if a request has no response, so that the caller cannot know whether it was applied. */
export class UnreachableError extends Error {
  override readonly name = 'Unreachable';
}

/**
 * Converts the failure of a request to UnreachableError, because there was no response, or it was truncated or did not
 * come from this server. An abort by the page itself is rethrown unchanged.
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
