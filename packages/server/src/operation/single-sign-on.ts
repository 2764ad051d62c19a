import type { SignedIn } from './sign-in.ts';

/** A sign-in that was begun here and is under way at the provider. */
export interface Begun {
  /** Where the person is sent. */
  readonly address: string;
  /** Kept by the browser until it comes back, sealed: only that browser can end what it began. */
  readonly sealed: string;
}

export interface Owner {
  readonly userId: string;
  readonly session: string;
}

export interface CameBack {
  readonly sealed: string;
  readonly state: string;
  readonly code: string;
  /** Who says it answers, where it says so. */
  readonly issuer: string | undefined;
  readonly redirectUri: string;
  /** The browser's session, where it has one. */
  readonly session: string | undefined;
  /** What the person signs in with (lib/device-name.ts). */
  readonly device: string;
}

/** People who sign in at an OpenID provider; the account module provides it. Refusals are Failure. */
export interface SingleSignOn {
  /** What the button says. */
  readonly name: string;
  /** `then`: where the person goes afterwards, or whose account the identity is to be linked to, in their own session. */
  begin(redirectUri: string, then: { returnTo: string } | { linkTo: Owner }): Promise<Begun>;
  /** Signs in, or links: then nothing is signed in anew. */
  end(cameBack: CameBack): Promise<{ returnTo: string; signedIn: SignedIn | undefined }>;
  /** Whether the provider still lets that person in; asked at most once a minute. */
  stillKnown(identityId: string): Promise<boolean>;
  /** Asks about everybody who is in by it and of whom nothing was heard for a while. */
  checkAll(): Promise<void>;
}
