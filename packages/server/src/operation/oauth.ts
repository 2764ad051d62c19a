import type { AppClient } from '../ports/oauth-store.ts';

/** What a person allowed on the consent page. */
export interface Consent {
  readonly client: AppClient;
  readonly userId: string;
  /** The browser session in which they did; it must not be over. */
  readonly session: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scopes: readonly string[];
  /** The path of the address that the tokens are for. */
  readonly resource: string;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly seconds: number;
  readonly refreshToken: string;
  readonly scopes: readonly string[];
}

/** What an app sends for tokens, as far as it was sent. */
export interface TokenRequest {
  readonly clientId: string;
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly refreshToken: string;
  /** Undefined where it named no address. */
  readonly resource: string | undefined;
  readonly scope: string | undefined;
}

/** How apps are connected; the account module provides it. Refusals are OAuthFailure. `address`: where the request came from. */
export interface AppConnections {
  /** An app that is made known by what it says of itself; so many from one network address. */
  register(metadata: unknown, address: string): Promise<AppClient>;
  /** An app by its id; where that is an address, its document is read, on behalf of that user. */
  client(id: string, userId: string): Promise<AppClient>;
  /** Whether that user has allowed the app something, and has not disconnected it. */
  isConnected(clientId: string, userId: string): Promise<boolean>;
  /** The code with which the app gets its tokens. */
  connect(consent: Consent): Promise<string>;
  exchangeCode(request: TokenRequest, address: string): Promise<IssuedTokens>;
  refresh(request: TokenRequest, address: string): Promise<IssuedTokens>;
  /** Ends the connection of a refresh token, or one access token; nothing happens where it is neither. */
  revoke(token: string, clientId: string): Promise<void>;
}

/** A refusal in the words of RFC 6749 and those that followed it. */
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
