import { createHash, randomBytes } from 'node:crypto';
import type { Services } from '../../../context.ts';
import { sha256 } from '../../../lib/hash.ts';
import { newId } from '../../../lib/ids.ts';
import { publishAccessChange } from '../../../kernel/access-changes.ts';
import { fail } from '../../../kernel/errors.ts';
import type { NewSession } from '../../../kernel/sign-in.ts';
import type { PendingSignIn, ProviderCallback, SingleSignOn } from '../../../kernel/single-sign-on.ts';
import type { AccountStore, User } from '../../../ports/account-store.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Identity, IdentityStore } from '../../../ports/identity-store.ts';
import type { GroupStore } from '../../../ports/permission-store.ts';
import { systemStamp } from '../../../ports/audit-stamp.ts';
import type { Sealer } from '../../../ports/upload-credentials.ts';
import { createSession } from '../keys-and-sessions.ts';
import type { IdTokenClaims } from './id-token.ts';
import { InvalidGrantError, type OpenIdProvider, type ProviderTokens } from './openid-provider.ts';

const minute = 60_000;
const beginMs = 10 * minute;
/**
 * Minimum time in milliseconds between two requests that ask the identity provider whether it still accepts a user. It
 * also keeps two server nodes from using the same refresh token at once.
 */
const minCheckIntervalMs = minute;
const checkMs = 15 * minute;
const dayMs = 24 * 60 * minute;
const maxChecks = 200;
/**
 * Page to show after a user has linked an account at the identity provider to the account on this server. It lists
 * these links.
 */
const linkedPage = '/account/apps';

interface SingleSignOnDependencies {
  provider: OpenIdProvider;
  name: string;
  /**
   * Whether a user of the identity provider who has no account on this server gets one at the first sign-in. If false,
   * the sign-in is refused.
   */
  signUp: boolean;
  accounts: AccountStore;
  identities: IdentityStore;
  groups: Pick<GroupStore, 'setProviderGroups'>;
  sealer: Sealer;
  clock: Clock;
  notifier: Pick<Services, 'events' | 'log'>;
}

interface SealedSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
  readonly linkTo?: { userId: string; session: string };
  readonly until: number;
}

/**
 * Sign-in through an OpenID provider. Users are identified by the provider's issuer URL and its id of the user (`sub`),
 * never by name or e-mail address.
 */
export class AccountSingleSignOn implements SingleSignOn {
  readonly name: string;
  readonly #parts: SingleSignOnDependencies;

  constructor(parts: SingleSignOnDependencies) {
    this.name = parts.name;
    this.#parts = parts;
  }

  async begin(redirectUri: string, then: Parameters<SingleSignOn['begin']>[1]): Promise<PendingSignIn> {
    const linkTo = 'linkTo' in then ? then.linkTo : undefined;
    const { provider, sealer, clock } = this.#parts;
    const [state, nonce, verifier] = [random(), random(), random()];
    const address = await provider.authorizationUrl({
      redirect_uri: redirectUri,
      state,
      nonce,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const kept: SealedSignIn = {
      state,
      nonce,
      verifier,
      returnTo: 'linkTo' in then ? linkedPage : then.returnTo,
      ...(linkTo && { linkTo: { userId: linkTo.userId, session: sha256(linkTo.session) } }),
      until: clock.now() + beginMs,
    };
    return { address, sealed: sealer.seal(JSON.stringify(kept)) };
  }

  async complete({
    sealed,
    state,
    code,
    issuer,
    redirectUri,
    session,
    device,
  }: ProviderCallback): ReturnType<SingleSignOn['complete']> {
    const { provider, sealer, clock } = this.#parts;
    const opened = sealer.unseal(sealed);
    const begun = opened === undefined ? undefined : (JSON.parse(opened) as SealedSignIn);
    if (!begun || begun.state !== state || begun.until <= clock.now())
      throw fail('unauthenticated', 'the sign-in was not begun in this browser, or took too long; try again');
    if (issuer !== undefined && issuer !== provider.settings.issuer)
      throw fail('unauthenticated', 'a different provider answered than the one that was asked');
    const tokens = await this.#exchange({ code, verifier: begun.verifier, redirectUri, nonce: begun.nonce });
    if (begun.linkTo === undefined)
      return {
        returnTo: begun.returnTo,
        signedIn: await this.#signIn(await this.#findOrCreateIdentity(tokens), tokens, device),
      };
    if (session === undefined || sha256(session) !== begun.linkTo.session)
      throw fail('unauthenticated', 'you signed in again in the meantime; try again');
    await this.#link(begun.linkTo.userId, tokens);
    await this.#setGroups(begun.linkTo.userId, tokens.claims);
    return { returnTo: begun.returnTo, signedIn: undefined };
  }

  async isIdentityValid(identityId: string): Promise<boolean> {
    const identity = await this.#parts.identities.identityById(identityId);
    return identity !== undefined && this.#confirm(identity);
  }

  async checkIdentities(): Promise<void> {
    const { identities, clock } = this.#parts;
    const now = clock.now();
    for (const identity of await identities.claimUnconfirmed(now - checkMs, now, maxChecks))
      await this.#checkWithProvider(identity, identity.checkedAt);
  }

  async #confirm(identity: Identity): Promise<boolean> {
    const { provider, identities, clock } = this.#parts;
    if (identity.issuer !== provider.settings.issuer) return false;
    const now = clock.now();
    // Without a refresh token, the identity cannot be checked with the provider, so it stays valid for a day after
    // sign-in.
    if (identity.refreshSealed === null) return identity.checkedAt > now - dayMs;
    if (!(await identities.claimIdentity(identity.id, now - minCheckIntervalMs, now))) return true;
    return this.#checkWithProvider(identity, identity.checkedAt);
  }

  /**
   * Asks the provider whether it still accepts the user, and ends the user's access if not. If the provider is
   * unreachable, the identity counts as valid for a day after its last check.
   */
  async #checkWithProvider(identity: Identity, checkedAt: number): Promise<boolean> {
    const { provider, identities, sealer, clock, notifier } = this.#parts;
    const token = identity.refreshSealed === null ? undefined : sealer.unseal(identity.refreshSealed);
    try {
      // The stored token cannot be decrypted, because it was encrypted with the secret of another installation. Treat
      // it as refused by the provider.
      if (token === undefined) throw new InvalidGrantError();
      const { refreshToken, claims } = await provider.refresh(token);
      await identities.confirmIdentity(identity.id, clock.now(), sealer.seal(refreshToken));
      if (claims?.subject === identity.subject && claims.groups) await this.#setGroups(identity.userId, claims);
      return true;
    } catch (error) {
      if (!(error instanceof InvalidGrantError)) {
        notifier.log.warn({ err: error, identity: identity.id }, 'the identity provider could not be asked');
        await identities.confirmIdentity(identity.id, checkedAt, identity.refreshSealed);
        return checkedAt > clock.now() - dayMs;
      }
      await identities.endAccess(systemStamp(clock.now(), 'sso.ended', identity.userId), identity.id);
      publishAccessChange(notifier, { user_id: identity.userId });
      return false;
    }
  }

  async #exchange(sent: Parameters<OpenIdProvider['exchangeCode']>[0]): Promise<ProviderTokens> {
    try {
      return await this.#parts.provider.exchangeCode(sent);
    } catch (error) {
      if (error instanceof InvalidGrantError)
        throw fail('unauthenticated', 'the provider did not accept the sign-in; try again');
      throw error;
    }
  }

  async #findOrCreateIdentity(tokens: ProviderTokens): Promise<Identity> {
    const { provider, identities, signUp, clock } = this.#parts;
    const { subject, name } = tokens.claims;
    const { issuer } = provider.settings;
    const known = await identities.identity(issuer, subject);
    if (known) {
      await identities.confirmIdentity(known.id, clock.now(), this.#sealedToken(tokens, known.refreshSealed));
      return known;
    }
    if (!signUp)
      throw fail(
        'unauthenticated',
        `nobody here is linked to ${JSON.stringify(name)}: sign in with your password or a link, and link it in your account`,
      );
    const user = await this.#newUser(tokens.claims);
    await this.#link(user.id, tokens);
    return (await identities.identity(issuer, subject))!;
  }

  async #signIn(identity: Identity, tokens: ProviderTokens, device: string): Promise<NewSession> {
    const { accounts, clock } = this.#parts;
    const user = await accounts.user(identity.userId);
    if (user?.state !== 'active') throw fail('unauthenticated', 'the user account is suspended or closed');
    await this.#setGroups(user.id, tokens.claims);
    const stamp = systemStamp(clock.now(), 'page.sign_in_by_provider', user.id);
    // Without a refresh token, the provider cannot be asked again about this user, so the session gets a short
    // lifetime.
    const session = await createSession(accounts, stamp, user.id, device, {
      identityId: identity.id,
      ...(tokens.refreshToken === undefined ? { lastsMs: dayMs / 2 } : {}),
    });
    const seconds = Math.floor((session.expiresAt - clock.now()) / 1000);
    return { userId: user.id, name: user.name, token: session.token, seconds };
  }

  async #link(userId: string, tokens: ProviderTokens): Promise<void> {
    const { provider, identities, clock } = this.#parts;
    const { subject, name } = tokens.claims;
    const { issuer } = provider.settings;
    const added = await identities.addIdentity(systemStamp(clock.now(), 'sso.link', userId), {
      id: newId('identity'),
      userId,
      issuer,
      subject,
      name,
      refreshSealed: this.#sealedToken(tokens, null),
    });
    const owner = added ? userId : (await identities.identity(issuer, subject))?.userId;
    if (owner !== userId) throw fail('name_taken', `${JSON.stringify(name)} is linked to another user already`);
  }

  /**
   * Of the groups that are bound to this identity provider, makes the user a member of exactly those that the token's
   * `groups` claim names.
   */
  async #setGroups(userId: string, claims: IdTokenClaims): Promise<void> {
    const { groups, provider, clock } = this.#parts;
    const stamp = systemStamp(clock.now(), 'sso.groups', userId);
    await groups.setProviderGroups(stamp, userId, provider.settings.issuer, claims.groups ?? []);
  }

  #sealedToken({ refreshToken }: ProviderTokens, before: string | null): string | null {
    return refreshToken === undefined ? before : this.#parts.sealer.seal(refreshToken);
  }

  /**
   * Creates a user for an identity that signs in for the first time. The name comes from the provider; if it is taken,
   * a number is appended.
   */
  async #newUser({ name }: IdTokenClaims): Promise<User> {
    const { accounts, clock } = this.#parts;
    const plain =
      name
        .split('@', 1)[0]!
        .replace(/[^\p{L}\p{N}._-]+/gu, '-')
        .replace(/^-+|-+$/g, '')
        .slice(0, 50) || 'user';
    for (let tries = 1; tries <= 100; tries++) {
      const wanted = tries === 1 ? plain : `${plain}-${tries}`;
      if (await accounts.userByName(wanted)) continue;
      const id = newId('user');
      return accounts.createUser(systemStamp(clock.now(), 'sso.sign_up', id), {
        id,
        name: wanted,
        role: 'member',
        passwordHash: null,
      });
    }
    throw fail('name_taken', `the name ${JSON.stringify(plain)} is taken too many times`);
  }
}

function random(): string {
  return randomBytes(32).toString('base64url');
}
