/** Signs users in and out for the HTTP server. The account module implements it. */
export interface SignInService {
  /**
   * Returns the user for whom a sign-in link is valid, without using up the link. Returns undefined if the link was
   * used, has expired or never existed.
   */
  userOfLink(token: string): Promise<SignInUser | undefined>;
  /**
   * Signs in by a sign-in link, which is then used up. Returns undefined if the link is no longer valid. `device` is
   * the display name of the user's device (lib/device-name.ts).
   */
  signInByLink(token: string, device: string): Promise<NewSession | undefined>;
  /** Signs in with a password. Throws `unauthenticated` without saying whether the name exists. */
  signInByPassword(name: string, password: string, device: string): Promise<NewSession>;
  /** Returns the user of a session, or undefined if the session has ended. */
  userOfSession(token: string): Promise<SignInUser | undefined>;
  signOut(token: string): Promise<void>;
  close(): Promise<void>;
}

export interface SignInUser {
  userId: string;
  name: string;
}

export interface NewSession extends SignInUser {
  /** Value of the session cookie. */
  token: string;
  seconds: number;
}
