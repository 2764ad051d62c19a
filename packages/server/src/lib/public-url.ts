/** Public URL of this server: the configured URL, otherwise the address on which it listens. */
export class PublicUrl {
  readonly #configured: string | undefined;
  #url: string;

  constructor(config: { SHEAF_PUBLIC_URL?: string | undefined; SHEAF_HOST: string; SHEAF_PORT: number }) {
    this.#configured = config.SHEAF_PUBLIC_URL?.replace(/\/+$/, '');
    this.#url =
      this.#configured ??
      toConnectableUrl(
        `http://${config.SHEAF_HOST.includes(':') ? `[${config.SHEAF_HOST}]` : config.SHEAF_HOST}:${config.SHEAF_PORT}`,
      );
  }

  /** Sets the URL once the server listens, unless one is configured. */
  setListeningUrl(url: string): void {
    this.#url = this.#configured ?? toConnectableUrl(url);
  }

  /** Public URL without a trailing slash. */
  get url(): string {
    return this.#url;
  }

  get origin(): string {
    return new URL(this.#url).origin;
  }

  /**
   * Host and port for upload clients, which use the S3 protocol. Includes the port even if it is the scheme's default,
   * because these clients require it.
   */
  get hostAndPort(): string {
    const url = new URL(this.#url);
    return `${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port}`;
  }
}

/**
 * Replaces the wildcard address with the loopback address. A server can listen on the wildcard address, but clients
 * cannot connect to it.
 */
export function toConnectableUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
