import { hashOfSecret } from '../lib/ids.ts';
import { fail } from '../operation/errors.ts';
import type { SignIn, SignedIn } from '../operation/sign-in.ts';
import type { AccountStore, User } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import { systemStamp } from '../ports/stamp.ts';
import { createSession, passwordMatches } from './model.ts';

/** An argon2 hash that no password gives: a wrong name costs the same work as a wrong password. */
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5bm9ib2R5bm9ib2R5$3vQ8Yb0m6Qw2oY2m2v0kqv8J0m2v0kqv8J0m2v0kqv8';

/** How a person at the page becomes a caller. */
export class AccountSignIn implements SignIn {
  readonly #accounts: AccountStore;
  readonly #clock: Clock;

  constructor(accounts: AccountStore, clock: Clock) {
    this.#accounts = accounts;
    this.#clock = clock;
  }

  async byLink(token: string): Promise<SignedIn | undefined> {
    const userId = await this.#accounts.takeSignInToken(systemStamp(this.#clock.now(), 'page.use_link'), hashOfSecret(token));
    const user = userId === undefined ? undefined : await this.#accounts.user(userId);
    return user?.state === 'active' ? this.#session(user, 'page.sign_in_by_link') : undefined;
  }

  async byPassword(name: string, password: string): Promise<SignedIn> {
    const user = await this.#accounts.userByName(name);
    const good = await passwordMatches(user?.passwordHash ?? nobodysHash, password);
    if (!user?.passwordHash || !good || user.state !== 'active') throw fail('unauthenticated', 'the name or the password is not right');
    return this.#session(user, 'page.sign_in_by_password');
  }

  async signOut(token: string): Promise<void> {
    const found = await this.#accounts.sessionByTokenHash(hashOfSecret(token));
    if (found) await this.#accounts.deleteSession(systemStamp(this.#clock.now(), 'page.sign_out', found.user.id), found.user.id, found.session.id);
  }

  async #session(user: User, how: string): Promise<SignedIn> {
    const session = await createSession(this.#accounts, systemStamp(this.#clock.now(), how, user.id), user.id);
    return { userId: user.id, name: user.name, token: session.token, seconds: Math.floor((session.expiresAt - this.#clock.now()) / 1000) };
  }
}
