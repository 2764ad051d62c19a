/** A request that got no answer: whether it was carried out is not known. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/**
 * The browser's own failure of a request, said as ours; an answer that breaks off or is none of our server's is one too. What
 * the page itself called off stays what it is.
 */
export async function reaching<Result>(
  request: Promise<Result>,
  signal: AbortSignal | null | undefined,
): Promise<Result> {
  try {
    return await request;
  } catch (error) {
    if (signal?.aborted && (signal.reason as { name?: string } | undefined)?.name !== 'TimeoutError') throw error;
    if (error instanceof Unreachable) throw error;
    throw new Unreachable('the server cannot be reached', { cause: error });
  }
}
