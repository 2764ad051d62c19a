export type FetchRefusal =
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'private_address'
  | 'unresolvable'
  | 'too_many_redirects'
  | 'too_large'
  | 'timed_out'
  | 'status'
  | 'unreachable'
  | 'bad_url';

/** The page was not fetched; the message is for the person who sent the URL. */
export class FetchRefused extends Error {
  readonly reason: FetchRefusal;
  /** The server's status, when that was the reason. */
  readonly status: number | undefined;
  constructor(reason: FetchRefusal, message: string, status?: number) {
    super(message);
    this.name = 'FetchRefused';
    this.reason = reason;
    this.status = status;
  }
}

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

export interface Fetched extends Probed {
  bytes: Uint8Array;
}

export interface FetchCaps {
  /** Of the body after decompression; may be decided by its first bytes, for servers lie about what they send. */
  maxBytes: number | ((head: Uint8Array) => number);
  timeoutMs: number;
  signal?: AbortSignal;
}

/**
 * The one way out of the product. Guarantees: only http and https, only public addresses (checked at connect, at every
 * redirect), with caps on bytes, time and redirects. Everything else is FetchRefused.
 */
export interface WebFetcher {
  /** Whether an address could be fetched, as far as its text tells: names are judged only when they are looked up. */
  mayFetch(url: string): boolean;
  /** Waits for the headers of the page, follows redirects, reads no body. A status of 400 and above is refused. */
  probe(url: string, caps: Omit<FetchCaps, 'maxBytes'>): Promise<Probed>;
  fetch(url: string, caps: FetchCaps): Promise<Fetched>;
}
