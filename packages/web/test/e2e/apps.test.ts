import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  AgentOAuthProvider,
  listen,
  pressAllow,
  signInForConsent,
  stopListening,
} from '@sheaf/tools/testing/agent-oauth-provider.ts';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

beforeAll(listen);
afterAll(stopListening);

describe('an agent that knows the address alone', async () => {
  const { sheaf, browser } = await journey();

  test('discovers, registers, is allowed in the browser, calls, and is refused once it is disconnected', async () => {
    await sheaf.client.account.set_password({ password: 'correct horse' });
    const agent = new AgentOAuthProvider();
    const address = new URL(`${sheaf.url}/mcp`);
    const transport = new StreamableHTTPClientTransport(address, { authProvider: agent });
    await expect(new Client({ name: 'journey', version: '1' }).connect(transport)).rejects.toThrow(UnauthorizedError);

    const page = await browser.open();
    await signInForConsent(page, agent.asked!, 'owner', 'correct horse');
    await takeScreenshot(page, 'app-consent');
    expect(await page.getByText('Journey agent').first().isVisible()).toBe(true);
    await page.locator('input[value="wiki:write"]').uncheck();
    const back = await pressAllow(page);
    expect([back.get('state'), back.get('iss')]).toEqual(['journey', sheaf.url]);
    await transport.finishAuth(back.get('code')!);

    const client = new Client({ name: 'journey', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(address, { authProvider: agent }));
    expect(await client.callTool({ name: 'account_get_me', arguments: {} })).toMatchObject({
      structuredContent: { name: 'owner' },
    });

    await page.goto(`${sheaf.url}/account/apps`);
    await page.getByText('Knowledge (Read only)').waitFor();
    await takeScreenshot(page, 'account-apps');
    await page.getByRole('button', { name: 'Disconnect: Journey agent' }).click();
    await page.getByRole('button', { name: 'Disconnect', exact: true }).last().click();
    await page.getByText('“Journey agent” was disconnected.').waitFor();
    await page.getByText('No connected apps').waitFor();
    // After a refusal the agent can only ask the user again.
    agent.asked = undefined;
    await expect(client.callTool({ name: 'account_get_me', arguments: {} })).rejects.toThrow(UnauthorizedError);
    expect(agent.asked).toBeDefined();
    browser.expectClean();
  });
});
