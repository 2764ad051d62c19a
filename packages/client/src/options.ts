export interface ClientOptions {
  /** Where the server is, e.g. http://127.0.0.1:8787. In the page: ''. */
  url: string;
  /** Without a key the browser's session cookie is used. */
  clientId?: string | undefined;
  apiKey?: string | undefined;
  headerPrefix?: string | undefined;
  /** For tests and proxies; the global fetch otherwise. */
  fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
}
