import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';
import { newDocument, openSheet } from './sheet-page.ts';

describe('people and agents in one spreadsheet', async () => {
  const { sheaf, browser } = await journey();

  test('[finding P6][finding P8] who is here shows by the title, with their selection, in one color everywhere', async () => {
    const { user_id } = (await sheaf.client.account.create_user({ name: 'ada' })).user;
    const document = await newDocument(sheaf, 'Together', [['start']]);
    const { file_id } = document;
    const mine = await openSheet(browser, sheaf, document);
    expect(await mine.page.locator('[data-avatar]').count()).toBe(0);
    // The document is shared while it is open, and the new member's name is still shown.
    await sheaf.client.manage.share_file({ file_id, user_id, role: 'editor' });
    const hers = await openSheet(
      browser,
      sheaf,
      document,
      await browser.signedIn(sheaf, { userId: user_id, colorScheme: 'dark' }),
    );
    const avatar = mine.page.locator('[data-avatar="ada"]');
    await avatar.waitFor();
    await hers.page.locator('[data-avatar="owner"]').waitFor();
    await hers.drag('B2', 'C4');
    await mine.page.getByRole('button', { name: 'ada is here B2:C4' }).waitFor();
    const label = mine.page.locator('[data-present="ada"]').locator('visible=true');
    await label.waitFor();
    const colorOf = (one: typeof label): Promise<string> =>
      one.first().evaluate((element) => getComputedStyle(element).backgroundColor);
    const color = await colorOf(avatar);
    expect(await colorOf(label)).toBe(color);
    await takeScreenshot(mine.page, 'together');
    await takeScreenshot(hers.page, 'together-dark');
    await hers.page.keyboard.type('from ada');
    await hers.page.keyboard.press('Enter');
    const mark = mine.page.locator('[data-mark="ada"] span[aria-hidden]').first();
    await mark.waitFor();
    expect(await colorOf(mark)).toBe(color);
    await mine.page.getByRole('button', { name: 'History', exact: true }).click();
    const row = mine.page
      .getByRole('list', { name: 'History' })
      .getByRole('listitem')
      .filter({ hasText: 'ada' })
      .first();
    await row.waitFor();
    expect(await colorOf(row.locator('span[aria-hidden]'))).toBe(color);
    // Going to another user's position does not change the selection.
    await avatar.click();
    await mine.active(/^A1/);
    // A user who leaves disappears at once.
    await hers.page.goto(`${sheaf.url}/sheet`);
    await avatar.waitFor({ state: 'detached' });
    browser.expectClean();
  });

  test('[finding P8] an agent is shown as one, with the call it made; and may say where it works', async () => {
    const { api_key } = await sheaf.client.account.create_key({ name: 'Harvest bot' });
    const document = await newDocument(sheaf, 'Agents', [['start']]);
    const { page } = await openSheet(browser, sheaf, document);
    const call = async (name: string, args: object): Promise<void> => {
      const response = await fetch(`${sheaf.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${api_key}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
      });
      expect(await response.text()).not.toContain('"isError":true');
    };
    await call('sheet_write', { file_id: document.file_id, range: 'B2', rows: [['plum', 41]] });
    await page.getByRole('button', { name: 'Harvest bot (agent): write B2:C2' }).waitFor();
    await page.locator('[data-mark="Harvest bot"]').filter({ hasText: 'Harvest bot, 2 cells' }).waitFor();
    await takeScreenshot(page, 'together-agent');
    await call('call_read_tool', {
      name: 'manage_announce',
      arguments: { file_id: document.file_id, place: `${document.sheet_id}$D5:D9` },
    });
    await page.getByRole('button', { name: 'Harvest bot (agent): D5:D9' }).waitFor();
    browser.expectClean();
  });
});
