import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shot } from './browser.ts';
import { journey } from './journey.ts';

/** Where the app listens for the person to come back. */
const callbacks: URL[] = [];
const listener = createServer((request, response) => {
  callbacks.push(new URL(request.url!, 'http://127.0.0.1'));
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end('<!doctype html><link rel="icon" href="data:,"><p>Connected</p>');
});
beforeAll(() => new Promise<void>((done) => void listener.listen(0, '127.0.0.1', done)));
afterAll(() => void listener.close());

/** What an agent keeps, as the official client library wants it. */
class Agent implements OAuthClientProvider {
  asked: URL | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';

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

describe('an agent that knows the address alone', async () => {
  const { sheaf, browser } = await journey();

  test('discovers, registers, is allowed in the browser, calls, and is refused once it is disconnected', async () => {
    await sheaf.client.account.set_password({ password: 'correct horse' });
    const agent = new Agent();
    const address = new URL(`${sheaf.url}/mcp`);
    const transport = new StreamableHTTPClientTransport(address, { authProvider: agent });
    await expect(new Client({ name: 'journey', version: '1' }).connect(transport)).rejects.toThrow(UnauthorizedError);

    const page = await browser.open();
    await page.goto(agent.asked!.href);
    await page.getByLabel('Name').fill('owner');
    await page.getByLabel('Password').fill('correct horse');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('wants to use this workspace as').first().waitFor();
    await shot(page, 'app-consent');
    expect(await page.getByText('Journey agent').first().isVisible()).toBe(true);
    await page.locator('input[value="wiki:write"]').uncheck();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Connected').waitFor();
    const back = callbacks.at(-1)!.searchParams;
    expect([back.get('state'), back.get('iss')]).toEqual(['journey', sheaf.url]);
    await transport.finishAuth(back.get('code')!);

    const client = new Client({ name: 'journey', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(address, { authProvider: agent }));
    const me = (await client.callTool({ name: 'account_get_me', arguments: {} })) as {
      structuredContent: { name: string };
    };
    expect(me.structuredContent.name).toBe('owner');

    await page.goto(`${sheaf.url}/account/apps`);
    await page.getByText('Knowledge (Read only)').waitFor();
    await shot(page, 'account-apps');
    await page.getByRole('button', { name: 'Disconnect: Journey agent' }).click();
    await page.getByRole('button', { name: 'Disconnect', exact: true }).last().click();
    await page.getByText('“Journey agent” was disconnected.').waitFor();
    await page.getByText('No connected apps').waitFor();
    // Refused, it may only ask the person again.
    agent.asked = undefined;
    await expect(client.callTool({ name: 'account_get_me', arguments: {} })).rejects.toThrow(UnauthorizedError);
    expect(agent.asked).toBeDefined();
    browser.expectClean();
  });
});
