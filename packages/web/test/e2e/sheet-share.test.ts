import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';
import { newDocument, openSheet } from './sheet-page.ts';

describe('sharing a spreadsheet', async () => {
  const { sheaf, browser } = await journey();

  test('[T86] a public link is made, copied, opened by a stranger, and ended', async () => {
    const document = await newDocument(sheaf, 'Harvest', [
      ['fruit', 'kilos'],
      ['pear', '12'],
      ['plum', '=B2*2'],
    ]);
    await sheaf.client.sheet.add_chart({
      ...document,
      chart_type: 'CHART_CLUSTERED_COLUMN',
      data_range: { start_row: 0, start_col: 0, end_row: 2, end_col: 1 },
      drawing_id: 'c1',
      title: 'Kilos',
      location: { row_index: 5, col_index: 0, width: 300, height: 200 },
    });
    const { page } = await openSheet(browser, sheaf, document);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Share “Harvest”' });
    await dialog.getByText('There is no public link.').waitFor();
    await dialog.getByLabel('Ends').selectOption('7');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByRole('button', { name: 'Copy: Address of the link' }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toMatch(new RegExp(`^${sheaf.url}/p#pl_[0-9a-z]{61}$`));
    await takeScreenshot(page, 'share-dialog');

    const sent: string[] = [];
    const stranger = await browser.open({ colorScheme: 'dark', viewport: { width: 1000, height: 700 } });
    stranger.on('request', (request) => sent.push(request.url()));
    const answer = await stranger.goto(link);
    expect(answer!.headers()).toMatchObject({
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'referrer-policy': 'no-referrer',
    });
    await stranger.getByRole('heading', { name: 'Harvest' }).waitFor();
    await expect.poll(() => stranger.locator('[data-cell="B3"]').allTextContents()).toEqual(['24']);
    const chart = stranger.getByRole('group', { name: 'Chart: Kilos' });
    await expect.poll(() => chart.getByRole('img').getAttribute('aria-label')).toContain('kilos: 12, 24');
    // A public link shows no formulas, and typing has no effect.
    await stranger.getByLabel('Go to cell or range').fill('B3');
    await stranger.keyboard.press('Enter');
    await expect.poll(() => stranger.getByLabel('Formula bar').inputValue()).toBe('24');
    await stranger.keyboard.type('99');
    await stranger.keyboard.press('Enter');
    await expect.poll(() => stranger.locator('[data-cell="B3"]').allTextContents()).toEqual(['24']);
    await takeScreenshot(stranger, 'public-page-dark');
    const secret = new URL(link).hash.slice(1);
    expect(sent.filter((url) => url.includes(secret) && !url.includes('#'))).toEqual([]);
    expect(sent.filter((url) => url.includes('/openapi/'))).toEqual([]);

    // Changes appear when the visitor returns to the page.
    await sheaf.client.sheet.enter_cells({ ...document, start_row: 1, start_col: 1, rows: [['20']] });
    await stranger.evaluate(() => globalThis.document.dispatchEvent(new Event('visibilitychange')));
    await expect.poll(() => stranger.locator('[data-cell="B3"]').allTextContents()).toEqual(['40']);

    await dialog.getByRole('button', { name: /^End the link created/ }).click();
    await dialog.getByText('There is no public link.').waitFor();
    await stranger.evaluate(() => globalThis.document.dispatchEvent(new Event('visibilitychange')));
    await stranger.getByRole('heading', { name: 'This link has ended' }).waitFor();
    await takeScreenshot(stranger, 'public-page-ended');
    browser.expectClean();
  });

  test('[T86] who has no link, on a telephone and in Chinese, is told so', async () => {
    const phone = await browser.open({ viewport: { width: 390, height: 844 }, locale: 'zh-CN' });
    await phone.goto(`${sheaf.url}/p#pl_nothing`);
    await phone.getByRole('heading', { name: '此链接已失效' }).waitFor();
    expect(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    browser.expectClean();
  });
});
