import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';
import {
  columnWidth,
  headerHeight,
  headerWidth,
  newDocument,
  openSheet,
  rowHeight,
  type OpenSheet,
} from './sheet-page.ts';

describe('looks and structure of a spreadsheet', async () => {
  const { sheaf, browser } = await journey();
  const open = async (title: string, rows?: string[][]): Promise<OpenSheet> =>
    openSheet(browser, sheaf, await newDocument(sheaf, title, rows));

  test('the tool bar: fonts, colors, alignment, borders, number formats', async () => {
    const sheet = await open('Looks', [
      ['Heading', 'Amount'],
      ['pear', '1234.5'],
    ]);
    const { page } = sheet;
    const button = (name: string | RegExp) => page.getByRole('toolbar').getByRole('button', { name });
    const looks = async (cell: string): Promise<unknown> => (await sheet.view(cell)).looks[0];
    await sheet.drag('A1', 'B1');
    await button(/^Bold/).click();
    await button(/^Italic/).click();
    await button(/^Underline/).click();
    await button('Strikethrough').click();
    await button('Wrap text').click();
    await expect
      .poll(() => looks('B1'))
      .toEqual({ bold: true, italic: true, underline: 'single', strikeThrough: true, wrapText: true });
    await expect.poll(() => button(/^Bold/).getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('Control+b');
    await expect
      .poll(() => looks('B1'))
      .toEqual({ italic: true, underline: 'single', strikeThrough: true, wrapText: true });
    await button('Clear formatting').click();
    await expect.poll(() => looks('B1')).toBeUndefined();

    await button('Font size').click();
    await page.getByRole('menuitem', { name: '18' }).click();
    await button('Text color').click();
    await page.getByRole('button', { name: '#2C5AA0' }).click();
    await button('Fill color').click();
    await page.getByRole('button', { name: '#E6E6E6' }).click();
    await button('Align').click();
    await page.getByRole('menuitem', { name: 'Center' }).click();
    await button('Align').click();
    await page.getByRole('menuitem', { name: 'Top' }).click();
    await button('Borders').click();
    await page.getByRole('menuitem', { name: 'Thick outside borders' }).click();
    await expect
      .poll(() => looks('A1'))
      .toEqual({
        fontSize: 18,
        fontColor: 'FF2C5AA0',
        bgColor: 'FFE6E6E6',
        horizontalAlign: 'center',
        verticalAlign: 'top',
        borderTop: 'thick:000000',
        borderBottom: 'thick:000000',
        borderLeft: 'thick:000000',
      });
    await sheet.click('B2');
    await button('Number format').click();
    await page.getByRole('menuitem', { name: /^Number/ }).click();
    await sheet.shows('B2', '1,234.50');
    await button('Fewer decimals').click();
    await sheet.shows('B2', '1,234.5');
    await button('More decimals').click();
    await button('More decimals').click();
    await sheet.shows('B2', '1,234.500');
    await takeScreenshot(page, 'sheet-looks');
    await button('Borders').click();
    await page.getByRole('menuitem', { name: 'No borders' }).click();
    // The focus is back in the grid.
    await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-grid-field'))).toBe(true);
    await page.keyboard.type('5');
    await page.keyboard.press('Enter');
    await sheet.shows('B2', '5.000');
    browser.expectClean();
  });

  test('merge, freeze, insert, delete, hide, show, resize, fit and move', async () => {
    const sheet = await open('Structure', [
      ['a', 'b', 'c'],
      ['1', '2', '3'],
      ['4', '5', '6'],
      ['7', '8', '9'],
    ]);
    const { page } = sheet;
    const button = (name: string) => page.getByRole('toolbar').getByRole('button', { name });
    const item = (name: string | RegExp) => page.getByRole('menuitem', { name });
    const box = (await page.locator('[data-grid]').boundingBox())!;
    const header = (col: number): { x: number; y: number } => ({
      x: box.x + headerWidth + (col + 0.5) * columnWidth,
      y: box.y + headerHeight / 2,
    });
    const rowHeader = (row: number): { x: number; y: number } => ({
      x: box.x + headerWidth / 2,
      y: box.y + headerHeight + (row + 0.5) * rowHeight,
    });

    await sheet.drag('A6', 'C7');
    await button('Merge cells').click();
    await item('Merge all').click();
    await expect.poll(async () => (await sheet.view('A6')).merges).toEqual([[5, 0, 6, 2]]);
    await sheet.click('B7');
    await sheet.active(/^A6, empty, selected A6:C7/);
    await page.keyboard.press('ArrowDown');
    await sheet.active(/^A8/);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await sheet.view('A6')).merges).toEqual([]);

    await button('Freeze').click();
    await item('First row').click();
    await expect.poll(async () => (await sheet.view('A1')).layout?.frozen_rows).toBe(1);
    await page.mouse.move(box.x + 300, box.y + 300);
    await page.mouse.wheel(0, 2000);
    await sheet.shows('A2', '');
    await sheet.shows('A1', 'a');
    await takeScreenshot(page, 'sheet-frozen');
    await page.mouse.wheel(0, -2000);
    await sheet.shows('A2', '1');
    await button('Freeze').click();
    await item('Unfreeze').click();
    await expect.poll(async () => (await sheet.view('A1')).layout?.frozen_rows).toBe(0);
    await item('Unfreeze').waitFor({ state: 'detached' });

    await page.mouse.click(rowHeader(1).x, rowHeader(1).y, { button: 'right' });
    await item('Insert 1 row above').click();
    await sheet.shows('A3', '1');
    await page.mouse.click(rowHeader(1).x, rowHeader(1).y, { button: 'right' });
    await item('Delete 1 row').click();
    await sheet.shows('A2', '1');
    await page.mouse.click(header(1).x, header(1).y, { button: 'right' });
    await item('Insert 1 column left').click();
    await sheet.shows('C1', 'b');
    await page.keyboard.press('Control+z');
    await sheet.shows('B1', 'b');

    await page.mouse.click(header(1).x, header(1).y, { button: 'right' });
    await item('Hide columns').click();
    await sheet.shows('B1', '');
    expect((await sheet.view('A1')).layout?.hidden_cols).toEqual([[1, 1]]);
    await sheet.dragPixels(header(0), header(1));
    await page.mouse.click(header(0).x, header(0).y, { button: 'right' });
    await item('Show hidden columns').click();
    await sheet.shows('B1', 'b');

    // Moves rows by their headings: select, then drag.
    await page.mouse.click(rowHeader(1).x, rowHeader(1).y);
    await sheet.dragPixels(rowHeader(1), { ...rowHeader(3), y: rowHeader(3).y + rowHeight / 3 });
    await expect.poll(() => sheet.csv('A1:A4')).toBe('a\n4\n7\n1\n');
    await page.mouse.click(header(2).x, header(2).y);
    await sheet.dragPixels(header(2), { ...header(0), x: header(0).x - columnWidth / 3 });
    await expect.poll(() => sheet.csv('A1:C1')).toBe('c,a,b\n');
    await page.keyboard.press('Control+z');
    await expect.poll(() => sheet.csv('A1:C1')).toBe('a,b,c\n');

    const edge = box.x + headerWidth + columnWidth - 1;
    await sheet.dragPixels({ x: edge, y: header(0).y }, { x: edge + 60, y: header(0).y });
    await expect.poll(async () => (await sheet.view('A1')).layout?.col_sizes).toEqual([[0, 0, 160]]);
    await page.mouse.dblclick(edge + 60, header(0).y);
    await expect.poll(async () => ((await sheet.view('A1')).layout?.col_sizes[0]?.[2] ?? 999) < 60).toBe(true);
    const below = box.y + headerHeight + rowHeight - 1;
    await sheet.dragPixels({ x: rowHeader(0).x, y: below }, { x: rowHeader(0).x, y: below + 40 });
    await expect.poll(async () => Math.round((await sheet.view('A1')).layout?.row_sizes[0]?.[2] ?? 0)).toBe(50);
    await takeScreenshot(page, 'sheet-sizes');
    // Formatting a whole column does not add rows.
    await page.mouse.click(header(4).x, header(4).y);
    await page.keyboard.press('Control+i');
    await expect
      .poll(async () => (await sheet.view('F1:F2')).looks.length + (await sheet.view('E1:E2')).looks.length)
      .toBe(1);
    expect((await sheet.view('A1')).layout?.rows).toBe(200);
    browser.expectClean();
  });

  test('sub-sheets: add, rename, copy, move by drag and by menu, delete and undo', async () => {
    const sheet = await open('Tabs', [['first']]);
    const { page } = sheet;
    const names = (): Promise<string[]> =>
      page.getByRole('tablist', { name: 'Sub-sheets' }).getByRole('tab').allTextContents();
    await page.getByRole('button', { name: 'Add a sub-sheet' }).click();
    await expect.poll(names).toEqual(['Sheet1', 'Sheet2']);
    await sheet.shows('A1', '');
    await page.getByRole('tab', { name: 'Sheet2' }).dblclick();
    await page.getByRole('textbox', { name: 'Name' }).fill('Costs');
    await page.keyboard.press('Enter');
    await expect.poll(names).toEqual(['Sheet1', 'Costs']);
    await page.getByRole('tab', { name: 'Sheet1' }).click();
    await sheet.shows('A1', 'first');
    await page.getByRole('button', { name: 'Actions for Sheet1' }).click();
    await page.getByRole('menuitem', { name: 'Copy' }).click();
    await expect.poll(names).toEqual(['Sheet1', 'Sheet1 (2)', 'Costs']);
    await page
      .getByRole('tab', { name: 'Costs' })
      .dragTo(page.getByRole('tab', { name: 'Sheet1', exact: true }), { targetPosition: { x: 4, y: 8 } });
    await expect.poll(names).toEqual(['Costs', 'Sheet1', 'Sheet1 (2)']);
    await page.getByRole('tab', { name: 'Sheet1 (2)' }).click();
    await page.getByRole('button', { name: 'Actions for Sheet1 (2)' }).click();
    await page.getByRole('menuitem', { name: 'Move left' }).click();
    await expect.poll(names).toEqual(['Costs', 'Sheet1 (2)', 'Sheet1']);
    await expect
      .poll(async () =>
        (await sheaf.client.sheet.get_sheet_info({ file_id: sheet.file_id })).sheets.map((one) => one.sheet_name),
      )
      .toEqual(['Costs', 'Sheet1 (2)', 'Sheet1']);
    // A formula can reference another sub-sheet by a click.
    await page.getByRole('tab', { name: 'Costs' }).click();
    await page.locator('[data-grid-field]').focus();
    await page.keyboard.type('=');
    await page.getByRole('tab', { name: 'Sheet1', exact: true }).click();
    await sheet.shows('A1', 'first');
    await sheet.click('A1');
    await sheet.formulaBar('=Sheet1!A1');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Costs', selected: true }).waitFor();
    await sheet.shows('A1', 'first');
    await page.getByRole('button', { name: 'Actions for Costs' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect.poll(names).toEqual(['Sheet1 (2)', 'Sheet1']);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(names).toEqual(['Costs', 'Sheet1 (2)', 'Sheet1']);
    await takeScreenshot(page, 'sheet-tabs');
    browser.expectClean();
  });
});
