import type { NewSession } from './sign-in.ts';

export interface PendingSignIn {
  /** URL at the provider to redirect the user to. */
  readonly address: string;
  /**
   * Encrypted state that the browser stores until the user returns, so that only the same browser can complete the
   * sign-in.
   */
  readonly sealed: string;
}

export interface LinkTarget {
  readonly userId: string;
  readonly session: string;
}

export interface ProviderCallback {
  readonly sealed: string;
  readonly state: string;
  readonly code: string;
  /** `iss` parameter of the provider's response, if it has one. */
  readonly issuer: string | undefined;
  readonly redirectUri: string;
  /** Session token of the browser, if it has one. */
  readonly session: string | undefined;
  /** Name of the user's device (lib/device-name.ts). */
  readonly device: string;
}

/** Signs users in through an OpenID provider. The account module implements it. Methods throw Failure. */
export interface SingleSignOn {
  /** Name of the provider on the sign-in button. */
  readonly name: string;
  /**
   * Starts a sign-in at the provider. `then` is either the page to return to, or the signed-in user to whose account
   * the identity will be linked.
   */
  begin(redirectUri: string, then: { returnTo: string } | { linkTo: LinkTarget }): Promise<PendingSignIn>;
  /**
   * Completes a sign-in: signs the user in, or links the provider's identity to the user's account. `signedIn` is
   * undefined after linking.
   */
  complete(cameBack: ProviderCallback): Promise<{ returnTo: string; signedIn: NewSession | undefined }>;
  /** Returns whether the provider still accepts the user. Sends at most one request a minute per identity. */
  isIdentityValid(identityId: string): Promise<boolean>;
  /**
   * Asks the identity provider about each user who has signed in through it and has an active session: whether the
   * provider still accepts the user. Skips users who were checked recently.
   */
  checkIdentities(): Promise<void>;
}
