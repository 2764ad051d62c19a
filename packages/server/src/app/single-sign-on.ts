import { join, resolve } from 'node:path';
import { SecretSealer } from '../adapters/uploads/sealer.ts';
import { every } from '../lib/background.ts';
import type { SingleSignOn } from '../operation/single-sign-on.ts';
import { version } from '../version.ts';
import type { Base } from './base.ts';
import type { Opened } from './opened.ts';
import type { Storage } from './storage.ts';

const askMs = 5 * 60_000;

/** Opens single sign-on; its code is loaded only if a provider is configured. */
export async function openSingleSignOn(
  { config, clock, log }: Base,
  { accounts, identities, events, secret }: Storage,
  opened: Opened,
): Promise<SingleSignOn | undefined> {
  const { SHEAF_OIDC_ISSUER: issuer, SHEAF_OIDC_CLIENT_ID: clientId } = config;
  if (issuer === undefined || clientId === undefined) return undefined;
  const [{ AccountSingleSignOn }, { Provider }, { GuardedWebFetcher }] = await Promise.all([
    import('../account/sso/single-sign-on.ts'),
    import('../account/sso/provider.ts'),
    import('../adapters/web/fetcher.ts'),
  ]);
  // The provider may have a private address, because the owner chose it; its redirects may not.
  const web = new GuardedWebFetcher({
    allow: [...config.SHEAF_FETCH_ALLOW, new URL(issuer).hostname],
    userAgent: `sheaf/${version}`,
    folder: join(resolve(config.SHEAF_DATA), 'incoming'),
  });
  opened.add('the way to the identity provider', web, () => web.close());
  const sso = new AccountSingleSignOn({
    provider: new Provider({ issuer, clientId, clientSecret: config.SHEAF_OIDC_CLIENT_SECRET }, web, clock),
    name: config.SHEAF_OIDC_NAME,
    signUp: config.SHEAF_OIDC_SIGN_UP === 'on',
    accounts,
    identities,
    sealer: new SecretSealer(secret, 'identity provider'),
    clock,
    news: { events, log },
  });
  const name = 'asking the identity provider';
  opened.add(name, every(name, askMs, () => sso.checkAll()).unref(), (timer) => clearInterval(timer));
  return sso;
}
