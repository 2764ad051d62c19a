import { BlockList, isIP } from 'node:net';

/** A set of IP addresses and networks, such as `127.0.0.1` and `10.0.0.0/8`. */
export class IpAddressSet {
  readonly #known = new BlockList();
  readonly #names: readonly string[];

  /** Throws if a name is neither an IP address nor a network. */
  constructor(names: readonly string[]) {
    this.#names = names;
    for (const name of names) this.#add(name);
  }

  #add(name: string): void {
    const [address = '', bits, ...rest] = name.split('/');
    const family = isIP(address);
    const length = bits === undefined ? undefined : Number(bits);
    const longest = family === 4 ? 32 : 128;
    if (family === 0 || rest.length > 0 || (length !== undefined && !(/^\d+$/.test(bits!) && length <= longest)))
      throw new Error(`${JSON.stringify(name)} is neither an address nor a network such as 10.0.0.0/8`);
    const kind = family === 4 ? 'ipv4' : 'ipv6';
    if (length === undefined) this.#known.addAddress(address, kind);
    else this.#known.addSubnet(address, length, kind);
  }

  get isEmpty(): boolean {
    return this.#names.length === 0;
  }

  has(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#known.check(address, family === 4 ? 'ipv4' : 'ipv6');
  }

  toString(): string {
    return this.#names.join(',');
  }
}
