/** Sign-in as transports use it; the account module implements it. */
export interface SignIn {
  /**
   * The user whom a link would sign in; undefined if the link was used, has expired or never existed. Does not use up
   * the link.
   */
  linkedPerson(token: string): Promise<Person | undefined>;
  /**
   * Signs in and uses up the link; undefined if the link was used before. `device`: the user's device name
   * (lib/device-name.ts).
   */
  byLink(token: string, device: string): Promise<SignedIn | undefined>;
  /** Throws `unauthenticated` without saying whether the name exists. */
  byPassword(name: string, password: string, device: string): Promise<SignedIn>;
  /** The user of a session; undefined if the session has ended. */
  sessionPerson(token: string): Promise<Person | undefined>;
  signOut(token: string): Promise<void>;
  close(): Promise<void>;
}

export interface Person {
  userId: string;
  name: string;
}

export interface SignedIn extends Person {
  /** Value of the session cookie. */
  token: string;
  seconds: number;
}
