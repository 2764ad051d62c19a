import type { AppClient } from '../ports/oauth-store.ts';

/** What a user granted on the consent page. */
export interface Consent {
  readonly client: AppClient;
  readonly userId: string;
  /** The browser session of the consent; it must still be active. */
  readonly session: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scopes: readonly string[];
  /** Path of the resource that the tokens are valid for. */
  readonly resource: string;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly seconds: number;
  readonly refreshToken: string;
  readonly scopes: readonly string[];
}

/** The parameters of a token request; a parameter that was not sent is empty. */
export interface TokenRequest {
  readonly clientId: string;
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly refreshToken: string;
  /** Undefined if the app named no resource. */
  readonly resource: string | undefined;
  readonly scope: string | undefined;
}

/**
 * OAuth clients and their tokens, provided by the account module. Methods throw OAuthFailure. `address`: the request's
 * client address.
 */
export interface AuthorizationServer {
  /** Registers an app from its metadata (dynamic client registration). Rate-limited per client address. */
  register(metadata: unknown, address: string): Promise<AppClient>;
  /** Finds an app by its client id. If the id is a URL, fetches its client metadata document on behalf of the user. */
  client(id: string, userId: string): Promise<AppClient>;
  /** True if the user has granted the app access and has not disconnected it. */
  hasGrant(clientId: string, userId: string): Promise<boolean>;
  /** Returns the authorization code that the app exchanges for tokens. */
  issueCode(consent: Consent): Promise<string>;
  exchangeCode(request: TokenRequest, address: string): Promise<IssuedTokens>;
  refresh(request: TokenRequest, address: string): Promise<IssuedTokens>;
  /** Ends the connection of a refresh token, or revokes a single access token. Ignores an unknown token. */
  revoke(token: string, clientId: string): Promise<void>;
}

/** An error with an error code of RFC 6749 or its extensions. */
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
