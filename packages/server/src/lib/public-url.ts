/** Public URL of this server: the configured one, or else the address it listens on, known once it listens. */
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

  /** Called once the server listens. */
  setListeningUrl(url: string): void {
    this.#url = this.#configured ?? toConnectableUrl(url);
  }

  /** The URL without a trailing slash. */
  get url(): string {
    return this.#url;
  }

  get origin(): string {
    return new URL(this.#url).origin;
  }

  /** host:port, with the port even if it is the scheme's default: storage clients require it. */
  get hostAndPort(): string {
    const url = new URL(this.#url);
    return `${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port}`;
  }
}

/** Replaces the wildcard address, which can be listened on but not connected to, by loopback. */
export function toConnectableUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
