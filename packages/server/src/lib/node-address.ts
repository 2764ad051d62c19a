import { networkInterfaces } from 'node:os';

/**
 * Address at which other nodes of the installation reach this node: the configured address, otherwise the one on which
 * this node listens.
 */
export class NodeAddress {
  readonly #configured: string | undefined;
  #listening = '';

  constructor(configured: string | undefined) {
    this.#configured = configured?.replace(/\/+$/, '');
  }

  setListeningUrl(url: string): void {
    this.#listening = url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, `//${firstNetworkAddress()}:`);
  }

  /** URL at which other nodes reach this node; empty for a process that does not listen. */
  get url(): string {
    return this.#configured ?? this.#listening;
  }
}

function firstNetworkAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}
