import type { NewSession } from './sign-in.ts';

/** A sign-in in progress at the OpenID provider. */
export interface PendingSignIn {
  /** The provider URL to redirect the user to. */
  readonly address: string;
  /**
   * Sealed state that the browser stores until the user returns, so that only the same browser can complete the
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
  /** The `iss` parameter of the provider's response, if it has one. */
  readonly issuer: string | undefined;
  readonly redirectUri: string;
  /** Session of the browser, if it has one. */
  readonly session: string | undefined;
  /** The user's device name (lib/device-name.ts). */
  readonly device: string;
}

/** Sign-in through an OpenID provider, implemented by the account module. Methods throw Failure. */
export interface SingleSignOn {
  /** The provider's name on the sign-in button. */
  readonly name: string;
  /** `then`: the page to return to, or the signed-in user whose account the identity is linked to. */
  begin(redirectUri: string, then: { returnTo: string } | { linkTo: LinkTarget }): Promise<PendingSignIn>;
  /** Signs the user in, or links the identity; linking returns no new session. */
  complete(cameBack: ProviderCallback): Promise<{ returnTo: string; signedIn: NewSession | undefined }>;
  /** True if the provider still accepts the user; asked at most once a minute. */
  isIdentityValid(identityId: string): Promise<boolean>;
  /** Checks all users with a session from this provider who have not been checked for a while. */
  checkIdentities(): Promise<void>;
}
