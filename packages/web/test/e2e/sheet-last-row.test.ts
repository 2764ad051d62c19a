import { describe, expect, test } from 'vitest';
import { journey } from './journey.ts';
import { newDocument, openSheet } from './sheet-page.ts';

describe('the end of the grid', async () => {
  const { sheaf, browser } = await journey();

  test('typing goes on below the last row that was shown while the server is away: no cell is typed over', async () => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'Long'));
    const { page } = sheet;
    const place = page.getByLabel('Go to cell or range');
    await place.fill('A297');
    await page.keyboard.press('Enter');
    await sheet.active(/^A297/);
    await sheaf.cut();
    const rows = Array.from({ length: 8 }, (_, index) => `a${297 + index}`);
    for (const text of rows) {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    }
    await sheet.active(/^A305/);
    // Beyond the last row of the grid.
    await place.fill('A900');
    await page.keyboard.press('Enter');
    await page.keyboard.type('far');
    await page.keyboard.press('Enter');
    await sheet.active(/^A901/);
    await sheaf.start();
    await expect
      .poll(() => sheet.csv('A297:A304').catch(() => 'away'), { timeout: 30_000 })
      .toBe(`${rows.join('\n')}\n`);
    await expect.poll(() => sheet.csv('A900:A900')).toBe('far\n');
    browser.takeFaults();
  });
});
