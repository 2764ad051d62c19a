import { tmpdir } from 'node:os';
import type { Agent, Dispatcher, request } from 'undici';
import {
  FetchRefused,
  type ExchangeOptions,
  type BufferedResponse,
  type FetchOptions,
  type StreamedResponse,
  type PostOptions,
  type ResponseHead,
  type WebFetcher,
} from '../../ports/web-fetcher.ts';
import { toUnavailable, Unavailable } from '../../ports/availability-errors.ts';
import { AddressExemptions } from './address-rules.ts';
import { readBody, tooLarge } from './response-body.ts';
import { fileNameOf } from './file-name.ts';
import type { Resolve } from './guarded-connect.ts';
import { Spool } from './spool.ts';
import { checkUrl } from './url-rules.ts';

const maxRedirects = 5;
const connectTimeoutMs = 10_000;
const maxHeaderBytes = 64 * 1024;
/** Maximum number of bytes on disk for all downloaded bodies together. */
const maxSpooledBytes = 2 ** 30;

export interface FetcherOptions {
  /** Hosts and addresses that may be fetched although they are private (SHEAF_FETCH_ALLOW). */
  allow: readonly string[];
  userAgent: string;
  /**
   * Folder in which large downloaded bodies are stored until they are used. Default: the system's folder for temporary
   * files.
   */
  folder?: string;
  /** Resolves host names. Default: the system's resolver. Tests replace it. */
  resolve?: Resolve;
}

interface Client {
  agent: Agent;
  request: typeof request;
}

interface Answer {
  url: URL;
  response: Dispatcher.ResponseData;
}

export class GuardedWebFetcher implements WebFetcher {
  readonly #exempt: AddressExemptions;
  readonly #userAgent: string;
  readonly #resolve: Resolve | undefined;
  readonly #spool: Spool;
  #client: Promise<Client> | undefined;

  constructor(options: FetcherOptions) {
    this.#exempt = new AddressExemptions(options.allow);
    this.#userAgent = options.userAgent;
    this.#resolve = options.resolve;
    this.#spool = new Spool(options.folder ?? tmpdir(), maxSpooledBytes);
  }

  /** Loads the HTTP client at the first fetch, because most processes never fetch anything. */
  #open(): Promise<Client> {
    this.#client ??= Promise.all([import('undici'), import('./guarded-connect.ts')]).then(
      ([undici, { guardedConnect }]) => ({
        request: undici.request,
        agent: new undici.Agent({
          connect: guardedConnect(this.#exempt, connectTimeoutMs, this.#resolve),
          maxHeaderSize: maxHeaderBytes,
          // Do not reuse connections, so that the address is checked for every request.
          pipelining: 0,
          keepAliveTimeout: 1,
          keepAliveMaxTimeout: 1,
        }),
      }),
    );
    return this.#client;
  }

  mayFetch(url: string): boolean {
    try {
      checkUrl(url, this.#exempt);
      return true;
    } catch (error) {
      if (error instanceof FetchRefused) return false;
      throw error;
    }
  }

  probe(url: string, caps: Omit<FetchOptions, 'maxBytes'>): Promise<ResponseHead> {
    return this.#within(caps, async (signal) => {
      const { url: finalUrl, response } = await this.#follow(url, signal);
      const probed = describe(finalUrl, response);
      discard(response);
      return probed;
    });
  }

  fetch(url: string, caps: FetchOptions): Promise<StreamedResponse> {
    return this.#within(caps, async (signal) => {
      const { url: finalUrl, response } = await this.#follow(url, signal);
      const probed = describe(finalUrl, response);
      const encoding = text(response.headers['content-encoding']);
      if (
        encoding === '' &&
        typeof caps.maxBytes === 'number' &&
        probed.contentLength !== undefined &&
        probed.contentLength > caps.maxBytes
      ) {
        discard(response);
        throw tooLarge(caps.maxBytes);
      }
      return { ...probed, body: await readBody(response.body, encoding, caps.maxBytes, this.#spool) };
    });
  }

  exchange(url: string, caps: ExchangeOptions): Promise<BufferedResponse> {
    return this.#within(caps, async (signal) => {
      const { agent, request } = await this.#open();
      const response = await request(checkUrl(url, this.#exempt), {
        method: caps.form === undefined ? 'GET' : 'POST',
        dispatcher: agent,
        signal,
        headers: {
          'user-agent': this.#userAgent,
          accept: 'application/json',
          'accept-encoding': 'identity',
          ...(caps.form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
          ...caps.headers,
        },
        ...(caps.form === undefined ? {} : { body: caps.form.toString() }),
      });
      const body = await readBody(
        response.body,
        text(response.headers['content-encoding']),
        caps.maxBytes,
        this.#spool,
      );
      try {
        return {
          status: response.statusCode,
          contentType: text(response.headers['content-type']).toLowerCase(),
          body: await body.read(),
        };
      } finally {
        await body.discard();
      }
    });
  }

  submit(url: string, caps: PostOptions): Promise<number> {
    return this.#within(caps, async (signal) => {
      const { agent, request } = await this.#open();
      const response = await request(checkUrl(url, this.#exempt), {
        method: 'POST',
        dispatcher: agent,
        signal,
        headers: { 'user-agent': this.#userAgent, ...caps.headers },
        body: caps.body,
      });
      discard(response);
      return response.statusCode;
    });
  }

  async close(): Promise<void> {
    await (await this.#client)?.agent.destroy();
  }

  async #within<Result>(
    caps: Omit<FetchOptions, 'maxBytes'>,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const deadline = AbortSignal.timeout(caps.timeoutMs);
    try {
      return await work(caps.signal ? AbortSignal.any([deadline, caps.signal]) : deadline);
    } catch (error) {
      if (deadline.aborted) throw new FetchRefused({ reason: 'timed_out', timeoutMs: caps.timeoutMs });
      if (caps.signal?.aborted) throw caps.signal.reason;
      throw refusalOf(error);
    }
  }

  /** Requests a URL and follows redirects. Each redirect is a new request that is checked by the same rules. */
  async #follow(start: string, signal: AbortSignal): Promise<Answer> {
    let url = checkUrl(start, this.#exempt);
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const { agent, request } = await this.#open();
      const response = await request(url, { method: 'GET', dispatcher: agent, signal, headers: this.#headers() });
      const location = text(response.headers['location']);
      if (response.statusCode >= 300 && response.statusCode < 400 && location !== '') {
        discard(response);
        url = checkUrl(next(location, url), this.#exempt);
        continue;
      }
      if (response.statusCode >= 200 && response.statusCode < 300) return { url, response };
      discard(response);
      throw new FetchRefused({ reason: 'status', status: response.statusCode });
    }
    throw new FetchRefused({ reason: 'too_many_redirects', limit: maxRedirects });
  }

  #headers(): Record<string, string> {
    return {
      'user-agent': this.#userAgent,
      accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8',
      'accept-encoding': 'gzip, deflate, br',
    };
  }
}

function describe(url: URL, response: Dispatcher.ResponseData): ResponseHead {
  const length = text(response.headers['content-length']);
  return {
    finalUrl: url.href,
    status: response.statusCode,
    contentType: text(response.headers['content-type']).toLowerCase(),
    contentLength: /^\d{1,15}$/.test(length) ? Number(length) : undefined,
    fileName: fileNameOf(text(response.headers['content-disposition']), url),
  };
}

function next(location: string, from: URL): string {
  // Encode spaces, which are common and harmless in redirects. Refuse control characters.
  const target = location.trim().replaceAll(' ', '%20');
  if (/[\p{Cc}\s]/u.test(target) || !URL.canParse(target, from.href))
    throw new FetchRefused({ reason: 'bad_url', fault: 'redirect' });
  return new URL(target, from).href;
}

/** Closes the connection without reading the body. */
function discard(response: Dispatcher.ResponseData): void {
  response.body.on('error', () => undefined);
  response.body.destroy();
}

function text(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? '';
}

function refusalOf(error: unknown): FetchRefused | Unavailable {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FetchRefused) return cause;
    const shortage = toUnavailable(cause);
    if (shortage instanceof Unavailable) return shortage;
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
      return new FetchRefused({ reason: 'timed_out' });
    }
  }
  return new FetchRefused({ reason: 'unreachable', fault: 'not_http' });
}
