import { OAuthAuthorizationServer } from '../modules/account/oauth/authorization-server.ts';
import { FailedSignInLog } from '../modules/account/failed-sign-ins.ts';
import { AccountSignIn } from '../modules/account/sign-in.ts';
import { ThreadedPasswordHasher } from '../adapters/passwords/threaded-hasher.ts';
import { SqlRateLimitStore } from '../adapters/sql/rate-limit-store.ts';
import { SecretSealer } from '../adapters/crypto/secret-sealer.ts';
import { Authenticator, failedAttemptLimit } from '../kernel/authenticator.ts';
import { SharedRateLimits } from '../kernel/shared-rate-limits.ts';
import { SignInLimits } from '../kernel/sign-in-limits.ts';
import type { WebFetcher } from '../ports/web-fetcher.ts';
import { workerScriptPath } from '../worker-script.ts';
import type { CoreServices } from './core-services.ts';
import type { ResourceStack } from './resource-stack.ts';
import { openSingleSignOn } from './open-single-sign-on.ts';
import type { StorageServices } from './open-storage.ts';

/** Opens authentication: passwords, keys, sessions and rate limits. */
export async function openAuthentication(
  base: CoreServices,
  storage: StorageServices,
  web: WebFetcher,
  opened: ResourceStack,
) {
  const { clock, log } = base;
  const { database, accounts, apps, calls, events, secret } = storage;
  const passwords = new ThreadedPasswordHasher(workerScriptPath('passwords'));
  opened.add('the password thread', passwords, () => passwords.close());
  const refused = new FailedSignInLog((stamp, target) => calls.record(stamp, target), clock, log);
  const signIn = new AccountSignIn({ accounts, passwords, clock, failedSignIns: refused, notifier: { events, log } });
  opened.add('the sign-in', signIn, () => signIn.close());
  const limits = new SharedRateLimits(new SqlRateLimitStore(database), clock, log);
  opened.add('the limits that nodes share', limits, () => limits.close());
  const authenticator = new Authenticator(accounts, apps, clock, limits.limit('guess', failedAttemptLimit));
  opened.add('the authenticator', authenticator, () => authenticator.close());
  const signInLimits = new SignInLimits(limits, new SecretSealer(secret, 'signed-in device'));
  // Limit attempts to enter the old password when a user changes the password, so that somebody who uses another user's
  // signed-in browser cannot guess it.
  const oldPasswords = limits.limit('old-password', { rate: 1 / 30, burst: 10 });
  const news = { events, log };
  const sso = await openSingleSignOn(base, storage, opened);
  const connections = new OAuthAuthorizationServer({
    apps,
    accounts,
    web,
    clock,
    limits,
    notifier: news,
    isIdentityValid: async (identityId) => identityId === '' || ((await sso?.isIdentityValid(identityId)) ?? false),
  });
  const consents = new SecretSealer(secret, 'app consent');
  return { passwords, oldPasswords, signIn, limits, authenticator, signInLimits, connections, consents, sso };
}
