/** Signs users in and out for the transports. The account module implements it. */
export interface SignInService {
  /**
   * Returns the user whom a link would sign in, without using the link up. Returns undefined if the link was used, has
   * expired or never existed.
   */
  userOfLink(token: string): Promise<SignInUser | undefined>;
  /**
   * Signs in and uses up the link. Returns undefined if the link is no longer valid. `device` is the user's device name
   * (lib/device-name.ts).
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
