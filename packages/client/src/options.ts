export interface ClientOptions {
  /** Base URL of the server, e.g. http://127.0.0.1:8787; empty for requests to the page's own origin. */
  url: string;
  /** Without clientId and apiKey, the browser's session cookie authenticates the requests. */
  clientId?: string | undefined;
  apiKey?: string | undefined;
  headerPrefix?: string | undefined;
  /** Used instead of the global fetch, e.g. in tests or behind a proxy. */
  fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  idempotencyKey?: string | undefined;
  /** Why the write is made, for the history and the audit log. */
  reason?: string | undefined;
  signal?: AbortSignal | undefined;
}
