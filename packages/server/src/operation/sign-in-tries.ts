import { sha256 } from '../lib/hash.ts';
import { randomText } from '../lib/ids.ts';
import type { Sealer } from '../ports/uploads.ts';
import type { RateLimit } from './rate-limit.ts';
import type { SharedLimits } from './shared-limits.ts';

export interface Try {
  address: string;
  name: string;
  /** What the browser kept from an earlier sign-in. */
  device: string | undefined;
}

/**
 * How often a password may be tried. By address, because most guessers have one; by account, because some have many. The
 * limit of an account would let anybody keep its person out, so a browser in which that person signed in before has a
 * limit of its own instead of both.
 */
export class SignInTries {
  readonly addresses: RateLimit;
  readonly accounts: RateLimit;
  readonly devices: RateLimit;
  /** Wrong links from one address: a picture may point at one, so they must not count as tries with a password. */
  readonly links: RateLimit;
  readonly #sealer: Sealer;

  constructor(limits: SharedLimits, sealer: Sealer) {
    this.addresses = limits.limit('sign-in', { rate: 0.2, burst: 10 });
    this.accounts = limits.limit('sign-in-name', { rate: 1 / 30, burst: 20 });
    this.devices = limits.limit('sign-in-device', { rate: 0.2, burst: 10 });
    this.links = limits.limit('sign-in-link', { rate: 0.5, burst: 30 });
    this.#sealer = sealer;
  }

  /** Seconds to wait, or 0 when the password may be looked at. */
  take({ address, name, device }: Try): number {
    const known = this.#deviceOf(name, device);
    if (known !== undefined) return this.devices.take(known);
    return this.accounts.exhausted(bucketOf(name)) || this.addresses.take(address);
  }

  /** The password was wrong: only that counts against the account. */
  failed({ name, device }: Try): void {
    if (this.#deviceOf(name, device) === undefined) this.accounts.take(bucketOf(name));
  }

  /** What a browser keeps after a sign-in, so that it is known the next time. */
  newDevice(name: string): string {
    return this.#sealer.seal(JSON.stringify([name, randomText(20)]));
  }

  /** Only for the account that signed in there: knowing one's own password says nothing about others. */
  #deviceOf(name: string, device: string | undefined): string | undefined {
    const opened = device === undefined ? undefined : this.#sealer.unseal(device);
    if (opened === undefined) return undefined;
    const [owner, id] = JSON.parse(opened) as [string, string];
    return owner === name ? id : undefined;
  }
}

/** A name comes from anybody and may be long. */
function bucketOf(name: string): string {
  return sha256(name).slice(0, 32);
}
