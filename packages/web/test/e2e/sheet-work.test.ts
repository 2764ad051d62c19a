import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';
import { workbookParts, zipped } from '@sheaf/tools/testing/workbook-parts.ts';
import { orders, panelsOf } from './panels.ts';
import { columnWidth, headerHeight, headerWidth, newDocument, openSheet, rowHeight } from './sheet-page.ts';

/** One invalid formula, and one that references another workbook. */
const lossySheet = '<row r="1"><c r="A1"><f>SUM((</f><v>3</v></c><c r="B1"><f>[1]Elsewhere!A1</f><v>4</v></c></row>';

describe('an hour of work in a spreadsheet', async () => {
  const { sheaf, browser, folder } = await journey();
  const page = await browser.signedIn(sheaf, { viewport: { width: 1440, height: 900 } });
  const panels = panelsOf(sheaf, page);

  test('[finding P8] history says what stood there and what was written', async () => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'Changes', [['pear', '3']]), page);
    await sheet.click('B1');
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await sheet.shows('B1', '7');
    await panels.tool('History').click();
    const newest = page.getByRole('list', { name: 'History' }).getByRole('listitem').first();
    await newest.getByText('B1', { exact: true }).first().waitFor();
    await expect.poll(() => newest.locator('del').allTextContents()).toEqual(['3']);
    expect(await newest.locator('ins').allTextContents()).toEqual(['7']);
    await sheet.click('B1');
    await page.keyboard.press('Delete');
    await expect.poll(() => newest.locator('del').allTextContents()).toEqual(['7']);
    expect(await newest.locator('ins').allTextContents()).toEqual(['(blank)']);
    await takeScreenshot(page, 'sheet-history-changes');
    browser.expectClean();
  });

  test('[finding P8] a filter by condition: by text, by number, between two, and blanks', async () => {
    const made = await panels.open(`${orders}Apr,,"",\n`);
    await panels.select('A1');
    await panels.tool('Filter').click();
    const filter = async (column: string, condition: string, ...values: string[]): Promise<void> => {
      await page.getByRole('button', { name: new RegExp(`^Filter column ${column}( |$)`) }).click();
      await page.getByText('By condition').click();
      await page.getByLabel('Condition').selectOption({ label: condition });
      if (values[0] !== undefined) await page.getByLabel('Value', { exact: true }).fill(values[0]);
      if (values[1] !== undefined) await page.getByLabel('and', { exact: true }).fill(values[1]);
      await page.getByRole('button', { name: 'Choose matching values' }).click();
      await page.getByRole('button', { name: 'Apply' }).click();
    };
    const visible = async () => (await sheaf.client.sheet.get_filters(made)).filters[0]?.columns;
    await filter('C', 'greater than', '8');
    await expect
      .poll(async () => (await visible())?.find(({ col }) => col === 2)?.visible_values.toSorted())
      .toEqual(['12', '15', '9']);
    await filter('B', 'contains', 'sou');
    await expect.poll(async () => (await visible())?.find(({ col }) => col === 1)?.visible_values).toEqual(['South']);
    await filter('C', 'between', '7', '12');
    await expect
      .poll(async () => (await visible())?.find(({ col }) => col === 2)?.visible_values.toSorted())
      .toEqual(['12', '7', '9']);
    await expect.poll(() => panels.cell('A3').count()).toBe(1);
    expect(await panels.cell('A2').count()).toBe(0);
    await takeScreenshot(page, 'sheet-filter-condition');
    browser.expectClean();
  });

  test('[finding P8] a value of the column is completed; typing on, Backspace and Escape leave it', async () => {
    const sheet = await openSheet(
      browser,
      sheaf,
      await newDocument(sheaf, 'Completion', [['Hamburg'], ['Bremen'], ['Berlin']]),
      page,
    );
    const type = async (cell: string, ...keys: string[]): Promise<void> => {
      await sheet.click(cell);
      for (const key of keys) await (key.length > 1 ? page.keyboard.press(key) : page.keyboard.type(key));
    };
    await type('A4', 'h', 'a', 'Enter');
    await sheet.shows('A4', 'hamburg');
    // Two texts match, so nothing is completed until the input is unambiguous.
    await type('A5', 'B', 'Enter');
    await sheet.shows('A5', 'B');
    await type('A6', 'B', 'r', 'Enter');
    await sheet.shows('A6', 'Bremen');
    await type('A7', 'B', 'r', 'Backspace', 'Enter');
    await sheet.shows('A7', 'Br');
    await type('A8', 'H', 'a', 'n', 's', 'Enter');
    await sheet.shows('A8', 'Hans');
    browser.expectClean();
  });

  test('[finding P8] the font of a cell, and the size at which the sheet is shown', async () => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'Zoomed', [['text'], ['', 'here']]), page);
    await sheet.click('A1');
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: /^Font: / })
      .click();
    await page.getByRole('menuitem', { name: 'Georgia' }).click();
    await expect.poll(async () => (await sheet.view('A1')).looks[0]?.['fontFamily']).toBe('Georgia');

    await page.getByRole('button', { name: /^Zoom: / }).click();
    await page.getByRole('menuitem', { name: '150%' }).click();
    const box = (await page.locator('[data-grid]').boundingBox())!;
    const at = (row: number, col: number, zoom: number) =>
      [
        box.x + zoom * (headerWidth + (col + 0.5) * columnWidth),
        box.y + zoom * (headerHeight + (row + 0.5) * rowHeight),
      ] as const;
    await page.mouse.click(...at(1, 1, 1.5));
    await sheet.active(/^B2, here/);
    await page.mouse.dblclick(...at(3, 2, 1.5));
    await page.keyboard.type('typed');
    const editor = (await page.locator('[data-grid-field]').boundingBox())!;
    expect(Math.abs(editor.x - (box.x + 1.5 * (headerWidth + 2 * columnWidth)))).toBeLessThan(5);
    await page.keyboard.press('Enter');
    await sheet.shows('C4', 'typed');
    await takeScreenshot(page, 'sheet-zoomed');
    // Ctrl and the wheel zoom out; the zoom survives a reload.
    await page.mouse.move(...at(3, 2, 1.5));
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, 100);
    await page.keyboard.up('Control');
    await page
      .getByRole('button', { name: /^Zoom: / })
      .filter({ hasText: '125%' })
      .waitFor();
    await page.reload();
    await page
      .getByRole('button', { name: /^Zoom: / })
      .filter({ hasText: '125%' })
      .click();
    await page.getByRole('menuitem', { name: '100%' }).click();
    browser.expectClean();
  });

  test('[finding P8] rows and columns are grouped, folded, unfolded and ungrouped', async () => {
    const rows = ['sum', 'north', 'south', 'east', 'rest'].map((name, n) => [name, String(n), 'x']);
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'Groups', rows), page);
    const layout = async () => (await sheet.view('A1')).layout!;
    await panels.tool('History').waitFor();
    await panels.select('A2:A4');
    await page.getByRole('toolbar').getByRole('button', { name: 'Data' }).click();
    await page.getByRole('menuitem', { name: 'Group rows or columns', exact: true }).click();
    await page.getByRole('button', { name: 'Fold 2–4', exact: true }).waitFor();
    await panels.select('A2:A3');
    await page.keyboard.press('Alt+Shift+ArrowRight');
    await page.getByRole('button', { name: 'Fold 2–3', exact: true }).click();
    await expect.poll(async () => (await layout()).hidden_rows).toEqual([[1, 2]]);
    await page.getByRole('button', { name: 'Unfold 2–3', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Fold 2–4', exact: true }).click();
    await sheet.shows('A4', '');
    await takeScreenshot(page, 'sheet-groups');
    await page.getByRole('button', { name: 'Unfold 2–4', exact: true }).click();
    await expect.poll(async () => (await layout()).hidden_rows).toEqual([]);
    await sheet.shows('A4', 'east');
    await panels.select('B1');
    await page.keyboard.press('Control+Space');
    await page.keyboard.press('Alt+Shift+ArrowRight');
    await page.getByRole('button', { name: 'Fold B–B', exact: true }).click();
    await expect.poll(async () => (await layout()).hidden_cols).toEqual([[1, 1]]);
    await page.getByRole('button', { name: 'Unfold B–B', exact: true }).click();
    await expect.poll(async () => (await layout()).hidden_cols).toEqual([]);
    browser.expectClean();
  });

  test('[finding P8] what an import could not take over is listed, one by one, until it is dismissed', async () => {
    const file = join(folder, 'lossy.xlsx');
    writeFileSync(file, zipped(workbookParts({ One: lossySheet })));
    await page.goto(`${sheaf.url}/sheet`);
    await page.getByLabel('Import').setInputFiles(file);
    const panel = page.getByRole('complementary', { name: 'Import report' });
    await panel.getByText('2 things of the file could not be taken over.').waitFor();
    const told = (await panel.getByRole('listitem').allTextContents()).toSorted();
    expect(told).toHaveLength(2);
    expect(told[0]).toContain("'One' A1: the formula");
    expect(told[1]).toContain("'One' B1: the formula refers to");
    await takeScreenshot(page, 'sheet-import-report');
    await page.reload();
    await panel.getByRole('button', { name: 'Dismiss' }).click();
    await panel.waitFor({ state: 'detached' });
    await page.reload();
    await panels.tool('History').waitFor();
    expect(await panel.count()).toBe(0);
    browser.expectClean();
  });
});
