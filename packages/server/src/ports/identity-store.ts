import type { Stamp } from './stamp.ts';

/** An account at an OpenID provider by which a user signs in. Its name is for people to read; it decides nothing. */
export interface Identity {
  id: string;
  userId: string;
  issuer: string;
  subject: string;
  name: string;
  /** What the provider is asked with whether the account is still good; null where it gave nothing. */
  refreshSealed: string | null;
  createdAt: number;
  /** When the provider last said so. */
  checkedAt: number;
}

/**
 * Who people are elsewhere. Guarantees: an identity belongs to one user, found by issuer and subject alone; what a provider
 * gave us is kept sealed only.
 */
export interface IdentityStore {
  identity(issuer: string, subject: string): Promise<Identity | undefined>;
  identityById(id: string): Promise<Identity | undefined>;
  /** False where that account belongs to somebody already. */
  addIdentity(stamp: Stamp, identity: Omit<Identity, 'createdAt' | 'checkedAt'>): Promise<boolean>;
  /** The provider confirmed it; not audited. */
  confirmIdentity(id: string, at: number, refreshSealed: string | null): Promise<void>;
  listIdentities(userId: string): Promise<Identity[]>;
  /** Whether nobody has asked the provider since `before`; then this asker has until the next such question. */
  claimIdentity(id: string, before: number, at: number): Promise<boolean>;
  /** Those with sessions or apps that the provider has not confirmed since then, claimed for this asker until `at`. */
  claimUnconfirmed(before: number, at: number, most: number): Promise<Identity[]>;
  /** Ends the sessions and apps that came of it. */
  endAccess(stamp: Stamp, id: string): Promise<void>;
  /** Forgets it, with the sessions and apps that came of it. */
  removeIdentity(stamp: Stamp, userId: string, id: string): Promise<boolean>;
}
