import { join, resolve } from 'node:path';
import { SecretSealer } from '../adapters/crypto/secret-sealer.ts';
import { runEvery } from '../lib/background-tasks.ts';
import type { SingleSignOn } from '../kernel/single-sign-on.ts';
import { version } from '../version.ts';
import type { CoreServices } from './core-services.ts';
import type { ResourceStack } from './resource-stack.ts';
import type { StorageServices } from './open-storage.ts';

const askMs = 5 * 60_000;

/** Opens single sign-on. Returns undefined, and loads no code, if no provider is configured. */
export async function openSingleSignOn(
  { config, clock, log }: CoreServices,
  { accounts, identities, groups, events, secret }: StorageServices,
  opened: ResourceStack,
): Promise<SingleSignOn | undefined> {
  const { SHEAF_OIDC_ISSUER: issuer, SHEAF_OIDC_CLIENT_ID: clientId } = config;
  if (issuer === undefined || clientId === undefined) return undefined;
  const [{ AccountSingleSignOn }, { OpenIdProvider }, { GuardedWebFetcher }] = await Promise.all([
    import('../modules/account/sso/single-sign-on.ts'),
    import('../modules/account/sso/openid-provider.ts'),
    import('../adapters/web/guarded-fetcher.ts'),
  ]);
  // The provider itself may have a private address, because the operator configured it. Redirects to other hosts with
  // private addresses are still blocked.
  const web = new GuardedWebFetcher({
    allow: [...config.SHEAF_FETCH_ALLOW, new URL(issuer).hostname],
    userAgent: `sheaf/${version}`,
    folder: join(resolve(config.SHEAF_DATA), 'incoming'),
  });
  opened.add('the way to the identity provider', web, () => web.close());
  const sso = new AccountSingleSignOn({
    provider: new OpenIdProvider({ issuer, clientId, clientSecret: config.SHEAF_OIDC_CLIENT_SECRET }, web, clock),
    name: config.SHEAF_OIDC_NAME,
    signUp: config.SHEAF_OIDC_SIGN_UP === 'on',
    accounts,
    identities,
    groups,
    sealer: new SecretSealer(secret, 'identity provider'),
    clock,
    notifier: { events, log },
  });
  const name = 'asking the identity provider';
  opened.add(name, runEvery(name, askMs, () => sso.checkIdentities()).unref(), (timer) => clearInterval(timer));
  return sso;
}
