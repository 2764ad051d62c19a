import { describe, expect, test } from 'vitest';
import { openSignInLink, takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';
import { newDocument, openSheet } from './sheet-page.ts';

describe('a large spreadsheet, in the dark and in Chinese', async () => {
  const { sheaf, browser } = await journey();

  /** Creates a sheet of a million rows with values at the start, in the middle and at the end. */
  const million = async (title: string): Promise<{ file_id: string; sheet_id: string }> => {
    const document = await newDocument(sheaf, title, [['first', '=COUNTA(A:A)']]);
    for (const row of [499_999, 999_999]) {
      await sheaf.client.sheet.enter_cells({
        ...document,
        start_row: row,
        start_col: 0,
        rows: [[`row ${row + 1}`, '=ROW()']],
      });
    }
    return document;
  };

  test('a million rows: jump, scroll by wheel and by the bar, write, select a column', async () => {
    const sheet = await openSheet(browser, sheaf, await million('Million'));
    const { page } = sheet;
    await sheet.shows('B1', '3');
    await page.keyboard.press('Control+ArrowDown');
    await sheet.active(/^A500000, row 500000/);
    await page.keyboard.press('Control+ArrowDown');
    await sheet.active(/^A1000000, row 1000000/);
    await sheet.shows('B1000000', '1000000');
    await takeScreenshot(page, 'sheet-million');
    // The scroll bar and the wheel use the same position.
    const scroller = page.locator('[data-scroller]');
    const height = await scroller.evaluate((element) => element.scrollHeight);
    expect(height).toBeLessThan(9_000_000);
    await scroller.evaluate((element) => {
      element.scrollTop = (element.scrollHeight - element.clientHeight) / 2;
    });
    await page.mouse.move(700, 400);
    const top = await scroller.evaluate((element) => element.scrollTop);
    await page.mouse.wheel(0, 40_000);
    await expect.poll(() => scroller.evaluate((element) => element.scrollTop)).toBeGreaterThan(top);
    await page.getByLabel('Go to cell or range').fill('A500000');
    await page.keyboard.press('Enter');
    await sheet.shows('A500000', 'row 500000');
    await page.keyboard.type('changed');
    await page.keyboard.press('Enter');
    await sheet.shows('A500000', 'changed');
    await page.keyboard.press('Control+Home');
    await sheet.shows('A1', 'first');
    await page.keyboard.press('Control+Space');
    await page.getByRole('status', { name: 'Summary' }).filter({ hasText: 'Count: 3' }).waitFor();
    browser.expectClean();
  });

  test('hidden rows are passed over however many they are', async () => {
    const document = await million('Hidden');
    await sheaf.client.sheet.set_dimension_visible({
      ...document,
      dimension_type: 'row',
      index: 1,
      count: 499_998,
      visible: false,
    });
    await sheaf.client.sheet.set_dimension_visible({
      ...document,
      dimension_type: 'row',
      index: 500_000,
      count: 499_999,
      visible: false,
    });
    const sheet = await openSheet(browser, sheaf, document);
    await sheet.shows('A500000', 'row 500000');
    await sheet.shows('A1000000', 'row 1000000');
    await sheet.page.keyboard.press('ArrowDown');
    await sheet.active(/^A500000/);
    await sheet.page.keyboard.press('ArrowDown');
    await sheet.active(/^A1000000/);
    await sheet.page.keyboard.press('ArrowUp');
    await sheet.active(/^A500000/);
    browser.expectClean();
  });

  test('dark', async () => {
    const document = await newDocument(sheaf, 'Dark', [
      ['Plain', 'Filled', 'Colored', '=1/0'],
      ['1', '2', '3', '=A2+B2'],
    ]);
    await sheaf.client.sheet.set_cell_style({
      ...document,
      start_row: 0,
      start_col: 1,
      end_row: 1,
      end_col: 1,
      format: { bg_color: 'FBE6A3' },
    });
    await sheaf.client.sheet.set_cell_style({
      ...document,
      start_row: 0,
      start_col: 2,
      end_row: 1,
      end_col: 2,
      format: { font_color: '000000' },
    });
    const sheet = await openSheet(browser, sheaf, document, await browser.signedIn(sheaf, { colorScheme: 'dark' }));
    await sheet.shows('D2', '3');
    await sheet.drag('A1', 'B2');
    await takeScreenshot(sheet.page, 'sheet-dark');
    const color = await sheet.page.locator('[data-grid] canvas').evaluate((canvas: HTMLCanvasElement) =>
      Array.from(
        canvas
          .getContext('2d')!
          .getImageData(canvas.width - 60, canvas.height - 60, 1, 1)
          .data.subarray(0, 3),
      ),
    );
    expect(Math.max(...color)).toBeLessThan(60);
    browser.expectClean();
  });

  test('in Chinese, typed by an input method, on a phone', async () => {
    const made = await newDocument(sheaf, '收成', [
      ['作物', '面积'],
      ['小麦', '12'],
    ]);
    const page = await browser.open({ locale: 'zh-CN', viewport: { width: 390, height: 780 }, hasTouch: true });
    await openSignInLink(page, await sheaf.signInLink());
    await page.getByRole('navigation').first().waitFor({ state: 'attached' });
    await page.goto(`${sheaf.url}/sheet/${made.file_id}`);
    await page.getByLabel('编辑栏').waitFor();
    await page.locator('[data-cell="B2"]').waitFor({ state: 'attached' });
    const box = (await page.locator('[data-grid]').boundingBox())!;
    await page.touchscreen.tap(box.x + 44 + 50, box.y + 26 + 27 * 2.5);
    await page.locator('[data-active-cell]').filter({ hasText: 'A3' }).waitFor({ state: 'attached' });
    const session = await page.context().newCDPSession(page);
    await session.send('Input.imeSetComposition', { text: 'da', selectionStart: 2, selectionEnd: 2 });
    await session.send('Input.insertText', { text: '大麦' });
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('[data-cell="A3"]').allTextContents()).toEqual(['大麦']);
    await takeScreenshot(page, 'sheet-phone');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    browser.expectClean();
  });
});
