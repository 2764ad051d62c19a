import { RefusalError } from './refusal-error.ts';

export type FetchRefusal =
  | { reason: 'bad_url'; fault: 'characters' | 'not_a_url' | 'no_host'; url: string }
  /** Refused because the redirect target is not a URL. */
  | { reason: 'bad_url'; fault: 'redirect' }
  | { reason: 'scheme' | 'credentials'; url: string }
  | { reason: 'port'; url: string; port: number }
  | { reason: 'private_address' | 'unresolvable'; host: string }
  | { reason: 'too_many_redirects'; limit: number }
  | { reason: 'too_large'; fault: 'bytes'; maxBytes: number }
  /** Refused because the decompressed body is more than `maxRatio` times as large as the bytes received. */
  | { reason: 'too_large'; fault: 'ratio'; maxRatio: number }
  /**
   * With `timeoutMs`: the whole fetch took longer than that. Without it: the server could not be reached in time or
   * stopped sending.
   */
  | { reason: 'timed_out'; timeoutMs?: number }
  | { reason: 'status'; status: number }
  | { reason: 'unreachable'; fault: 'not_http' }
  | { reason: 'unreachable'; fault: 'encodings'; count: number }
  | { reason: 'unreachable'; fault: 'encoding'; encoding: string }
  /** Refused because too many fetches are running at the moment; a retry may succeed. */
  | { reason: 'crowded' };

export class FetchRefused extends RefusalError<FetchRefusal> {}

export interface ResponseHead {
  /** URL of the response, after all redirects. */
  finalUrl: string;
  status: number;
  /** Content type of the response in lower case, with parameters as sent; '' if there is none. */
  contentType: string;
  /** Length of the body in bytes as the server declares it; undefined if the server declares none. */
  contentLength: number | undefined;
  /** File name from Content-Disposition or the URL path; '' if neither has one. */
  fileName: string;
}

/** A received body. A large body stays on disk until `read` is called. The caller must call `discard`. */
export interface FetchedBody {
  readonly size: number;
  read(): Promise<Uint8Array>;
  discard(): Promise<void>;
}

export interface StreamedResponse extends ResponseHead {
  body: FetchedBody;
}

export interface FetchOptions {
  /**
   * Maximum size in bytes of the decompressed body, or a function that computes it from the first bytes of the body. A
   * function is used where the limit depends on the file type, because the declared content types are unreliable.
   */
  maxBytes: number | ((head: Uint8Array) => number);
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface ExchangeOptions {
  maxBytes: number;
  timeoutMs: number;
  headers?: Readonly<Record<string, string>>;
  /** Form to send as a POST request. Without it, the request is a GET. */
  form?: URLSearchParams;
}

export interface PostOptions {
  timeoutMs: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  signal?: AbortSignal;
}

/** A response with any HTTP status, small enough to be held in memory. */
export interface BufferedResponse {
  status: number;
  contentType: string;
  body: Uint8Array;
}

/**
 * HTTP client for URLs that users or other servers supply. Connects only to public addresses by http or https, and
 * checks every redirect. Limits bytes, time, redirects, decompression ratio and the total size of all bodies.
 * Violations throw FetchRefused.
 */
export interface WebFetcher {
  /**
   * Returns whether a URL may be fetched, based on the URL alone. The IP addresses of a host name are checked later,
   * when the name is resolved.
   */
  mayFetch(url: string): boolean;
  /**
   * Requests a URL to find out its type, size and name. Follows redirects and reads only the headers. Throws
   * FetchRefused if the final status is not 2xx.
   */
  probe(url: string, caps: Omit<FetchOptions, 'maxBytes'>): Promise<ResponseHead>;
  fetch(url: string, caps: FetchOptions): Promise<StreamedResponse>;
  /** Makes one request for an API call. Redirects are returned, not followed. */
  exchange(url: string, caps: ExchangeOptions): Promise<BufferedResponse>;
  /** Posts a body and returns the status of the response. Redirects are returned, not followed. */
  submit(url: string, caps: PostOptions): Promise<number>;
}
