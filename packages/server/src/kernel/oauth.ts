import type { AppClient } from '../ports/oauth-store.ts';

/** Access that a user granted to an app on the consent page. */
export interface Consent {
  readonly client: AppClient;
  readonly userId: string;
  /** Browser session in which the user consented. The session must still be active. */
  readonly session: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scopes: readonly string[];
  /** Path of the resource (API endpoint) for which the tokens are valid. */
  readonly resource: string;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly seconds: number;
  readonly refreshToken: string;
  readonly scopes: readonly string[];
}

/** Parameters of an OAuth token request. A parameter that was not sent is empty or undefined. */
export interface TokenRequest {
  readonly clientId: string;
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly refreshToken: string;
  /** Resource for which the app requests the token; undefined if the app named none. */
  readonly resource: string | undefined;
  readonly scope: string | undefined;
}

/**
 * Manages OAuth clients and their tokens. The account module implements it. Methods throw OAuthFailure. `address` is
 * the client address that is rate-limited.
 */
export interface AuthorizationServer {
  /** Registers an app from its metadata (dynamic client registration). Calls are rate-limited per client address. */
  register(metadata: unknown, address: string): Promise<AppClient>;
  /**
   * Finds an app by its client id. If the id is a URL, fetches the app's metadata document from it; the rate of these
   * fetches is limited per user.
   */
  client(id: string, userId: string): Promise<AppClient>;
  /** Returns whether the user has granted the app access and has not disconnected it. */
  hasGrant(clientId: string, userId: string): Promise<boolean>;
  /** Creates the authorization code that the app exchanges for tokens. */
  issueCode(consent: Consent): Promise<string>;
  exchangeCode(request: TokenRequest, address: string): Promise<IssuedTokens>;
  refresh(request: TokenRequest, address: string): Promise<IssuedTokens>;
  /**
   * Revokes an access token, or a refresh token together with the whole connection of the app. Ignores an unknown
   * token.
   */
  revoke(token: string, clientId: string): Promise<void>;
}

/** Error in an OAuth request, to be reported to the app. `error` is an error code of RFC 6749 or its extensions. */
export class OAuthFailure extends Error {
  readonly error: string;
  readonly retryAfter: number | undefined;

  constructor(error: string, description: string, retryAfter?: number) {
    super(description);
    this.name = 'OAuthFailure';
    this.error = error;
    this.retryAfter = retryAfter;
  }
}
