export interface ClientOptions {
  /** Base URL of the server, e.g. http://127.0.0.1:8787; empty for requests to the web page's own origin. */
  url: string;
  /**
   * API credentials, sent with each request. If both are absent, the browser's session cookie authenticates the
   * requests.
   */
  clientId?: string | undefined;
  apiKey?: string | undefined;
  headerPrefix?: string | undefined;
  /** Function that is used instead of the global fetch, e.g. in tests or behind a proxy. */
  fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  idempotencyKey?: string | undefined;
  /** Reason for the write, recorded in the history and the audit log. */
  reason?: string | undefined;
  signal?: AbortSignal | undefined;
}
