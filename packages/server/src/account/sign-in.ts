import type { Services } from '../context.ts';
import { hashOfSecret } from '../lib/ids.ts';
import { accessChanged } from '../operation/access.ts';
import { fail } from '../operation/errors.ts';
import type { Person, SignIn, SignedIn } from '../operation/sign-in.ts';
import type { AccountStore, User } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Passwords } from '../ports/passwords.ts';
import { systemStamp } from '../ports/stamp.ts';
import { createSession } from './model.ts';
import type { RefusedSignIns } from './refused.ts';

/** An argon2 hash that matches no password, so that an unknown name takes as long as a wrong password. */
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5bm9ib2R5bm9ib2R5$3vQ8Yb0m6Qw2oY2m2v0kqv8J0m2v0kqv8J0m2v0kqv8';

interface Parts {
  accounts: AccountStore;
  passwords: Passwords;
  clock: Clock;
  refused: RefusedSignIns;
  news: Pick<Services, 'events' | 'log'>;
}

/** Signs users in on the web page. */
export class AccountSignIn implements SignIn {
  readonly #accounts: AccountStore;
  readonly #passwords: Passwords;
  readonly #clock: Clock;
  readonly #refused: RefusedSignIns;
  readonly #news: Parts['news'];

  constructor({ accounts, passwords, clock, refused, news }: Parts) {
    this.#news = news;
    this.#accounts = accounts;
    this.#passwords = passwords;
    this.#clock = clock;
    this.#refused = refused;
  }

  async linkedPerson(token: string): Promise<Person | undefined> {
    const userId = await this.#accounts.signInTokenUser(hashOfSecret(token), this.#clock.now());
    const user = userId === undefined ? undefined : await this.#accounts.user(userId);
    if (user?.state === 'active') return { userId: user.id, name: user.name };
    this.#refused.add('links');
    return undefined;
  }

  async byLink(token: string, device: string): Promise<SignedIn | undefined> {
    if (!(await this.linkedPerson(token))) return undefined;
    const userId = await this.#accounts.takeSignInToken(
      systemStamp(this.#clock.now(), 'page.use_link'),
      hashOfSecret(token),
    );
    const user = userId === undefined ? undefined : await this.#accounts.user(userId);
    return user?.state === 'active' ? this.#session(user, device, 'page.sign_in_by_link') : undefined;
  }

  async byPassword(name: string, password: string, device: string): Promise<SignedIn> {
    const user = await this.#accounts.userByName(name);
    const good = await this.#passwords.matches(user?.passwordHash ?? nobodysHash, password);
    if (user?.passwordHash && good && user.state === 'active')
      return this.#session(user, device, 'page.sign_in_by_password');
    this.#refused.add('passwords');
    throw fail('unauthenticated', 'the name or password is incorrect');
  }

  async sessionPerson(token: string): Promise<Person | undefined> {
    const found = await this.#accounts.sessionByTokenHash(hashOfSecret(token));
    if (!found || found.user.state !== 'active' || found.session.expiresAt <= this.#clock.now()) return undefined;
    return { userId: found.user.id, name: found.user.name };
  }

  async signOut(token: string): Promise<void> {
    const found = await this.#accounts.sessionByTokenHash(hashOfSecret(token));
    if (!found) return;
    await this.#accounts.deleteSession(
      systemStamp(this.#clock.now(), 'page.sign_out', found.user.id),
      found.user.id,
      found.session.id,
    );
    accessChanged(this.#news, { user_id: found.user.id });
  }

  close(): Promise<void> {
    return this.#refused.flush();
  }

  async #session(user: User, device: string, how: string): Promise<SignedIn> {
    const stamp = systemStamp(this.#clock.now(), how, user.id);
    const session = await createSession(this.#accounts, stamp, user.id, device);
    return {
      userId: user.id,
      name: user.name,
      token: session.token,
      seconds: Math.floor((session.expiresAt - this.#clock.now()) / 1000),
    };
  }
}
