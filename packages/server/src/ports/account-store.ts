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
  /** Display name of the device that signed in; '' if unknown. */
  device: string;
  createdAt: number;
  expiresAt: number;
  /** True if the user signed in with a one-time link, for example after forgetting the password. */
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
  /** Reason for the write, as the caller gave it; empty if none was given. */
  reason: string;
}

/**
 * A value or a promise of one. Store methods that every request calls use this type, because they return a cached value
 * without a promise.
 */
export type MaybePromise<Value> = Value | Promise<Value>;

/**
 * Stores users, API keys, sessions and the audit log. Passwords, keys and tokens are stored only as hashes. A write is
 * durable when its promise resolves. If the state of a user or key changes, the next read on every node returns the new
 * state.
 */
export interface AccountStore {
  createUser(stamp: Stamp, user: { id: string; name: string; role: Role; passwordHash: string | null }): Promise<User>;
  user(id: string): Promise<User | undefined>;
  userByName(name: string): Promise<(User & { passwordHash: string | null }) | undefined>;
  listUsers(): Promise<User[]>;
  setUserState(stamp: Stamp, id: string, state: UserState): Promise<boolean>;
  /**
   * Sets the role and the quota if they are given; a quota of null selects the installation's default. Returns false if
   * the change would demote the last active owner, or if a role is given for a user who does not exist.
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
   * Returns the API key with this secret hash and its user. Callers must check whether the key is revoked or expired
   * and whether the user is active.
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
  /**
   * Returns the user id of a sign-in token that is valid at the time `at`; otherwise undefined. Does not consume the
   * token.
   */
  signInTokenUser(tokenHash: string, at: number): Promise<string | undefined>;
  /**
   * Consumes a sign-in token and returns its user id. Returns undefined if the token is unknown, expired or already
   * consumed.
   */
  takeSignInToken(stamp: Stamp, tokenHash: string): Promise<string | undefined>;

  listAudit(filter: {
    userId?: string;
    operation?: string;
    module?: string;
    /**
     * Restricts the list to writes by people (in the browser or on the command line) and background jobs, or to writes
     * by API keys and apps. Default: all writes.
     */
    by?: 'people' | 'apps';
    since?: number;
    before?: number;
    limit: number;
  }): Promise<AuditRow[]>;
}
