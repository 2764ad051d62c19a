/** [finding P21] Every page at every width, light and dark, in both languages. */
import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { boxFaults } from './boxes.ts';
import { journey } from './journey.ts';

describe('the places of things', async () => {
  const { sheaf, browser } = await journey();
  const { client } = sheaf;
  const { note_id } = await client.note.import_doc({
    content_format: 1,
    content: '# Harvest\n\nPears, *plums* and figs.',
  });
  const { file_id, sheet_id } = await client.manage.create_file({
    title: 'Orders of the whole year, by month and region',
  });
  await client.sheet.set_range_value_by_csv({ file_id, sheet_id, csv_data: 'month,units\nJan,12\nFeb,7\n' });
  await client.manage.create_file({ title: 'Budget' });
  const { knowledge_base_id: base } = await client.wiki.create_knowledge_base({ name: 'Reading' });
  const { media_id } = await client.wiki.upload_knowledge({
    knowledge_base_id: base,
    file_name: 'pears and other fruit, a list that somebody gave a long name.md',
    text: '# Pears\n\nsweet',
  });
  await client.wiki.get_knowledge_state({ media_ids: [media_id], wait_seconds: 20 });
  const places = {
    home: '/',
    inbox: '/inbox',
    bases: '/wiki',
    base: `/wiki/${base}`,
    item: `/wiki/${base}/item/${media_id}`,
    notes: `/notes/${note_id}`,
    sheets: '/sheet',
    sheet: `/sheet/${file_id}`,
    shared: '/shared',
    search: '/search?q=pears',
    ...Object.fromEntries(
      ['profile', 'connect', 'keys', 'webhooks', 'audit', 'users', 'groups', 'setup'].map((one) => [
        one,
        `/account/${one}`,
      ]),
    ),
  };

  test.each([
    [1440, 'light', 'en-GB'],
    [1280, 'dark', 'zh-CN'],
    [1024, 'light', 'zh-CN'],
    [390, 'dark', 'en-GB'],
  ] as const)(
    '[finding P21] nothing is cut off or overlaps at %d, %s, %s',
    { timeout: 240_000 },
    async (width, colorScheme, locale) => {
      const page = await browser.open({ viewport: { width, height: 844 }, colorScheme, locale });
      await page.goto(await sheaf.signInLink());
      await page.locator('form[action="/sign-in"] button').click();
      await page.locator('main h1').first().waitFor();
      const faults: Record<string, string[]> = {};
      for (const [name, path] of Object.entries(places)) {
        await page.goto(sheaf.url + path);
        await page.locator('main h1').first().waitFor();
        await expect
          .poll(() => page.locator('main [aria-busy=true], main .animate-pulse').count(), {
            message: `${name} is loaded`,
          })
          .toBe(0);
        const found = await boxFaults(page);
        if (found.length > 0) faults[name] = found;
        await takeScreenshot(page, `places-${name}-${width}-${colorScheme}-${locale.slice(0, 2)}`);
      }
      expect(faults).toEqual({});
      await page.context().close();
      browser.expectClean();
    },
  );

  test('[finding P21] every page has the same letters and the same width, and digits of one width', async () => {
    const page = await browser.signedIn(sheaf, { viewport: { width: 1440, height: 900 } });
    const widths: number[] = [];
    for (const path of ['/', '/wiki', '/sheet', '/account/profile', `/wiki/${base}`]) {
      await page.goto(sheaf.url + path);
      const title = page.locator('main h1').first();
      await title.waitFor();
      await page.evaluate(() => document.fonts.ready);
      expect(await page.evaluate(() => document.fonts.check('16px "Geist Variable"')), path).toBe(true);
      expect(await title.evaluate((one) => getComputedStyle(one).fontFamily), path).toContain('Geist Variable');
      widths.push(Math.round((await title.boundingBox())!.x));
    }
    expect(new Set(widths).size).toBe(1);
    const [ones, eights] = await page.evaluate(() =>
      ['1111111111', '8888888888'].map((digits) => {
        const one = document.createElement('span');
        one.textContent = digits;
        document.body.append(one);
        return one.getBoundingClientRect().width;
      }),
    );
    expect(ones).toBeCloseTo(eights!, 1);
    browser.expectClean();
  });

  test('[finding P21] a dialog begins in its first field; one without fields has no ring on its close button', async () => {
    const page = await browser.signedIn(sheaf);
    await page.goto(`${sheaf.url}/sheet`);
    await page.getByRole('button', { name: 'New spreadsheet' }).first().click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('input');
    await page.keyboard.press('Escape');
    await page.goto(`${sheaf.url}/sheet/${file_id}`);
    await page.locator('[data-grid-field]').waitFor();
    await page.keyboard.press('Control+/');
    await page.getByRole('dialog').waitFor();
    expect(await page.evaluate(() => document.activeElement?.localName)).not.toBe('button');
    browser.expectClean();
  });

  test('[finding P18] spreadsheets are searched and sorted, with their owners', async () => {
    const { user } = await client.account.create_user({ name: 'mila' });
    const page = await browser.signedIn(sheaf);
    await page.goto(`${sheaf.url}/sheet`);
    const rows = page.getByRole('list', { name: 'Sheets' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(2);
    // What a spreadsheet holds is seen before it is opened, and follows its changes.
    const orders = rows.filter({ hasText: 'Orders' });
    await orders.getByText('month · units', { exact: true }).waitFor();
    expect(await orders.locator('[data-preview]').innerText()).toMatch(/^month\s+units\s+Jan\s+12\s+Feb\s+7$/);
    await rows.filter({ hasText: 'Budget' }).getByText('Empty', { exact: true }).waitFor();
    await takeScreenshot(page, 'sheets-previews');
    await client.sheet.set_range_value_by_csv({ file_id, sheet_id, csv_data: 'month,sold\n' });
    await page.goto(`${sheaf.url}/sheet`);
    await orders.getByText('month · sold', { exact: true }).waitFor();
    await rows.first().getByText('You', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sort by' }).click();
    await page.getByRole('menuitem', { name: 'Name' }).click();
    await expect
      .poll(() => rows.getByRole('link').allTextContents())
      .toEqual(['Budget', 'Orders of the whole year, by month and region']);
    await page.getByRole('searchbox', { name: 'Search spreadsheets' }).fill('sold');
    await expect
      .poll(() => rows.getByRole('link').allTextContents())
      .toEqual(['Orders of the whole year, by month and region']);
    await page.getByRole('searchbox', { name: 'Search spreadsheets' }).fill('nowhere');
    await page.getByText('Nothing found for “nowhere”.').waitFor();
    await client.manage.share_file({ file_id, user_id: user.user_id, role: 'viewer' });
    const hers = await browser.signedIn(sheaf, { userId: user.user_id });
    await hers.goto(`${sheaf.url}/sheet`);
    await hers.getByText('Shared with you').waitFor();
    browser.expectClean();
  });

  test('[finding P18] what an agent changed in bulk is one line on Home, after what people did', async () => {
    const { api_key } = await client.account.create_key({ name: 'Harvest bot' });
    const write = async (notes: number, title: string): Promise<void> => {
      for (let count = 0; count < notes; count++)
        await fetch(`${sheaf.url}/mcp`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${api_key}` },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'note_import_doc', arguments: { content_format: 1, content: `# ${title} ${count}` } },
          }),
        });
    };
    await write(6, 'Bulk');
    const page = await browser.signedIn(sheaf);
    // What a person wrote stays first, although the agent wrote after it, and more than the lists hold.
    await page.goto(`${sheaf.url}/notes`);
    await page.getByRole('button', { name: 'New note', exact: true }).first().click();
    await page.locator('.ProseMirror-focused').waitFor();
    await page.keyboard.type('Written by hand');
    await expect
      .poll(async () => (await client.note.list_note({ cursor: '', limit: 1 })).note_book_list[0]!.title)
      .toBe('Written by hand');
    await write(10, 'After');
    await page.goto(sheaf.url);
    const recent = page.locator('section', { has: page.getByRole('heading', { name: 'Recent', exact: true }) });
    await recent.getByRole('link', { name: /^Written by hand/ }).waitFor();
    expect(await recent.getByRole('link', { name: /Bulk|After/ }).count()).toBe(0);
    const line = recent.getByRole('listitem').filter({ hasText: 'Harvest bot' });
    await line.getByText('16 items').click();
    await line.getByRole('link', { name: /After 9/ }).waitFor();
    const since = page.locator('section', { has: page.getByRole('heading', { name: 'Since yesterday' }) });
    const bulk = since.getByRole('listitem').filter({ hasText: 'Harvest bot' });
    await bulk.getByText('16 items').waitFor();
    await since.getByRole('link', { name: /Written by hand/ }).waitFor();
    expect(await bulk.getByRole('link', { name: /Bulk/ }).count()).toBe(0);
    await bulk.getByText('16 items').click();
    await bulk.getByRole('link', { name: /Bulk 3/ }).waitFor();
    await takeScreenshot(page, 'home-bulk');
    browser.expectClean();
  });
});
