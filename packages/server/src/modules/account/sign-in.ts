import type { Services } from '../../context.ts';
import { hashSecret } from '../../lib/ids.ts';
import { publishAccessChange } from '../../kernel/access-changes.ts';
import { fail } from '../../kernel/errors.ts';
import type { SignInUser, SignInService, NewSession } from '../../kernel/sign-in.ts';
import type { AccountStore, User } from '../../ports/account-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PasswordHasher } from '../../ports/password-hasher.ts';
import { systemStamp } from '../../ports/audit-stamp.ts';
import { createSession } from './keys-and-sessions.ts';
import type { FailedSignInLog } from './failed-sign-ins.ts';

/** An argon2 hash that matches no password, so that an unknown name takes as long as a wrong password. */
const dummyHash = '$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5bm9ib2R5bm9ib2R5$3vQ8Yb0m6Qw2oY2m2v0kqv8J0m2v0kqv8J0m2v0kqv8';

interface SignInDependencies {
  accounts: AccountStore;
  passwords: PasswordHasher;
  clock: Clock;
  failedSignIns: FailedSignInLog;
  notifier: Pick<Services, 'events' | 'log'>;
}

/** Signs users in on the web page. */
export class AccountSignIn implements SignInService {
  readonly #accounts: AccountStore;
  readonly #passwords: PasswordHasher;
  readonly #clock: Clock;
  readonly #refused: FailedSignInLog;
  readonly #news: SignInDependencies['notifier'];

  constructor({ accounts, passwords, clock, failedSignIns, notifier }: SignInDependencies) {
    this.#news = notifier;
    this.#accounts = accounts;
    this.#passwords = passwords;
    this.#clock = clock;
    this.#refused = failedSignIns;
  }

  async userOfLink(token: string): Promise<SignInUser | undefined> {
    const userId = await this.#accounts.signInTokenUser(hashSecret(token), this.#clock.now());
    const user = userId === undefined ? undefined : await this.#accounts.user(userId);
    if (user?.state === 'active') return { userId: user.id, name: user.name };
    this.#refused.add('links');
    return undefined;
  }

  async signInByLink(token: string, device: string): Promise<NewSession | undefined> {
    if (!(await this.userOfLink(token))) return undefined;
    const userId = await this.#accounts.takeSignInToken(
      systemStamp(this.#clock.now(), 'page.use_link'),
      hashSecret(token),
    );
    const user = userId === undefined ? undefined : await this.#accounts.user(userId);
    return user?.state === 'active' ? this.#session(user, device, 'page.sign_in_by_link') : undefined;
  }

  async signInByPassword(name: string, password: string, device: string): Promise<NewSession> {
    const user = await this.#accounts.userByName(name);
    const good = await this.#passwords.verify(user?.passwordHash ?? dummyHash, password);
    if (user?.passwordHash && good && user.state === 'active')
      return this.#session(user, device, 'page.sign_in_by_password');
    this.#refused.add('passwords');
    throw fail('unauthenticated', 'the name or password is incorrect');
  }

  async userOfSession(token: string): Promise<SignInUser | undefined> {
    const found = await this.#accounts.sessionByTokenHash(hashSecret(token));
    if (!found || found.user.state !== 'active' || found.session.expiresAt <= this.#clock.now()) return undefined;
    return { userId: found.user.id, name: found.user.name };
  }

  async signOut(token: string): Promise<void> {
    const found = await this.#accounts.sessionByTokenHash(hashSecret(token));
    if (!found) return;
    await this.#accounts.deleteSession(
      systemStamp(this.#clock.now(), 'page.sign_out', found.user.id),
      found.user.id,
      found.session.id,
    );
    publishAccessChange(this.#news, { user_id: found.user.id });
  }

  close(): Promise<void> {
    return this.#refused.flush();
  }

  async #session(user: User, device: string, how: string): Promise<NewSession> {
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
