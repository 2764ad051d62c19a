import { Refused } from './refused.ts';

export type FetchRefusal =
  | { reason: 'bad_url'; fault: 'characters' | 'not_a_url' | 'no_host'; url: string }
  /** The page leads to something that is not a URL. */
  | { reason: 'bad_url'; fault: 'redirect' }
  | { reason: 'scheme' | 'credentials'; url: string }
  | { reason: 'port'; url: string; port: number }
  | { reason: 'private_address' | 'unresolvable'; host: string }
  | { reason: 'too_many_redirects'; limit: number }
  | { reason: 'too_large'; fault: 'bytes'; maxBytes: number }
  /** It unpacks to more than so many times what was sent. */
  | { reason: 'too_large'; fault: 'ratio'; maxRatio: number }
  /** The whole page within `timeoutMs`; its server at all where there is none. */
  | { reason: 'timed_out'; timeoutMs?: number }
  | { reason: 'status'; status: number }
  | { reason: 'unreachable'; fault: 'not_http' }
  | { reason: 'unreachable'; fault: 'encodings'; count: number }
  | { reason: 'unreachable'; fault: 'encoding'; encoding: string }
  /** Too much is being fetched at the same time; later it may pass. */
  | { reason: 'crowded' };

/** The page was not fetched. */
export class FetchRefused extends Refused<FetchRefusal> {}

export interface Probed {
  /** After redirects. */
  finalUrl: string;
  status: number;
  /** Lower case, with parameters as sent; '' when none. */
  contentType: string;
  /** Undefined when the server does not say. */
  contentLength: number | undefined;
  /** From Content-Disposition or the path; '' when neither names one. */
  fileName: string;
}

/** A body that has arrived. It takes no memory to speak of until it is read; whoever has it discards it in the end. */
export interface FetchedBody {
  readonly size: number;
  read(): Promise<Uint8Array>;
  discard(): Promise<void>;
}

export interface Fetched extends Probed {
  body: FetchedBody;
}

export interface FetchCaps {
  /** Of the body after decompression; may be decided by its first bytes, for servers lie about what they send. */
  maxBytes: number | ((head: Uint8Array) => number);
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface ExchangeCaps {
  maxBytes: number;
  timeoutMs: number;
  headers?: Readonly<Record<string, string>>;
  /** Sent by POST; without one it is a GET. */
  form?: URLSearchParams;
}

export interface PostCaps {
  timeoutMs: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  signal?: AbortSignal;
}

/** An answer of a few bytes, whatever its status. */
export interface Exchanged {
  status: number;
  contentType: string;
  body: Uint8Array;
}

/**
 * The one way out of the product. Guarantees: only http and https, only public addresses (checked at connect, at every
 * redirect), with caps on bytes, time and redirects, on how far a body may unpack, and on all bodies together; memory does not
 * follow what is sent. Everything else is FetchRefused.
 */
export interface WebFetcher {
  /** Whether an address could be fetched, as far as its text tells: names are judged only when they are looked up. */
  mayFetch(url: string): boolean;
  /** Waits for the headers of the page, follows redirects, reads no body. A status of 400 and above is refused. */
  probe(url: string, caps: Omit<FetchCaps, 'maxBytes'>): Promise<Probed>;
  fetch(url: string, caps: FetchCaps): Promise<Fetched>;
  /** One request and its answer, for programs that talk to programs: a redirect is an answer and is not followed. */
  exchange(url: string, caps: ExchangeCaps): Promise<Exchanged>;
  /** Sends something and hears only with which status it was taken. A redirect is an answer and is not followed. */
  submit(url: string, caps: PostCaps): Promise<number>;
}
