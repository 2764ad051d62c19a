import { describe, expect, test } from 'vitest';
import type { CDPSession } from 'playwright-core';
import { journey } from './journey.ts';
import { newDocument, openSheet, type OpenSheet } from './sheet-page.ts';

const seconds = 1000;
const slow = { offline: false, latency: 2 * seconds, downloadThroughput: -1, uploadThroughput: -1 };

describe('a spreadsheet says whether it is saved', async () => {
  const { sheaf, browser } = await journey();

  const line = async ({ page }: OpenSheet): Promise<(conditions: typeof slow) => Promise<unknown>> => {
    const cdp: CDPSession = await page.context().newCDPSession(page);
    await cdp.send('Network.enable');
    return (conditions) => cdp.send('Network.emulateNetworkConditions', conditions);
  };
  const type = async ({ page }: OpenSheet, ...texts: string[]): Promise<void> => {
    for (const text of texts) {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    }
  };
  const says = (sheet: OpenSheet, text: string, timeout: number): Promise<void> =>
    sheet.page.locator('header [role=status]').filter({ hasText: text }).waitFor({ timeout });
  /** Collects the page's requests that write cells. */
  const requests = ({ page }: OpenSheet): string[] => {
    const sent: string[] = [];
    page.on('request', (request) => {
      const name = new URL(request.url()).pathname.split('/').at(-1)!;
      if (request.method() === 'POST' && (name === 'enter_cells' || name === 'batch' || name === 'calls'))
        sent.push(name);
    });
    return sent;
  };
  const numbers = (from: number, to: number): string[] =>
    Array.from({ length: to - from + 1 }, (_, index) => `n${from + index}`);
  const lines = (texts: string[]): string => `${texts.join('\n')}\n`;
  const tools = async ({ file_id }: OpenSheet): Promise<string[]> => {
    const { revisions } = await sheaf.client.sheet.get_history({ file_id, limit: 100 });
    return revisions.map((one) => one.tool).filter((tool) => tool !== 'create_file');
  };

  test('[finding P17] fifty cells typed on a slow line are saved within eight seconds, and the header says so', async () => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'Slow line'));
    const sent = requests(sheet);
    const conditions = await line(sheet);
    await says(sheet, 'Saved', 10 * seconds);
    await conditions(slow);
    const texts = numbers(1, 50);
    await type(sheet, ...texts);
    await says(sheet, 'Saving…', 0.5 * seconds);
    await says(sheet, 'Saved', 8 * seconds);
    expect(await sheet.csv('A1:A50')).toBe(lines(texts));
    expect(sent.length).toBeLessThan(10);
    // The history and undo still contain one step per edit.
    expect(await tools(sheet)).toEqual(texts.map(() => 'enter_cells'));
    await conditions({ ...slow, latency: 0 });
    await sheet.page.keyboard.press('Control+z');
    await sheet.shows('A50', '');
    await sheet.page.keyboard.press('Control+z');
    await sheet.shows('A49', '');
    await sheet.shows('A48', 'n48');
    await sheet.page.keyboard.press('Control+y');
    await sheet.shows('A49', 'n49');
    await expect.poll(() => sheet.csv('A47:A50')).toBe('n47\nn48\nn49\n');
    browser.expectClean();
  });

  test('[finding P17] fifty cells typed while the slow line is cut are saved within eight seconds of its return', async () => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'Cut line'));
    const conditions = await line(sheet);
    await conditions(slow);
    await type(sheet, ...numbers(1, 20));
    await conditions({ ...slow, offline: true });
    await type(sheet, ...numbers(21, 50));
    await says(sheet, 'Offline', 5 * seconds);
    await conditions(slow);
    await says(sheet, 'Saved', 8 * seconds);
    expect(await sheet.csv('A1:A50')).toBe(lines(numbers(1, 50)));
    expect(await tools(sheet)).toEqual(numbers(1, 50).map(() => 'enter_cells'));
    browser.takeFaults();
  });

  test('[finding P17] one refused cell of many is told, and the others are saved', async () => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'One refused'));
    const conditions = await line(sheet);
    await conditions(slow);
    await type(sheet, 'first', 'second', '=1+*', 'fourth');
    await sheet.page.keyboard.type('half');
    await expect.poll(() => sheet.csv('A1:A4'), { timeout: 10 * seconds }).toBe('first\nsecond\n\nfourth\n');
    await sheet.page.getByText('Edits that were not accepted: 1').waitFor();
    await sheet.formulaBar('half');
    await sheet.page.getByRole('button', { name: 'Review' }).click();
    await sheet.page.getByRole('dialog').getByText('Sheet1 A3').waitFor();
    await sheet.page.getByRole('dialog').getByText('=1+*').first().waitFor();
    browser.takeFaults();
  });

  test('[finding P17] a half-typed cell is there again after a reload, until it is entered or left by Escape', async () => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'Half typed', [['a'], ['b']]));
    const { page } = sheet;
    const reload = async (): Promise<void> => {
      await page.reload();
      await page.locator('[data-grid-field]').waitFor();
    };
    await sheet.click('B2');
    await page.keyboard.type('half of a sen');
    await reload();
    await expect.poll(() => page.locator('[data-grid-field]').inputValue()).toBe('half of a sen');
    await sheet.active(/^B2/);
    await page.keyboard.type('tence');
    await page.keyboard.press('Enter');
    await expect.poll(() => sheet.csv('A2:B2')).toBe('b,half of a sentence\n');
    await reload();
    await sheet.active(/^A1/);
    expect(await page.locator('[data-grid-field]').inputValue()).toBe('');
    // A cell that was only opened leaves no stored text.
    await sheet.doubleClick('B2');
    await expect.poll(() => page.locator('[data-grid-field]').inputValue()).toBe('half of a sentence');
    await reload();
    await sheet.active(/^A1/);
    await sheet.click('C3');
    await page.keyboard.type('never');
    await page.keyboard.press('Escape');
    await reload();
    await sheet.active(/^A1/);
    expect(await page.locator('[data-grid-field]').inputValue()).toBe('');
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('half-typed')))).toEqual(
      [],
    );

    // Another browser tab does not restore the text unasked, because the first tab may still be editing it.
    await sheet.click('C4');
    await page.keyboard.type('other tab');
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.getByText('C4').first().waitFor();
    await second.getByRole('button', { name: 'Continue' }).click();
    await expect.poll(() => second.locator('[data-grid-field]').inputValue()).toBe('other tab');
    await second.close();
    browser.expectClean();
  });
});
