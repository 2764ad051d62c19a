import type { Limit } from './rate-limit.ts';

/** Tries with a password from one address. */
export const signInLimit: Limit = { rate: 0.2, burst: 10 };

/** What a transport needs to let a person in; the account module provides it. */
export interface SignIn {
  /** Undefined when the link was used, is too old or never was. */
  byLink(token: string): Promise<SignedIn | undefined>;
  /** Throws `unauthenticated` without saying whether the name exists. */
  byPassword(name: string, password: string): Promise<SignedIn>;
  signOut(token: string): Promise<void>;
}

export interface SignedIn {
  userId: string;
  name: string;
  /** Goes into the cookie. */
  token: string;
  seconds: number;
}
