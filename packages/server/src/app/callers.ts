import { AccountAppConnections } from '../account/oauth/connections.ts';
import { RefusedSignIns } from '../account/refused.ts';
import { AccountSignIn } from '../account/sign-in.ts';
import { PasswordThread } from '../adapters/passwords/thread.ts';
import { SqlLimitStore } from '../adapters/sql/limit-store.ts';
import { SecretSealer } from '../adapters/uploads/sealer.ts';
import { Authenticator, guessLimit } from '../operation/authenticate.ts';
import { SharedLimits } from '../operation/shared-limits.ts';
import { SignInTries } from '../operation/sign-in-tries.ts';
import type { WebFetcher } from '../ports/web-fetcher.ts';
import { workerScript } from '../worker-script.ts';
import type { Base } from './base.ts';
import type { Opened } from './opened.ts';
import { openSingleSignOn } from './single-sign-on.ts';
import type { Storage } from './storage.ts';

/** Opens authentication: passwords, keys, sessions and rate limits. */
export async function openCallers(base: Base, storage: Storage, web: WebFetcher, opened: Opened) {
  const { clock, log } = base;
  const { database, accounts, apps, calls, events, secret } = storage;
  const passwords = new PasswordThread(workerScript('passwords'));
  opened.add('the password thread', passwords, () => passwords.close());
  const refused = new RefusedSignIns((stamp, target) => calls.record(stamp, target), clock, log);
  const signIn = new AccountSignIn({ accounts, passwords, clock, refused, news: { events, log } });
  opened.add('the sign-in', signIn, () => signIn.close());
  const limits = new SharedLimits(new SqlLimitStore(database), clock, log);
  opened.add('the limits that nodes share', limits, () => limits.close());
  const authenticator = new Authenticator(accounts, apps, clock, limits.limit('guess', guessLimit));
  opened.add('the authenticator', authenticator, () => authenticator.close());
  const signInTries = new SignInTries(limits, new SecretSealer(secret, 'signed-in device'));
  const news = { events, log };
  const sso = await openSingleSignOn(base, storage, opened);
  const connections = new AccountAppConnections({
    apps,
    accounts,
    web,
    clock,
    limits,
    news,
    stillKnown: async (identityId) => identityId === '' || ((await sso?.stillKnown(identityId)) ?? false),
  });
  const consents = new SecretSealer(secret, 'app consent');
  return { passwords, signIn, limits, authenticator, signInTries, connections, consents, sso };
}
