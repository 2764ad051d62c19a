import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

/** An HTTP server that receives the webhooks. */
const heard: IncomingMessage[] = [];
const listener = createServer((request, response) => {
  heard.push(request);
  request.resume().on('end', () => response.end());
});
beforeAll(() => new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve)));
afterAll(() => listener.close());

describe('[finding P8] connecting an agent, and what is in the account pages', async () => {
  const { sheaf, browser } = await journey({ SHEAF_FETCH_ALLOW: '127.0.0.1' });

  test('one page from the choice of a program to its first call', async () => {
    const page = await browser.signedIn(sheaf);
    await page.getByRole('button', { name: /^Connect an agent/ }).click();
    await page.getByRole('heading', { name: 'Connect an agent' }).waitFor();
    // The configuration by address alone contains no secret.
    await page.getByText('claude mcp add --transport http sheaf').waitFor();
    expect(await page.locator('pre').first().innerText()).not.toContain('Bearer');
    await page.getByText('Waiting for the first call…').waitFor();
    await page.getByText('Cursor', { exact: true }).click();
    await page.getByText('With a key', { exact: true }).click();
    await page.getByRole('button', { name: 'Create a key and show the lines' }).click();
    await page.getByText('Waiting for the first call…').waitFor();
    await takeScreenshot(page, 'connect-waiting');
    const { mcpServers } = JSON.parse(await page.locator('pre').first().innerText()) as {
      mcpServers: { sheaf: { url: string; headers: Record<string, string> } };
    };
    const { url, headers } = mcpServers.sheaf;
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'note_import_doc', arguments: { content_format: 1, content: '# By the agent\n\nhello' } },
      }),
    });
    expect(answer.status).toBe(200);
    await page.getByText('Connected: Cursor made its first call.').waitFor();
    await takeScreenshot(page, 'connect-done');

    // The agent's change appears on the home page and in the audit log.
    await page.goto(sheaf.url);
    await page
      .getByRole('link', { name: /^Cursor.*By the agent/ })
      .first()
      .waitFor();
    await takeScreenshot(page, 'home-changes');
    await page.goto(`${sheaf.url}/account/audit`);
    await page.getByRole('row', { name: /note\.import_doc.*Cursor/ }).waitFor();
    await page.getByRole('button', { name: 'Kind' }).click();
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await page.getByRole('row', { name: /account\.create_key.*Browser/ }).waitFor();
    await expect.poll(() => page.getByRole('row', { name: /note\.import_doc/ }).count()).toBe(0);
    await takeScreenshot(page, 'account-audit');
    browser.expectClean();
  });

  test('a session says by which browser it was made, and another one is ended from here', async () => {
    const page = await browser.signedIn(sheaf, {
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    });
    await page.goto(`${sheaf.url}/account/profile`);
    await page.getByText('Firefox on Windows').waitFor();
    const other = page.getByRole('button', { name: 'End: Chrome on Linux' });
    await other.first().waitFor();
    await takeScreenshot(page, 'account-sessions');
    const count = await other.count();
    await other.first().click();
    await expect.poll(() => other.count()).toBe(count - 1);
    browser.expectClean();
  });

  test('a webhook is made, tried, looked after and removed', async () => {
    await sheaf.client.wiki.create_knowledge_base({ name: 'Told' });
    const page = await browser.signedIn(sheaf);
    await page.goto(`${sheaf.url}/account/webhooks`);
    await page.getByText('No webhooks').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).click();
    const address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/hook`;
    await page.getByLabel('Address').fill(address);
    await page.getByLabel('Which one').selectOption({ label: 'Told' });
    await takeScreenshot(page, 'webhook-new');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Knowledge base: Told').waitFor();
    const menu = async (entry: string): Promise<void> => {
      await page.getByRole('button', { name: `Actions for ${address}` }).click();
      await page.getByRole('menuitem', { name: entry }).click();
    };
    await menu('Send a test');
    await page.getByText('Delivered (200)').waitFor();
    expect(heard[0]?.headers['webhook-signature']).toMatch(/^v1,/);
    await takeScreenshot(page, 'webhook-deliveries');
    await page.keyboard.press('Escape');
    await menu('Pause');
    await page.getByText('Paused').waitFor();
    await menu('Delete');
    await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
    await page.getByText('No webhooks').waitFor();
    browser.expectClean();
  });
});
