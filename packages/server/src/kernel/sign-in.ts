/** Sign-in as transports use it; the account module implements it. */
export interface SignInService {
  /**
   * The user whom a link would sign in; undefined if the link was used, has expired or never existed. Does not use up
   * the link.
   */
  userOfLink(token: string): Promise<SignInUser | undefined>;
  /**
   * Signs in and uses up the link; undefined if the link was used before. `device`: the user's device name
   * (lib/device-name.ts).
   */
  signInByLink(token: string, device: string): Promise<NewSession | undefined>;
  /** Throws `unauthenticated` without saying whether the name exists. */
  signInByPassword(name: string, password: string, device: string): Promise<NewSession>;
  /** The user of a session; undefined if the session has ended. */
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
