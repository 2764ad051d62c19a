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

/**
 * An argon2 hash that matches no password. For an unknown user name, the password is verified against this hash, so
 * that the response takes as long as for a wrong password.
 */
const dummyHash = '$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5bm9ib2R5bm9ib2R5$3vQ8Yb0m6Qw2oY2m2v0kqv8J0m2v0kqv8J0m2v0kqv8';

interface SignInDependencies {
  accounts: AccountStore;
  passwords: PasswordHasher;
  clock: Clock;
  failedSignIns: FailedSignInLog;
  notifier: Pick<Services, 'events' | 'log'>;
}

export class AccountSignIn implements SignInService {
  readonly #parts: SignInDependencies;

  constructor(parts: SignInDependencies) {
    this.#parts = parts;
  }

  async userOfLink(token: string): Promise<SignInUser | undefined> {
    const userId = await this.#parts.accounts.signInTokenUser(hashSecret(token), this.#parts.clock.now());
    const user = userId === undefined ? undefined : await this.#parts.accounts.user(userId);
    if (user?.state === 'active') return { userId: user.id, name: user.name };
    this.#parts.failedSignIns.add('links');
    return undefined;
  }

  async signInByLink(token: string, device: string): Promise<NewSession | undefined> {
    if (!(await this.userOfLink(token))) return undefined;
    const userId = await this.#parts.accounts.takeSignInToken(
      systemStamp(this.#parts.clock.now(), 'page.use_link'),
      hashSecret(token),
    );
    const user = userId === undefined ? undefined : await this.#parts.accounts.user(userId);
    return user?.state === 'active' ? this.#session(user, device, 'page.sign_in_by_link') : undefined;
  }

  async signInByPassword(name: string, password: string, device: string): Promise<NewSession> {
    const user = await this.#parts.accounts.userByName(name);
    const good = await this.#parts.passwords.verify(user?.passwordHash ?? dummyHash, password);
    if (user?.passwordHash && good && user.state === 'active')
      return this.#session(user, device, 'page.sign_in_by_password');
    this.#parts.failedSignIns.add('passwords');
    throw fail('unauthenticated', 'the name or password is incorrect');
  }

  async userOfSession(token: string): Promise<SignInUser | undefined> {
    const found = await this.#parts.accounts.sessionByTokenHash(hashSecret(token));
    if (!found || found.user.state !== 'active' || found.session.expiresAt <= this.#parts.clock.now()) return undefined;
    return { userId: found.user.id, name: found.user.name };
  }

  async signOut(token: string): Promise<void> {
    const found = await this.#parts.accounts.sessionByTokenHash(hashSecret(token));
    if (!found) return;
    await this.#parts.accounts.deleteSession(
      systemStamp(this.#parts.clock.now(), 'page.sign_out', found.user.id),
      found.user.id,
      found.session.id,
    );
    publishAccessChange(this.#parts.notifier, { user_id: found.user.id });
  }

  close(): Promise<void> {
    return this.#parts.failedSignIns.flush();
  }

  async #session(user: User, device: string, how: string): Promise<NewSession> {
    const stamp = systemStamp(this.#parts.clock.now(), how, user.id);
    const isByLink = how === 'page.sign_in_by_link';
    const session = await createSession(this.#parts.accounts, stamp, user.id, device, { isByLink });
    return {
      userId: user.id,
      name: user.name,
      token: session.token,
      seconds: Math.floor((session.expiresAt - this.#parts.clock.now()) / 1000),
    };
  }
}
