/** What a transport needs to let a person in; the account module provides it. */
export interface SignIn {
  /** Whom a link would sign in; undefined when it was used, is too old or never was. Nothing is used up by asking. */
  linkedPerson(token: string): Promise<Person | undefined>;
  /** Uses the link up; undefined when that was done already. `device`: what the person signs in with (lib/device-name.ts). */
  byLink(token: string, device: string): Promise<SignedIn | undefined>;
  /** Throws `unauthenticated` without saying whether the name exists. */
  byPassword(name: string, password: string, device: string): Promise<SignedIn>;
  /** Whose session it is; undefined when it is over. */
  sessionPerson(token: string): Promise<Person | undefined>;
  signOut(token: string): Promise<void>;
  close(): Promise<void>;
}

export interface Person {
  userId: string;
  name: string;
}

export interface SignedIn extends Person {
  /** Goes into the cookie. */
  token: string;
  seconds: number;
}
