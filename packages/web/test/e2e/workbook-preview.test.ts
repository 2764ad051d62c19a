import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { xls } from '@sheaf/tools/testing/formats/ole-documents.ts';
import { previewXlsx } from '@sheaf/tools/testing/preview-xlsx.ts';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

describe('workbooks of a knowledge base', async () => {
  const { sheaf, browser } = await journey();
  const { knowledge_base_id: base } = await sheaf.client.wiki.create_knowledge_base({ name: 'Workbooks' });
  const upload = async (name: string, content: Uint8Array | string): Promise<string> => {
    const { media_id: id } = await sheaf.client.wiki.upload_knowledge({
      knowledge_base_id: base,
      file_name: name,
      content: Buffer.from(content as string).toString('base64'),
    });
    await sheaf.client.wiki.get_knowledge_state({ media_ids: [id], wait_seconds: 20 });
    return id;
  };
  const plan = await upload('plan.xlsx', previewXlsx());
  const page = await browser.signedIn(sheaf);

  const shows = async (on: Page, cell: string, text: string): Promise<void> =>
    expect.poll(() => on.locator(`[data-cell="${cell}"]`).allTextContents(), { timeout: 15_000 }).toEqual([text]);
  const active = async (text: RegExp): Promise<void> =>
    expect.poll(() => page.locator('[data-active-cell]').textContent(), { timeout: 15_000 }).toMatch(text);

  test('one opens in the grid: its values as they are displayed, its tabs, charts and formulas, and nothing to change', async () => {
    await page.goto(`${sheaf.url}/wiki/${base}/item/${plan}`);
    await shows(page, 'A1', 'Budget of the year');
    await shows(page, 'B3', '1,200.50 EUR');
    await shows(page, 'B6', '1,507.50 EUR');
    // The fifth row and the sub-sheet Secret are hidden.
    expect(await page.locator('[data-cell="A5"]').count()).toBe(0);
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Plan', 'Notes', 'Tall']);
    await page.getByRole('group', { name: /chart/i }).or(page.getByLabel(/chart/i)).first().waitFor();
    await takeScreenshot(page, 'workbook-preview');

    // By keyboard: into the grid, to the end of the values; typing there changes nothing.
    await page.locator('[data-grid-field]').focus();
    await page.keyboard.press('ArrowDown');
    await active(/^A2, Item/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Control+ArrowDown');
    await active(/^B4, 300\.00 EUR/);
    await page.keyboard.press('Control+ArrowDown');
    await active(/^B6, 1,507\.50 EUR, Formula =SUM\(B3:B4\)\+Secret!A1/i);
    await expect.poll(() => page.getByLabel('Formula bar').inputValue()).toBe('=SUM(B3:B4)+Secret!A1');
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Delete');
    await shows(page, 'B6', '1,507.50 EUR');

    await page.getByRole('tab', { name: 'Notes' }).click();
    await shows(page, 'B1', '会议记录');
    await expect
      .poll(() => page.getByAltText('Logo').evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBe(1);
    expect(await page.getByRole('status').filter({ hasText: 'rows' }).count()).toBe(0);
    await page.getByRole('tab', { name: 'Tall' }).click();
    await shows(page, 'A1', '1');
    await page.getByText('Showing 2,000 of 2,500 rows and 1 of 1 columns. Open in Sheets shows everything.').waitFor();
    await page.locator('[data-grid-field]').focus();
    await page.keyboard.press('Control+ArrowDown');
    await active(/^A2000, 2000/);
    await takeScreenshot(page, 'workbook-preview-cut');
    browser.expectClean();
  });

  test('its text is one press away, and a search that leads into it opens the text', async () => {
    await page.goto(`${sheaf.url}/wiki/${base}/item/${plan}`);
    await page.locator('[data-grid]').waitFor();
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.locator('article').getByText('Budget of the year').first().waitFor();
    await page.getByRole('button', { name: 'Formatted' }).click();
    await shows(page, 'A3', 'Rent');
    await page.goto(`${sheaf.url}/wiki/${base}/item/${plan}?q=Budget`);
    await page.locator('article').getByText('Budget').first().waitFor();
    expect(await page.locator('[data-grid]').count()).toBe(0);
    browser.expectClean();
  });

  test('what cannot be shown so is shown as text', async () => {
    const whole = Buffer.from(previewXlsx());
    whole.fill(0xff, 60, Math.floor(whole.length * 0.8));
    const broken = await upload('broken.xlsx', whole);
    await page.goto(`${sheaf.url}/wiki/${base}/item/${broken}`);
    await page
      .getByRole('alert')
      .filter({ hasText: /damaged|read/ })
      .waitFor();
    // The refused preview request is the only reported error.
    const faults = browser.takeFaults();
    expect(faults.every((fault) => fault.includes('400') || fault.includes('view_workbook'))).toBe(true);
  });

  test('dark, on a phone and in Chinese', async () => {
    const phone = await browser.signedIn(sheaf, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      hasTouch: true,
      isMobile: true,
    });
    await phone.evaluate(() => localStorage.setItem('sheaf.language', 'zh'));
    await phone.goto(`${sheaf.url}/wiki/${base}/item/${plan}`);
    await shows(phone, 'B3', '1,200.50 EUR');
    await takeScreenshot(phone, 'workbook-preview-phone-dark');
    await phone.getByRole('tab', { name: 'Tall' }).tap();
    await phone.getByText('显示 2,500 行中的 2,000 行').waitFor();
    await takeScreenshot(phone, 'workbook-preview-phone-cut');
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await phone.context().close();
    browser.expectClean();
  });

  test('Open in Sheets makes a spreadsheet of it', async () => {
    await page.goto(`${sheaf.url}/wiki/${base}/item/${plan}`);
    await page.getByRole('button', { name: 'Open in Sheets' }).click();
    await page.waitForURL('**/sheet/**');
    await shows(page, 'B6', '1,507.50 EUR');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('plan');
    browser.expectClean();
  });

  test('a workbook of before 2007 is shown and opened as well, whatever it is called', async () => {
    const old = await upload('yields.xls', xls([['Barley', 51.5]], 'Old'));
    await sheaf.client.wiki.rename_knowledge({ media_id: old, title: 'Yields' });
    await page.goto(`${sheaf.url}/wiki/${base}/item/${old}`);
    await shows(page, 'B1', '51.5');
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Old']);
    await page.getByRole('button', { name: 'Open in Sheets' }).click();
    await page.waitForURL('**/sheet/**');
    await shows(page, 'B1', '51.5');
    browser.expectClean();
  });
});
