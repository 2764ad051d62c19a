import type { User } from './account-store.ts';
import type { Stamp } from './audit-stamp.ts';

export interface AppClient {
  /**
   * Id of the app: issued by this server if the kind is `registered`, or the URL of the app's metadata document if the
   * kind is `document`.
   */
  id: string;
  kind: 'registered' | 'document';
  /** Name that the app itself provided. */
  name: string;
  redirectUris: string[];
  /** Time at which the metadata document was last read, or at which the app was registered. */
  checkedAt: number;
}

/** A user's authorization of an app, also called a connection. Tokens for the app are issued for it and end with it. */
export interface AppGrant {
  id: string;
  userId: string;
  clientId: string;
  clientName: string;
  clientHost: string;
  scopes: string[];
  /**
   * Path of the protected resource (API endpoint) of this server for which the tokens are valid, such as `/openapi`.
   */
  resource: string;
  /**
   * Id of the external identity (account at an identity provider) with which the user had signed in when authorizing
   * the app. The connection ends when that identity becomes invalid. '' if the user signed in with a password or a
   * sign-in link.
   */
  identityId: string;
  createdAt: number;
  lastUsedAt: number | null;
  endedAt: number | null;
}

export interface AppCode {
  grant: AppGrant;
  user: User;
  redirectUri: string;
  challenge: string;
  expiresAt: number;
}

export interface AppToken {
  grant: AppGrant;
  user: User;
  scopes: string[];
  expiresAt: number;
}

export interface NewTokens {
  accessHash: string;
  accessExpiresAt: number;
  refreshHash: string;
  refreshExpiresAt: number;
  /** Scopes of the access token. */
  scopes: readonly string[];
}

/**
 * Result of redeeming a code or refresh token. `now`: this call redeemed it. `again`: it was already used, so the
 * connection was ended. `unknown`: it does not exist.
 */
export type RedemptionResult = 'now' | 'again' | 'unknown';

/**
 * Stores OAuth clients (apps) and grants (connections of apps to user accounts). Codes and tokens are stored only as
 * hashes. A code or refresh token works once across all nodes; a second use ends the connection. After a connection
 * ends, every node sees this at its next read.
 */
export interface OAuthStore {
  /**
   * Stores a registered client. Returns false if `most` clients without a connection already exist. Writes no audit
   * row, because anyone may register a client.
   */
  addClient(client: AppClient, most: number): Promise<boolean>;
  /** Stores a client's metadata document, replacing an earlier one. */
  putClientMetadata(client: AppClient): Promise<void>;
  client(id: string): Promise<AppClient | undefined>;

  /**
   * Stores an app's connection to a user's account with its authorization code. If the user then has more than `most`
   * connections to the app, ends the oldest ones.
   */
  addGrant(
    stamp: Stamp,
    grant: Omit<AppGrant, 'createdAt' | 'lastUsedAt' | 'endedAt'>,
    code: { hash: string; redirectUri: string; challenge: string; expiresAt: number },
    most: number,
  ): Promise<void>;
  code(hash: string): Promise<AppCode | undefined>;
  redeemCode(stamp: Stamp, hash: string, grantId: string, tokens: NewTokens): Promise<RedemptionResult>;
  accessToken(hash: string): Promise<AppToken | undefined>;
  refreshToken(hash: string): Promise<AppToken | undefined>;
  rotate(stamp: Stamp, hash: string, grantId: string, tokens: NewTokens): Promise<RedemptionResult>;
  /** Revokes one access token. Returns whether it existed. */
  revokeAccessToken(stamp: Stamp, hash: string): Promise<boolean>;
  /** Lists the active connections of apps to a user's account, oldest first. */
  listGrants(userId: string, at: number): Promise<AppGrant[]>;
  endGrant(stamp: Stamp, userId: string, grantId: string): Promise<boolean>;
  /** Records when connections were last used. Writes no audit row, and a lost record does no harm. */
  touchGrants(used: ReadonlyMap<string, number>): Promise<void>;
  /**
   * Deletes codes and tokens that expired before `time`. Then deletes connections that were made before `time` and have
   * no tokens, and apps that were registered or last read before `time` and have no connection.
   */
  deleteExpired(time: number): Promise<void>;
}
