/** [finding P22] A phone in the hand, with its keyboard open. */
import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';
import { newDocument, openSheet } from './sheet-page.ts';

describe('a phone', async () => {
  const { sheaf, browser } = await journey();

  test('[finding P22] the keyboard opens while a cell is edited: the editor stays on its cell, and most of the window is cells', async () => {
    const rows = Array.from({ length: 40 }, (_, row) => [`row ${row + 1}`]);
    const document = await newDocument(sheaf, 'Pocket', rows);
    const page = await browser.signedIn(sheaf, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const sheet = await openSheet(browser, sheaf, document, page);
    const { x, y } = await sheet.at('A18');
    await page.touchscreen.tap(x, y);
    await sheet.active(/^A18/);
    await page.keyboard.press('F2');
    await page.keyboard.type(' edited');
    // The keyboard takes the lower half of the window.
    await page.setViewportSize({ width: 390, height: 480 });
    await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'hidden' });
    const grid = async () => (await page.locator('[data-grid]').boundingBox())!;
    await expect.poll(async () => (await grid()).height).toBeGreaterThan(300);
    const editor = page.locator('[data-grid-field]');
    await expect
      .poll(async () => {
        const [box, place] = [(await editor.boundingBox())!, await grid()];
        const top = await page.evaluate(() => Number(globalThis.document.querySelector('[data-grid]')!.scrollTop));
        return box.y >= place.y && box.y + box.height <= place.y + place.height && top === 0;
      })
      .toBe(true);
    await takeScreenshot(page, 'phone-keyboard');
    await page.keyboard.press('Enter');
    await sheet.shows('A18', 'row 18 edited');
    expect(await sheet.csv('A17:A19')).toBe('row 17\nrow 18 edited\nrow 19\n');
    browser.expectClean();
  });

  test('[finding P22] the menu of a cell names no keys that a phone does not have', async () => {
    const document = await newDocument(sheaf, 'Menu', [['pear']]);
    const page = await browser.signedIn(sheaf, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const sheet = await openSheet(browser, sheaf, document, page);
    await sheet.click('A1', { button: 'right' });
    const menu = page.getByRole('menu');
    await menu.getByRole('menuitem', { name: 'Cut', exact: true }).waitFor();
    expect(await menu.textContent()).not.toMatch(/Ctrl|⌘/);
    browser.expectClean();
  });
});
