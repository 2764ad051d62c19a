/** Where clients reach this server: the configured address, else the one it listens on, which is known only later. */
export class PublicAddress {
  readonly #configured: string | undefined;
  #url: string;

  constructor(config: { SHEAF_PUBLIC_URL?: string | undefined; SHEAF_HOST: string; SHEAF_PORT: number }) {
    this.#configured = config.SHEAF_PUBLIC_URL?.replace(/\/+$/, '');
    this.#url =
      this.#configured ??
      reachable(
        `http://${config.SHEAF_HOST.includes(':') ? `[${config.SHEAF_HOST}]` : config.SHEAF_HOST}:${config.SHEAF_PORT}`,
      );
  }

  /** The server listens now. */
  listening(url: string): void {
    this.#url = this.#configured ?? reachable(url);
  }

  /** Without a slash at its end. */
  get url(): string {
    return this.#url;
  }

  get origin(): string {
    return new URL(this.#url).origin;
  }

  /** host:port, the port also where it is the scheme's own: storage clients do not guess it. */
  get hostAndPort(): string {
    const url = new URL(this.#url);
    return `${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port}`;
  }
}

/** The address of all interfaces is one to listen on, not one to call. */
export function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
