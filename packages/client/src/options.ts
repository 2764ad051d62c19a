export interface ClientOptions {
  /** Base URL of the server, e.g. http://127.0.0.1:8787; '' in the server's own page. */
  url: string;
  /** Without a key the browser's session cookie is used. */
  clientId?: string | undefined;
  apiKey?: string | undefined;
  headerPrefix?: string | undefined;
  /** Replaces the global fetch, for tests and proxies. */
  fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
}
