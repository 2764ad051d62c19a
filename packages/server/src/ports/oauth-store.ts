import type { User } from './account-store.ts';
import type { Stamp } from './stamp.ts';

/** A program that may ask people for access. */
export interface AppClient {
  /** An id that we gave out, or the address of a document in which the app describes itself. */
  id: string;
  kind: 'registered' | 'document';
  /** As the app calls itself. */
  name: string;
  redirectUris: string[];
  /** When a document was last read, a registered app made. */
  checkedAt: number;
}

/** What a person allowed an app: one connection, with all tokens that ever come of it. */
export interface AppGrant {
  id: string;
  userId: string;
  clientId: string;
  clientName: string;
  /** Whose page or computer the person was sent back to. */
  clientHost: string;
  scopes: string[];
  /** The path of the one address that its tokens are for. */
  resource: string;
  /** The identity by which the person had signed in; '' for a password or a link. */
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
  /** Of the access token. */
  scopes: readonly string[];
}

/** 'again' where it had been used before: then the connection was ended with it. */
export type Used = 'now' | 'again' | 'unknown';

/**
 * Apps and what people allowed them. Guarantees: codes and tokens are stored as hashes only; a code and a refresh token are
 * good once, whichever node is asked, and the second use ends the connection; an ended connection is seen as such by the
 * next read on every node.
 */
export interface OAuthStore {
  /** Not audited: anybody may register an app. Refuses (false) past `most` apps that nobody has connected. */
  addClient(client: AppClient, most: number): Promise<boolean>;
  /** Keeps what a document says, in place of what an earlier reading said. */
  putDocument(client: AppClient): Promise<void>;
  client(id: string): Promise<AppClient | undefined>;

  /** The oldest connections of the same person and app beyond `most` end. */
  addGrant(
    stamp: Stamp,
    grant: Omit<AppGrant, 'createdAt' | 'lastUsedAt' | 'endedAt'>,
    code: { hash: string; redirectUri: string; challenge: string; expiresAt: number },
    most: number,
  ): Promise<void>;
  code(hash: string): Promise<AppCode | undefined>;
  redeemCode(stamp: Stamp, hash: string, grantId: string, tokens: NewTokens): Promise<Used>;
  accessToken(hash: string): Promise<AppToken | undefined>;
  refreshToken(hash: string): Promise<AppToken | undefined>;
  rotate(stamp: Stamp, hash: string, grantId: string, tokens: NewTokens): Promise<Used>;
  /** One access token alone. */
  dropToken(stamp: Stamp, hash: string): Promise<boolean>;
  /** Those that are connected, oldest first. */
  listGrants(userId: string, at: number): Promise<AppGrant[]>;
  endGrant(stamp: Stamp, userId: string, grantId: string): Promise<boolean>;
  /** Best effort and not audited: when connections were last used. */
  touchGrants(used: ReadonlyMap<string, number>): Promise<void>;
  /** Codes and tokens that are over, connections without any, and apps that nobody has connected since then. */
  forgetBefore(time: number): Promise<void>;
}
