import { setTimeout as sleep } from 'node:timers/promises';
import { call, SheafError, type ClientOptions, type RawAnswer } from '@sheaf/client';
import { ImportError } from './import-error.ts';

/** Error codes for rate limits and unavailable backends, after which a retry may succeed. */
const retryableCodes = new Set([20002, 110021, 110010]);
const retryableStatus = new Set([429, 502, 503, 504]);
const maxTries = 8;
const firstDelayMs = 250;
const maxDelayMs = 10_000;
const timeoutMs = 120_000;

export class RemoteError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Calls the operations of one server. Repeats calls that fail because of a rate limit or a temporary error, because a
 * long import must survive such failures.
 */
export class RetryingClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  get url(): string {
    return this.#options.url;
  }

  /**
   * Calls an operation and returns the answer's data. Throws RemoteError if the server refuses the call. Throws
   * ImportError if the server still does not respond after several tries, or responds with something that is not JSON.
   */
  async call(operation: string, input: object, idempotencyKey?: string): Promise<Record<string, unknown>> {
    return (await this.send(operation, input, idempotencyKey)).data;
  }

  async send(operation: string, input: object, idempotencyKey?: string): Promise<RawAnswer> {
    const [module = '', name = ''] = operation.split('.');
    for (let tries = 1; ; tries++) {
      let trouble: string;
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        const answer = await call(this.#options, module, name, input, { idempotencyKey, signal });
        if (answer.code === 0) return answer;
        if (!retryableCodes.has(answer.code) && !retryableStatus.has(answer.status))
          throw new RemoteError(answer.code, answer.msg);
        trouble = answer.msg;
      } catch (error) {
        if (error instanceof RemoteError) throw error;
        if (error instanceof SheafError && !retryableStatus.has(error.status)) throw new ImportError(error.message);
        trouble = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      }
      if (tries >= maxTries)
        throw new ImportError(
          `${this.#options.url} is not responding: ${trouble}; run the same command again to go on from here`,
        );
      await sleep(Math.min(maxDelayMs, firstDelayMs * 2 ** tries));
    }
  }

  /**
   * Calls a list operation page by page and yields each answer. `first` is the cursor of the first page. `list` names
   * the answer field with the entries: if an answer has no cursor of the next page, the number of entries read so far
   * is sent as the cursor.
   */
  async *pages(operation: string, input: object, { first = '', list = '' } = {}): AsyncGenerator<Answered> {
    let seen = 0;
    for (let cursor = first; ;) {
      const page = await this.call(operation, { ...input, cursor });
      yield page;
      const listed = (page[list] as unknown[] | undefined)?.length ?? 0;
      seen += listed;
      const told = page['next_cursor'];
      const next = typeof told === 'string' && told !== '' ? told : listed > 0 ? String(seen) : '';
      if (page['is_end'] !== false || next === '' || next === cursor) return;
      cursor = next;
    }
  }
}

type Answered = Record<string, unknown>;
