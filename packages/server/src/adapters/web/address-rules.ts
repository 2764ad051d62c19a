import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Hosts that may be fetched although their addresses are private: the configured host names, addresses and address
 * ranges.
 */
export class AddressExemptions {
  readonly #hosts = new Set<string>();
  readonly #ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];

  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const bare = entry.replace(/^\[|\]$/g, '').toLowerCase();
      if (ipaddr.isValidCIDR(bare)) this.#ranges.push(ipaddr.parseCIDR(bare));
      else if (isIP(bare) !== 0) this.#ranges.push([ipaddr.parse(bare), bare.includes(':') ? 128 : 32]);
      else this.#hosts.add(bare);
    }
  }

  host(name: string): boolean {
    return this.#hosts.has(name.toLowerCase());
  }

  address(address: string): boolean {
    const parsed = ipaddr.process(address);
    return this.#ranges.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match([range, bits] as never));
  }
}

const globalV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns whether an address is public. The special ranges are not public: loopback, private, link-local, shared,
 * reserved, multicast, and IPv6 forms that contain an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(globalV6);
}
