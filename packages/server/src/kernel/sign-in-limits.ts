import { sha256 } from '../lib/hash.ts';
import { randomText } from '../lib/ids.ts';
import type { Sealer } from '../ports/upload-credentials.ts';
import type { RateLimit } from './rate-limit.ts';
import type { SharedRateLimits } from './shared-rate-limits.ts';

export interface SignInAttempt {
  address: string;
  name: string;
  /** Encrypted cookie from an earlier sign-in, by which the browser is recognized. */
  device: string | undefined;
}

/**
 * Limits password attempts per IP address and, because some attackers have many addresses, also per account. An
 * attacker could use the account limit to lock the user out. Therefore a browser that has signed in to the account
 * before has its own limit instead.
 */
export class SignInLimits {
  readonly addresses: RateLimit;
  readonly accounts: RateLimit;
  readonly devices: RateLimit;
  /**
   * Limit for invalid sign-in links per IP address. It is separate from the limit for passwords: any web page can make
   * a browser open invalid links, and must not be able to block the user's password sign-in.
   */
  readonly links: RateLimit;
  readonly #sealer: Sealer;

  constructor(limits: SharedRateLimits, sealer: Sealer) {
    this.addresses = limits.limit('sign-in', { rate: 0.2, burst: 10 });
    this.accounts = limits.limit('sign-in-name', { rate: 1 / 30, burst: 20 });
    this.devices = limits.limit('sign-in-device', { rate: 0.2, burst: 10 });
    this.links = limits.limit('sign-in-link', { rate: 0.5, burst: 30 });
    this.#sealer = sealer;
  }

  /**
   * Counts a sign-in attempt for the browser or the IP address. The account's limit is only checked, because
   * `recordFailure` counts wrong passwords for it. Returns 0 if the password may be checked, otherwise the number of
   * seconds to wait.
   */
  take({ address, name, device }: SignInAttempt): number {
    const known = this.#deviceOf(name, device);
    if (known !== undefined) return this.devices.take(known);
    return this.accounts.secondsToWait(bucketOf(name)) || this.addresses.take(address);
  }

  /**
   * Counts a wrong password towards the account's limit, unless the browser has its own limit. Correct passwords do not
   * count.
   */
  recordFailure({ name, device }: SignInAttempt): void {
    if (this.#deviceOf(name, device) === undefined) this.accounts.take(bucketOf(name));
  }

  /** Returns the value of a cookie that identifies the browser at later sign-ins. */
  issueDeviceCookie(name: string): string {
    return this.#sealer.seal(JSON.stringify([name, randomText(20)]));
  }

  /**
   * Returns the id in the browser's cookie if the cookie was issued for the account `name`. A cookie of another account
   * is ignored, because signing in to one account proves nothing about another.
   */
  #deviceOf(name: string, device: string | undefined): string | undefined {
    const opened = device === undefined ? undefined : this.#sealer.unseal(device);
    if (opened === undefined) return undefined;
    const [owner, id] = JSON.parse(opened) as [string, string];
    return owner === name ? id : undefined;
  }
}

/**
 * Returns the rate limit bucket of an account name. The name is hashed, because unauthenticated requests may send very
 * long names.
 */
function bucketOf(name: string): string {
  return sha256(name).slice(0, 32);
}
