import type { Stamp } from './stamp.ts';

export type Role = 'owner' | 'member';
export type UserState = 'active' | 'suspended' | 'deleted';

export interface User {
  id: string;
  name: string;
  role: Role;
  state: UserState;
  createdAt: number;
  /** Bytes this user may store; null = the installation's default. */
  quotaBytes: number | null;
}

export interface ApiKey {
  id: string;
  userId: string;
  clientId: string;
  name: string;
  /** Module names, or ['*'] for all. */
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
  /** The identity at a provider by which the person signed in; '' for a password or a link. */
  identityId: string;
  /** What they signed in with, as a person says it; '' where that is not known. */
  device: string;
  createdAt: number;
  expiresAt: number;
}

export interface AuditRow {
  id: number;
  at: number;
  userId: string;
  keyId: string;
  operation: string;
  target: string;
  requestId: string;
}

/** What every request asks: at once where the store knows it already. */
export type MaybePromise<Value> = Value | Promise<Value>;

/**
 * Users, keys, sessions, audit. Guarantees: secrets are stored as hashes only; a write is durable when
 * its promise resolves; a change of a user's or key's state is seen by the next read on every node.
 */
export interface AccountStore {
  createUser(stamp: Stamp, user: { id: string; name: string; role: Role; passwordHash: string | null }): Promise<User>;
  user(id: string): Promise<User | undefined>;
  userByName(name: string): Promise<(User & { passwordHash: string | null }) | undefined>;
  listUsers(): Promise<User[]>;
  setUserState(stamp: Stamp, id: string, state: UserState): Promise<boolean>;
  /** Ends the user's sessions with it, but for the one that is named, and disconnects their apps. */
  setPassword(stamp: Stamp, id: string, passwordHash: string, keptSession: string): Promise<boolean>;
  ownerExists(): Promise<boolean>;

  createKey(
    stamp: Stamp,
    key: Omit<ApiKey, 'createdAt' | 'lastUsedAt' | 'revokedAt'>,
    secretHash: string,
  ): Promise<ApiKey>;
  /** The key of that secret with its user, whatever their states. */
  keyBySecretHash(secretHash: string): MaybePromise<{ key: ApiKey; user: User } | undefined>;
  listKeys(userId: string): Promise<ApiKey[]>;
  revokeKey(stamp: Stamp, userId: string, keyId: string): Promise<boolean>;
  /** Best effort and not audited: when keys were last used. */
  touchKeys(used: ReadonlyMap<string, number>): Promise<void>;

  createSession(stamp: Stamp, session: WebSession, tokenHash: string): Promise<void>;
  sessionByTokenHash(tokenHash: string): MaybePromise<{ session: WebSession; user: User } | undefined>;
  listSessions(userId: string): Promise<WebSession[]>;
  deleteSession(stamp: Stamp, userId: string, sessionId: string): Promise<boolean>;

  createSignInToken(stamp: Stamp, userId: string, tokenHash: string, expiresAt: number): Promise<void>;
  /** Whose token it is, while it is good; it stays as it is. */
  signInTokenUser(tokenHash: string, at: number): Promise<string | undefined>;
  /** Uses the token up: the second caller gets undefined. */
  takeSignInToken(stamp: Stamp, tokenHash: string): Promise<string | undefined>;

  listAudit(filter: { userId?: string; operation?: string; before?: number; limit: number }): Promise<AuditRow[]>;
}
