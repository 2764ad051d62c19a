import type { Stamp } from './audit-stamp.ts';

/** An account at an OpenID provider with which a user signs in. `name` is for display only. */
export interface Identity {
  id: string;
  userId: string;
  issuer: string;
  subject: string;
  name: string;
  /** Encrypted refresh token, used to check that the account is still valid; null if the provider issued none. */
  refreshSealed: string | null;
  createdAt: number;
  /** Time at which the provider last confirmed the account, or at which a check that is still running began. */
  checkedAt: number;
}

/**
 * Stores the accounts at OpenID providers with which users sign in (identities). An identity belongs to one user. At
 * sign-in it is found by issuer and subject, never by its name. Tokens from a provider are stored only encrypted.
 */
export interface IdentityStore {
  identity(issuer: string, subject: string): Promise<Identity | undefined>;
  identityById(id: string): Promise<Identity | undefined>;
  /** Links an identity to a user. Returns false if the identity already belongs to a user. */
  addIdentity(stamp: Stamp, identity: Omit<Identity, 'createdAt' | 'checkedAt'>): Promise<boolean>;
  /** Records that the provider confirmed the identity. Writes no audit row. */
  confirmIdentity(id: string, at: number, refreshSealed: string | null): Promise<void>;
  listIdentities(userId: string): Promise<Identity[]>;
  /**
   * Claims the right to check an identity with its provider, so that only one node checks it. Returns true if the last
   * check began at `before` or earlier; the caller must then check the identity.
   */
  claimIdentity(id: string, before: number, at: number): Promise<boolean>;
  /**
   * Claims the right to check up to `most` identities with their providers: those that have a refresh token and
   * sessions or app connections, and were last checked before `before`. The caller must then check the returned
   * identities.
   */
  claimUnconfirmed(before: number, at: number, most: number): Promise<Identity[]>;
  /** Ends the sessions and app connections that were created through the identity. */
  endAccess(stamp: Stamp, id: string): Promise<void>;
  /**
   * Deletes the identity and ends the sessions and app connections that were created by signing in with it. Returns
   * false if the user has no such identity.
   */
  removeIdentity(stamp: Stamp, userId: string, id: string): Promise<boolean>;
}
