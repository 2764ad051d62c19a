import type { Stamp } from './audit-stamp.ts';

export type Role = 'owner' | 'member';
export type UserState = 'active' | 'suspended' | 'deleted';

export interface User {
  id: string;
  name: string;
  role: Role;
  state: UserState;
  createdAt: number;
  /** Bytes this user may store; null for the installation's default. */
  quotaBytes: number | null;
}

export interface ApiKey {
  id: string;
  userId: string;
  clientId: string;
  name: string;
  /** Names of the modules that the key can access, or ['*'] for all modules. */
  modules: string[];
  access: 'read' | 'write';
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

export interface WebSession {
  id: string;
  userId: string;
  /** Id of the external identity used to sign in; '' if the user signed in with a password or a sign-in link. */
  identityId: string;
  /** Device description for display; '' if unknown. */
  device: string;
  createdAt: number;
  expiresAt: number;
  /** Whether the user signed in with a one-time link, for example after forgetting the password. */
  isByLink: boolean;
}

export interface AuditRow {
  id: number;
  at: number;
  userId: string;
  keyId: string;
  operation: string;
  target: string;
  requestId: string;
  /** Reason that the caller gave; empty if none was given. */
  reason: string;
}

/** A value or a promise of one. Lookups that every request makes return a cached value synchronously. */
export type MaybePromise<Value> = Value | Promise<Value>;

/**
 * Stores users, keys, sessions and the audit log. Secrets are stored only as hashes. A write is durable when its
 * promise resolves. If the state of a user or key changes, the next read on every node returns the new state.
 */
export interface AccountStore {
  createUser(stamp: Stamp, user: { id: string; name: string; role: Role; passwordHash: string | null }): Promise<User>;
  user(id: string): Promise<User | undefined>;
  userByName(name: string): Promise<(User & { passwordHash: string | null }) | undefined>;
  listUsers(): Promise<User[]>;
  setUserState(stamp: Stamp, id: string, state: UserState): Promise<boolean>;
  /**
   * Sets the role and the quota if they are given; a quota of null selects the installation's default. Returns false if
   * the user does not exist, or if the change would demote the last owner.
   */
  changeUser(stamp: Stamp, id: string, change: { role?: Role; quotaBytes?: number | null }): Promise<boolean>;
  /**
   * Sets the password, ends the user's sessions except `keptSession`, and revokes the access of connected apps. Returns
   * whether the user exists.
   */
  setPassword(stamp: Stamp, id: string, passwordHash: string, keptSession: string): Promise<boolean>;
  ownerExists(): Promise<boolean>;

  createKey(
    stamp: Stamp,
    key: Omit<ApiKey, 'createdAt' | 'lastUsedAt' | 'revokedAt'>,
    secretHash: string,
  ): Promise<ApiKey>;
  /**
   * Returns the key with this secret hash and its user. The key may be revoked or expired, and the user may be
   * disabled.
   */
  keyBySecretHash(secretHash: string): MaybePromise<{ key: ApiKey; user: User } | undefined>;
  listKeys(userId: string): Promise<ApiKey[]>;
  revokeKey(stamp: Stamp, userId: string, keyId: string): Promise<boolean>;
  /** Records when keys were last used. Writes no audit row, and a lost record does no harm. */
  touchKeys(used: ReadonlyMap<string, number>): Promise<void>;

  createSession(stamp: Stamp, session: WebSession, tokenHash: string): Promise<void>;
  sessionByTokenHash(tokenHash: string): MaybePromise<{ session: WebSession; user: User } | undefined>;
  listSessions(userId: string): Promise<WebSession[]>;
  deleteSession(stamp: Stamp, userId: string, sessionId: string): Promise<boolean>;

  createSignInToken(stamp: Stamp, userId: string, tokenHash: string, expiresAt: number): Promise<void>;
  /** Returns the user id of a valid token. Does not consume the token. */
  signInTokenUser(tokenHash: string, at: number): Promise<string | undefined>;
  /** Consumes the token and returns its user id. A second call returns undefined. */
  takeSignInToken(stamp: Stamp, tokenHash: string): Promise<string | undefined>;

  listAudit(filter: {
    userId?: string;
    operation?: string;
    module?: string;
    /** Restricts the list to writes by people (page or command line) or to writes by API keys and apps. */
    by?: 'people' | 'apps';
    since?: number;
    before?: number;
    limit: number;
  }): Promise<AuditRow[]>;
}
