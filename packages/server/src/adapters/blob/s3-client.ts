import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, request, type Dispatcher } from 'undici';
import { runDelayed } from '../../lib/background-tasks.ts';
import { Unavailable } from '../../ports/availability-errors.ts';

export interface S3Options {
  endpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
  /** Prefix for every key; ends in a slash. */
  prefix?: string;
  /** Maximum time in milliseconds without a response from the store. */
  timeoutMs?: number;
  /** Maximum number of attempts for requests whose body can be sent again. */
  attempts?: number;
  /** Called after each failed attempt, for metrics. */
  onError?: () => void;
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Request body. A stream can be sent only once, so a request with a stream is not retried. */
  body?: { bytes: Uint8Array } | { stream: AsyncIterable<Uint8Array>; size: number };
  /** Aborts the request, including its retries. */
  signal?: AbortSignal;
}

export type S3Response = Dispatcher.ResponseData;

/** An error response of the store: its code (`NoSuchKey`, `AccessDenied`, ...) and message. */
class S3Error extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(`the object store responded with ${status} ${code}: ${message}`);
    this.name = 'S3Error';
    this.status = status;
    this.code = code;
  }
}

const busyStatus = new Set([429, 500, 502, 503, 504]);
const busyCodes = new Set(['SlowDown', 'InternalError', 'ServiceUnavailable', 'RequestTimeout', 'OperationAborted']);
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EMFILE',
  'ENFILE',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
/** Error codes of timeouts, which mean that the store does not respond at all. */
const silentCodes = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const firstDelayMs = 50;
const silentMs = 10_000;
/**
 * Timeout in milliseconds of a request if the previous request timed out. It is short, so that callers fail fast while
 * the store does not respond.
 */
const silentRetryMs = 2_000;
const oldMs = 15 * 60_000;

/**
 * Sends signed requests to one S3 bucket. A temporary error is thrown as Unavailable, after retries if the request can
 * be repeated.
 */
export class S3Client {
  readonly #options: S3Options;
  #agent: Agent;
  /** Connection pools that were replaced but may still have running requests. */
  readonly #old = new Set<Agent>();
  readonly #signingKeys = new Map<string, ArrayBuffer>();
  /** Whether the last finished request timed out. */
  #isSilent = false;

  constructor(options: S3Options) {
    this.#options = options;
    this.#agent = this.#connections();
  }

  #connections(): Agent {
    const timeout = this.#options.timeoutMs ?? silentMs;
    return new Agent({
      connections: 64,
      connectTimeout: Math.min(timeout, this.#isSilent ? silentRetryMs : silentMs),
      headersTimeout: timeout,
      bodyTimeout: timeout,
    });
  }

  /**
   * Replaces a connection pool whose connections may be stuck. Running requests have `oldMs` milliseconds to finish on
   * the replaced pool.
   */
  #renew(stuck: Agent): void {
    if (this.#agent !== stuck) return;
    this.#agent = this.#connections();
    this.#old.add(stuck);
    runDelayed('ending old connections to the object store', oldMs, async () => {
      this.#old.delete(stuck);
      await stuck.destroy();
    }).unref();
  }

  /**
   * Sends a request. Returns the response if its status is a success, 404 or 416; the caller must consume the body.
   * Throws Unavailable for temporary errors and S3Error for other error responses.
   */
  async send(given: S3Request): Promise<S3Response> {
    const attempts = given.body && 'stream' in given.body ? 1 : (this.#options.attempts ?? 4);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(given);
      } catch (error) {
        this.#options.onError?.();
        // Do not retry after a timeout (`#isSilent`), because the caller has already waited the full timeout.
        const isOver = attempt >= attempts || this.#isSilent || given.signal?.aborted === true;
        if (!(error instanceof Unavailable) || isOver) throw error;
        await sleep(firstDelayMs * 2 ** attempt * (0.5 + Math.random() / 2));
      }
    }
  }

  async #once(given: S3Request): Promise<S3Response> {
    const { endpoint, bucket, prefix = '' } = this.#options;
    const path = given.key === undefined ? bucket : `${bucket}/${prefix}${given.key}`;
    const query = given.query ? `?${new URLSearchParams(given.query).toString()}` : '';
    const signed = await new AwsV4Signer({
      method: given.method,
      url: `${endpoint.replace(/\/$/, '')}/${path}${query}`,
      headers: given.headers,
      accessKeyId: this.#options.accessKey,
      secretAccessKey: this.#options.secretKey,
      region: this.#options.region,
      service: 's3',
      cache: this.#signingKeys,
    }).sign();
    const headers = Object.fromEntries(signed.headers);
    const body = given.body && ('stream' in given.body ? given.body.stream : given.body.bytes);
    if (given.body)
      headers['content-length'] = String('stream' in given.body ? given.body.size : given.body.bytes.length);
    let response: S3Response;
    const agent = this.#agent;
    try {
      const answered = request(signed.url, {
        method: given.method,
        headers,
        body: body as Dispatcher.DispatchOptions['body'],
        dispatcher: agent,
        signal: given.signal,
        ...(this.#isSilent ? { headersTimeout: Math.min(this.#options.timeoutMs ?? silentMs, silentRetryMs) } : {}),
      });
      response = await (given.signal ? raceAbort(answered, given.signal) : answered);
    } catch (error) {
      if (isTimeout(given.signal) || silentCodes.has((error as NodeJS.ErrnoException).code ?? '')) {
        this.#isSilent = true;
        this.#renew(agent);
        throw new Unavailable('the object store did not answer in time', error);
      }
      throw toUnavailable(error);
    }
    this.#isSilent = false;
    if (response.statusCode < 300 || response.statusCode === 404 || response.statusCode === 416) return response;
    const xml = await response.body.text().catch((error: unknown) => Promise.reject(toUnavailable(error)));
    throw errorFromXml(response.statusCode, xml);
  }

  async close(): Promise<void> {
    await Promise.all([this.#agent.close(), ...Array.from(this.#old, (agent) => agent.destroy())]);
  }
}

/**
 * Returns whether the signal was aborted by a timeout. An abort by the caller does not show that the store is
 * unavailable.
 */
function isTimeout(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && (signal.reason as Error).name === 'TimeoutError';
}

/**
 * Settles like `answered`, but rejects as soon as the signal aborts. Undici (the HTTP client) ignores the signal while
 * a request waits for a connection.
 */
function raceAbort(answered: Promise<S3Response>, signal: AbortSignal): Promise<S3Response> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    answered.then(resolve, reject);
  });
}

/** Converts a network error or a lack of file descriptors to Unavailable. Returns other errors unchanged. */
export function toUnavailable(error: unknown): unknown {
  const isPassing = networkCodes.has((error as NodeJS.ErrnoException).code ?? '');
  return isPassing ? new Unavailable('the object store cannot be reached', error) : error;
}

/** Converts an XML error response to Unavailable if the store is busy, otherwise to an S3Error. */
export function errorFromXml(status: number, xml: string): Error {
  const code = xmlText(xml, 'Code') ?? '';
  const message = xmlText(xml, 'Message') ?? '';
  if (busyStatus.has(status) || busyCodes.has(code))
    return new Unavailable(`the object store responded with ${status} ${code}`);
  return new S3Error(status, code, message);
}

/**
 * Returns the text of the first XML element called `name`. A regular expression is enough, because the elements that
 * are read contain only text.
 */
export function xmlText(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml);
  return found?.[1]?.replace(/&(quot|lt|gt|amp|apos|#34|#39);/g, (_, entity: string) => entities[entity]!);
}

export function xmlElements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map((found) => found[1]!);
}

const entities: Record<string, string> = { quot: '"', lt: '<', gt: '>', amp: '&', apos: "'", '#34': '"', '#39': "'" };
