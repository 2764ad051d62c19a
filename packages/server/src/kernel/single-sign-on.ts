import type { NewSession } from './sign-in.ts';

export interface PendingSignIn {
  /** URL of the OpenID provider to which the browser is redirected. */
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
  /**
   * Session token of the browser, if it is signed in. An identity is linked only in the session that requested the
   * linking.
   */
  readonly session: string | undefined;
  /** Display name of the user's device (lib/device-name.ts), for example "Firefox on Windows". */
  readonly device: string;
}

/**
 * Signs users in through an OpenID provider. The account module implements it. An error that the user can see is thrown
 * as a `Failure`.
 */
export interface SingleSignOn {
  /** Name of the provider on the sign-in button. */
  readonly name: string;
  /**
   * Starts a sign-in at the provider. `then` is either the page to show after the sign-in, or the signed-in user to
   * whose account the provider's identity will be linked.
   */
  begin(redirectUri: string, then: { returnTo: string } | { linkTo: LinkTarget }): Promise<PendingSignIn>;
  /**
   * Completes a sign-in: signs the user in, or links the provider's identity to the user's account. `signedIn` is
   * undefined after linking.
   */
  complete(cameBack: ProviderCallback): Promise<{ returnTo: string; signedIn: NewSession | undefined }>;
  /**
   * Returns whether the provider still accepts the user of the identity. Asks the provider at most once a minute per
   * identity, and returns true for an identity that was checked within the last minute.
   */
  isIdentityValid(identityId: string): Promise<boolean>;
  /**
   * Asks the provider whether it still accepts the users who signed in through it and have a session or a connected
   * app. Ends the access of users whom it refuses. Skips users who were checked recently.
   */
  checkIdentities(): Promise<void>;
}
