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
  /** Time at which the provider last confirmed the account. */
  checkedAt: number;
}

/**
 * Stores external identities of users. An identity belongs to one user and is found only by issuer and subject. Tokens
 * from a provider are stored only encrypted.
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
   * check started before `before`; the caller must then check the identity.
   */
  claimIdentity(id: string, before: number, at: number): Promise<boolean>;
  /**
   * Claims at most `most` identities that have sessions or app connections and were last confirmed before `before`. The
   * caller must check them with their providers.
   */
  claimUnconfirmed(before: number, at: number, most: number): Promise<Identity[]>;
  /** Ends the sessions and app connections that were created through the identity. */
  endAccess(stamp: Stamp, id: string): Promise<void>;
  /** Deletes the identity and ends the sessions and app connections created through it. */
  removeIdentity(stamp: Stamp, userId: string, id: string): Promise<boolean>;
}
