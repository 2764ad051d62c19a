import { describe, expect, test } from 'vitest';
import { openSignInLink, takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

describe('account', async () => {
  const { sheaf, browser } = await journey();

  test('a key is made with its scopes, shown once, works as the snippet says, and is revoked', async () => {
    const page = await browser.signedIn(sheaf);
    await page.goto(`${sheaf.url}/account/keys`);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('What is it for?').fill('reader');
    await page.getByLabel('Access').selectOption('read');
    await page.getByLabel('Notes').check();
    await takeScreenshot(page, 'account-new-key');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('It will not be shown again').waitFor();
    await page.getByRole('button', { name: 'Copy: API key' }).click();
    const secret = await page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Read only · Notes').waitFor();
    await takeScreenshot(page, 'account-keys');

    await page.getByRole('link', { name: 'Connect', exact: true }).click();
    await page.getByText('Other MCP client').click();
    await page.getByText('With a key').click();
    await page.getByText('"mcpServers"').first().waitFor();
    await page.getByText('HTTP', { exact: true }).first().click();
    await page.getByRole('button', { name: 'Copy: HTTP' }).click();
    const snippet = await page.evaluate(() => navigator.clipboard.readText());
    await takeScreenshot(page, 'account-connect');
    expect(snippet).toContain(`svc-openapi-apikey: ${secret}`);
    const [, address = '', body = ''] = /curl -s (\S+)[\s\S]*-d '(.*)'/.exec(snippet) ?? [];
    const headers = Object.fromEntries(
      [...snippet.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value]),
    );
    const answer = await (await fetch(address, { method: 'POST', headers, body })).json();
    expect(answer).toMatchObject({ code: 0, data: { search_note_infos: [] } });

    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Revoke: reader' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).last().click();
    await page.getByText('“reader” was revoked.').waitFor();
    expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(401);
    browser.expectClean();
  });

  test("the owner adds a user, whose link signs them in without the owner's pages", async () => {
    const page = await browser.signedIn(sheaf);
    await page.goto(`${sheaf.url}/account/users`);
    await page.getByRole('button', { name: 'Add a user' }).click();
    await page.getByLabel('Name').fill('ada');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Send this to ada').waitFor();
    const link = await page.locator('dialog pre').innerText();
    await takeScreenshot(page, 'account-user-link');
    const other = await browser.open();
    await openSignInLink(other, link);
    await other.getByRole('heading', { name: 'Hello, ada' }).waitFor();
    await other.goto(`${sheaf.url}/account/profile`);
    await other.getByRole('link', { name: 'Connect', exact: true }).waitFor();
    expect(await other.getByRole('link', { name: 'Users' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Actions for ada' }).click();
    await page.getByRole('menuitem', { name: 'Suspend' }).click();
    await page.getByText('ada was suspended.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Suspended', { exact: true }).waitFor({ state: 'detached' });
    browser.expectClean();
  });

  test('on a phone the section that is open is among the tabs that are seen', async () => {
    const phone = await browser.signedIn(sheaf, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    for (const [section, name] of [
      ['users', 'Users'],
      ['profile', 'Profile'],
    ]) {
      await phone.goto(`${sheaf.url}/account/${section}`);
      const bar = phone.getByRole('navigation', { name: 'Main' });
      await expect.poll(() => bar.getByRole('link', { name: 'Account' }).getAttribute('aria-current')).toBe('page');
      const tabs = phone.getByRole('navigation', { name: 'Account' });
      const tab = tabs.getByRole('link', { name });
      await tab.waitFor();
      // The tabs do not all fit.
      expect(await tabs.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true);
      await expect
        .poll(async () => {
          const { x, width } = (await tab.boundingBox()) ?? { x: -1, width: 0 };
          return x >= 0 && x + width <= 390;
        })
        .toBe(true);
    }
    await phone.context().close();
    browser.expectClean();
  });
});
