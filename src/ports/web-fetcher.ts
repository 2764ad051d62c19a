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
  | 'bad_url'
  /** Too much is being fetched at the same time; later it may pass. */
  | 'crowded';

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
}
