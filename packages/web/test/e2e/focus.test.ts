import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { journey } from './journey.ts';
import { newDocument, openSheet, type OpenSheet } from './sheet-page.ts';

describe('what closes gives the focus back', async () => {
  const { sheaf, browser } = await journey();

  const table = [
    ['name', 'units'],
    ['b', '2'],
    ['a', '1'],
  ];
  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => {
      const at = document.activeElement as HTMLElement | null;
      if (!at || at === document.body) return 'BODY';
      return at.hasAttribute('data-grid-field')
        ? 'grid'
        : (at.getAttribute('aria-label') ?? at.innerText ?? at.tagName);
    });
  /** Checks that typing goes to the active cell; Escape then restores the cell. */
  const inGrid = async ({ page }: OpenSheet, after: string): Promise<void> => {
    await expect.poll(() => focused(page), { message: `after ${after}` }).toBe('grid');
    await page.keyboard.type('q');
    await expect.poll(() => page.locator('[data-grid-field]').inputValue(), { message: `after ${after}` }).toBe('q');
    await page.keyboard.press('Escape');
  };
  const open = async (title: string): Promise<OpenSheet> => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, title, table));
    await sheet.shows('A1', 'name');
    await sheet.page.getByRole('button', { name: 'History' }).waitFor();
    return sheet;
  };
  const ways = ['Escape', 'Close', 'Cancel'] as const;
  const close = async (page: Page, way: (typeof ways)[number]): Promise<boolean> => {
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const button = dialog.getByRole('button', { name: way, exact: true });
    if (way !== 'Escape' && (await button.count()) === 0) await page.keyboard.press('Escape');
    else if (way === 'Escape') await page.keyboard.press('Escape');
    else await button.click();
    await dialog.waitFor({ state: 'detached' });
    return true;
  };

  test('[finding P13] every menu and popover around the grid, opened by pointer and by key', async () => {
    const sheet = await open('Menus');
    const { page } = sheet;
    const openers = page.locator('[data-sheet] [aria-haspopup]:not(:disabled):not([data-grid] *)');
    const count = await openers.count();
    expect(count).toBeGreaterThan(12);
    const popup = page.locator('[role=menu], [role=dialog]');
    for (let index = 0; index < count; index++) {
      const opener = openers.nth(index);
      const name = (await opener.getAttribute('aria-label')) ?? (await opener.innerText());
      await opener.click();
      await popup.waitFor();
      await page.keyboard.press('Escape');
      await popup.waitFor({ state: 'detached' });
      await inGrid(sheet, `${name}, clicked`);
      await opener.focus();
      await page.keyboard.press('Enter');
      await popup.waitFor();
      await page.keyboard.press('Escape');
      await popup.waitFor({ state: 'detached' });
      await inGrid(sheet, `${name}, by key`);
    }
    await sheet.click('B2', { button: 'right' });
    await popup.waitFor();
    await page.keyboard.press('Escape');
    await inGrid(sheet, 'the context menu');
    await page.getByRole('button', { name: 'Text color' }).click();
    await page.getByRole('dialog').getByRole('button', { name: /^#/ }).nth(12).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await inGrid(sheet, 'a color');
    browser.expectClean();
  });

  test('[finding P13] every dialog around the grid, closed by Escape, Close and Cancel, and by what it does', async () => {
    const sheet = await open('Dialogs');
    const { page } = sheet;
    const tool = (name: string) => async (): Promise<void> =>
      page.getByRole('toolbar').getByRole('button', { name, exact: true }).click();
    const toolByKey = (name: string) => async (): Promise<void> => {
      await page.getByRole('toolbar').getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    const entry = (menu: string, name: string) => async (): Promise<void> => {
      await page.getByRole('button', { name: menu, exact: true }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    const context = (name: string) => async (): Promise<void> => {
      await sheet.click('B2', { button: 'right' });
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    const openers: [string, () => Promise<void>][] = [
      ['Sort', tool('Sort…')],
      ['Link', tool('Link')],
      ['Image', tool('Insert image')],
      ['Sort by key', toolByKey('Sort…')],
      ['Sort from the context menu', context('Sort…')],
      ['Link from the context menu', context('Link…')],
      ['Number format', context('Number format…')],
      ['Pivot table', context('Pivot table…')],
      ['Share', entry('Actions for Dialogs', 'Share…')],
      ['Rename', entry('Actions for Dialogs', 'Rename…')],
      ['Print', entry('Actions for Dialogs', 'Print…')],
      ['Rename a sheet', entry('Actions for Sheet1', 'Rename')],
      ['Search', () => page.keyboard.press('Control+k')],
    ];
    await sheet.click('B2');
    for (const [name, show] of openers) {
      for (const way of ways) {
        await show();
        await close(page, way);
        await inGrid(sheet, `${name}, closed by ${way}`);
      }
    }

    // Removing an element inside a dialog leaves the focus in the dialog.
    await tool('Sort…')();
    await page.getByRole('dialog').getByRole('button', { name: 'Add another column' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).last().click();
    const inDialog = (): Promise<boolean> =>
      page.evaluate(() => document.activeElement?.closest('dialog[open]') != null);
    await expect.poll(inDialog).toBe(true);
    await page.getByRole('dialog').getByRole('button', { name: 'Sort', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await sheet.shows('A2', 'a');
    await page.keyboard.press('Control+z');
    await sheet.shows('A2', 'b');
    await sheet.click('D4');
    await tool('Link')();
    await page.getByLabel('Address').fill('https://example.com/');
    await page.getByLabel('Address').press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await inGrid(sheet, 'a link that was made');
    await page.getByRole('group', { name: 'Link' }).getByRole('button', { name: 'Remove link' }).click();
    await page.getByRole('group', { name: 'Link' }).waitFor({ state: 'detached' });
    await inGrid(sheet, 'a link that was removed on its card');
    await entry('Actions for Sheet1', 'Rename')();
    await page.getByRole('dialog').getByRole('textbox').fill('Renamed');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Renamed' }).waitFor();
    await inGrid(sheet, 'a sheet that was renamed');
    browser.takeFaults();
  });

  test('[finding P13] every panel beside the grid', async () => {
    const sheet = await open('Panels');
    const { page } = sheet;
    const bar = page.getByRole('toolbar');
    const buttons = ['Insert chart', 'Pivot table', 'Protected ranges', 'Comments', 'Find and replace', 'History'];
    const inMenu = ['Conditional formats', 'Data validation', 'Named ranges'];
    for (const name of [...buttons, ...inMenu]) {
      if (inMenu.includes(name)) {
        await bar.getByRole('button', { name: 'Data', exact: true }).click();
        await page.getByRole('menuitem', { name, exact: true }).click();
      } else await bar.getByRole('button', { name, exact: true }).click();
      const panel = page.getByRole('complementary').filter({ has: page.getByRole('heading') });
      await panel.waitFor();
      await expect.poll(() => focused(page), { message: `in ${name}` }).not.toBe('BODY');
      await panel.getByRole('button', { name: 'Close', exact: true }).first().click();
      await panel.waitFor({ state: 'detached' });
      await inGrid(sheet, name);
    }
    browser.expectClean();
  });

  test('[finding P13] elsewhere the focus goes to what opened it, or near to where that was', async () => {
    const page = await browser.signedIn(sheaf);
    const { knowledge_base_id } = await sheaf.client.wiki.create_knowledge_base({ name: 'Base' });
    await sheaf.client.wiki.create_folder({ knowledge_base_id, name: 'Folder' });
    await newDocument(sheaf, 'Listed');
    const popup = page.locator('[role=menu]');
    const paths = ['/', '/wiki', `/wiki/${knowledge_base_id}`, '/sheet', '/notes', '/account/keys', '/account/users'];
    for (const path of paths) {
      await page.goto(`${sheaf.url}${path}`);
      await page.locator('main h1, main h2').first().waitFor();
      const openers = page.locator('[aria-haspopup=menu]:visible:not(:disabled)');
      for (let index = 0; index < (await openers.count()); index++) {
        await openers.nth(index).click();
        await popup.waitFor();
        await page.keyboard.press('Escape');
        await popup.waitFor({ state: 'detached' });
        const isBack = (): Promise<boolean> =>
          openers.nth(index).evaluate((opener) => opener === document.activeElement);
        await expect.poll(isBack, { message: `menu ${index} of ${path}` }).toBe(true);
      }
    }
    const dialogs: [string, string][] = [
      ['/wiki', 'New knowledge base'],
      ['/account/keys', 'New key'],
      ['/account/webhooks', 'New webhook'],
      ['/account/users', 'Add a user'],
    ];
    for (const [path, name] of dialogs) {
      await page.goto(`${sheaf.url}${path}`);
      const opener = page.getByRole('button', { name, exact: true }).first();
      for (const way of ways) {
        await opener.click();
        await close(page, way);
        const isBack = (): Promise<boolean> => opener.evaluate((one) => one === document.activeElement);
        await expect.poll(isBack, { message: `${name}, closed by ${way}` }).toBe(true);
      }
    }
    // Menus whose entry opens a dialog, and a focused row that is deleted.
    await page.goto(`${sheaf.url}/wiki/${knowledge_base_id}`);
    await page.locator('main').getByRole('link', { name: 'Folder', exact: true }).click({ button: 'right' });
    await popup.waitFor();
    await page.keyboard.press('Escape');
    await popup.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).not.toBe('BODY');
    await page.getByRole('button', { name: 'Actions for Folder' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await close(page, 'Cancel');
    await expect.poll(() => focused(page)).toBe('Actions for Folder');
    await page.getByRole('button', { name: 'Actions for Folder' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Actions for Folder' }).waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).not.toBe('BODY');
    browser.takeFaults();
  });
});
