/**
 * OAuth client for tests of the server's sign-in by AI agents. It uses the official MCP client library and a local
 * redirect URI.
 */
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/client';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';

/** Requests received at the agent's redirect URI. */
export const callbacks: URL[] = [];
const listener = createServer((request, response) => {
  callbacks.push(new URL(request.url!, 'http://127.0.0.1'));
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end('<!doctype html><link rel="icon" href="data:,"><p>Connected</p>');
});
export const listen = (): Promise<void> => new Promise((done) => void listener.listen(0, '127.0.0.1', done));
export const stopListening = (): void => void listener.close();

/**
 * OAuth client data of the test agent, kept in memory. The class works with the current and the previous version of the
 * MCP client library.
 */
export class AgentOAuthProvider implements OAuthClientProvider {
  asked: URL | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;

  get redirectUrl(): string {
    return `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`;
  }
  get clientMetadata() {
    return { client_name: 'Journey agent', redirect_uris: [this.redirectUrl] };
  }
  state(): string {
    return 'journey';
  }
  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.#client;
  }
  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client;
  }
  tokens(): OAuthTokens | undefined {
    return this.#tokens;
  }
  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens;
  }
  invalidateCredentials(): void {
    this.#tokens = undefined;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }
  saveDiscoveryState(found: OAuthDiscoveryState): void {
    this.#discovered = found;
  }
  redirectToAuthorization(address: URL): void {
    this.asked = address;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
}

/** Signs in on the authorization page. Afterwards the page shows the consent form. */
export async function signInForConsent(page: Page, asked: URL, name: string, password: string): Promise<void> {
  await page.goto(asked.href);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('wants to use this workspace as').first().waitFor();
}

/** Presses Allow on the consent page and returns the parameters of the redirect. */
export async function pressAllow(page: Page): Promise<URLSearchParams> {
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('Connected').waitFor();
  return callbacks.at(-1)!.searchParams;
}
