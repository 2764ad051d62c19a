import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';
import { newDocument, openSheet, rowHeight, type OpenSheet } from './sheet-page.ts';

describe('editing a spreadsheet', async () => {
  const { sheaf, browser } = await journey();
  const open = async (title: string, rows?: string[][]): Promise<OpenSheet> =>
    openSheet(browser, sheaf, await newDocument(sheaf, title, rows));

  test('by keyboard alone: type, move, edit, complete a function, undo and redo', async () => {
    const sheet = await open('Keyboard');
    const { keyboard } = sheet.page;
    await keyboard.type('item');
    await keyboard.press('Tab');
    await keyboard.type('price');
    await keyboard.press('Enter');
    await keyboard.press('Home');
    await keyboard.type('pear');
    await keyboard.press('ArrowRight');
    await keyboard.type('3');
    await keyboard.press('ArrowDown');
    await keyboard.type('4.5');
    await keyboard.press('Enter');
    await sheet.shows('B3', '4.5');
    await keyboard.type('=su');
    await sheet.page.getByRole('option', { name: /^SUM/ }).first().waitFor();
    await keyboard.press('Tab');
    await sheet.page.getByRole('note').filter({ hasText: 'SUM(value, ...)' }).waitFor();
    await keyboard.press('ArrowUp');
    await keyboard.press('Shift+ArrowUp');
    await takeScreenshot(sheet.page, 'sheet-completion');
    // The missing parenthesis is added automatically.
    await keyboard.press('Enter');
    await sheet.shows('B4', '7.5');
    expect(await sheet.formula('B4')).toBe('=SUM(B2:B3)');
    expect(await sheet.csv('A1:B4')).toBe('item,price\npear,3\n,4.5\n,7.5\n');

    await keyboard.press('ArrowUp');
    await sheet.active('B4, 7.5, formula =SUM(B2:B3)');
    await keyboard.press('F2');
    await keyboard.press('ArrowLeft');
    await keyboard.type('*2');
    await keyboard.press('Escape');
    expect(await sheet.formula('B4')).toBe('=SUM(B2:B3)');
    await keyboard.press('F2');
    await keyboard.type('*2');
    await keyboard.press('Enter');
    await sheet.shows('B4', '15');
    await keyboard.press('Control+z');
    await sheet.shows('B4', '7.5');
    await keyboard.press('Control+z');
    await sheet.shows('B4', '');
    await keyboard.press('Control+y');
    await keyboard.press('Control+y');
    await sheet.shows('B4', '15');

    await keyboard.press('Control+Home');
    await sheet.active(/^A1, item/);
    await keyboard.press('Control+End');
    await sheet.active(/^B4, 15/);
    await keyboard.press('Control+ArrowUp');
    await sheet.active(/^B1, price/);
    await keyboard.press('Control+ArrowDown');
    await sheet.active(/^B4/);
    await keyboard.press('Shift+Home');
    await sheet.active(/selected A4:B4/);
    await keyboard.press('Control+a');
    await sheet.active(/selected A1:/);
    await keyboard.press('Escape');
    await keyboard.press('PageDown');
    await sheet.active(/^B2\d/);
    await keyboard.press('PageUp');
    await sheet.active(/^B[1-9],/);
    await keyboard.press('Control+Home');
    await keyboard.press('Delete');
    await sheet.shows('A1', '');
    browser.expectClean();
  });

  test('by pointer: select, drag, extend, headers, name box, formula bar, sum of the selection', async () => {
    const sheet = await open('Pointer', [
      ['1', '10'],
      ['2', '20'],
      ['3', '30'],
    ]);
    const { page } = sheet;
    await sheet.click('B2');
    await sheet.active(/^B2, 20$/);
    await sheet.drag('A1', 'B3');
    await sheet.active(/^A1, 1, selected A1:B3$/);
    await page.getByRole('status', { name: 'Summary' }).filter({ hasText: 'Sum: 66' }).waitFor();
    await page.getByRole('status', { name: 'Summary' }).filter({ hasText: 'Average: 11' }).waitFor();
    await sheet.click('C4', { modifiers: ['Shift'] });
    await sheet.active(/selected A1:C4$/);
    const box = (await page.locator('[data-grid]').boundingBox())!;
    await page.mouse.click(box.x + 44 + 150, box.y + 12);
    expect(await page.getByLabel('Go to cell or range').inputValue()).toBe('B:B');
    await page.getByRole('status', { name: 'Summary' }).filter({ hasText: 'Sum: 60' }).waitFor();
    await page.mouse.click(box.x + 20, box.y + 26 + rowHeight * 2.5);
    expect(await page.getByLabel('Go to cell or range').inputValue()).toBe('3:3');
    await page.mouse.click(box.x + 20, box.y + 12);
    await sheet.active(/selected A1:/);
    await page.getByLabel('Go to cell or range').fill('D100');
    await page.keyboard.press('Enter');
    await sheet.active('D100, empty');
    await page.keyboard.type('far');
    await page.keyboard.press('Enter');
    await sheet.shows('D100', 'far');

    await page.getByLabel('Go to cell or range').fill('C1');
    await page.keyboard.press('Enter');
    await page.getByLabel('Formula bar').click();
    await page.keyboard.type('=A1+');
    await sheet.click('B3');
    await sheet.formulaBar('=A1+B3');
    await page.keyboard.type('+SUM(');
    await sheet.drag('A1', 'A3');
    await sheet.formulaBar('=A1+B3+SUM(A1:A3');
    await takeScreenshot(page, 'sheet-references');
    await page.keyboard.press('Enter');
    await sheet.shows('C1', '37');
    await sheet.doubleClick('A1');
    await page.keyboard.press('End');
    await page.keyboard.type('0');
    await page.keyboard.press('Alt+Enter');
    await page.keyboard.type('two');
    await page.keyboard.press('Enter');
    await sheet.shows('A1', '10\ntwo');
    browser.expectClean();
  });

  test('what is typed is taken as a person means it; a formula that is none stays in the field', async () => {
    const sheet = await open('Typed');
    const { page } = sheet;
    for (const text of ['2026-05-01', '12.5%', '$1,200', "'0042", 'true', '=TODAY()-TODAY()']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await sheet.shows('E1', 'TRUE');
    const view = await sheet.view('A1:F1');
    expect(view.cells.map((cell) => cell.slice(2))).toEqual([
      ['2026-05-01', 1],
      ['12.5%', 1],
      ['$1,200', 1, '1200'],
      ['0042', 0, "'0042"],
      ['TRUE', 2],
      ['1900-01-00', 1, '=TODAY()-TODAY()'],
    ]);
    await page.keyboard.press('Enter');
    await page.keyboard.type('=1+*');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await sheet.formulaBar('=1+*');
    await page.keyboard.press('Escape');
    // The browser itself reports the HTTP 400 of the refused formula.
    expect(browser.takeFaults().every((fault) => fault.includes('400') || fault.includes('200'))).toBe(true);
  });

  test('the fill handle goes on with series and formulas', async () => {
    const sheet = await open('Fill', [['1', '=A1*10', 'Mon'], ['2']]);
    const corner = async (cell: string): Promise<{ x: number; y: number }> => {
      const { x, y } = await sheet.at(cell);
      return { x: x + 49, y: y + rowHeight / 2 - 1 };
    };
    await sheet.drag('A1', 'A2');
    await sheet.dragPixels(await corner('A2'), await sheet.at('A5'));
    await sheet.shows('A5', '5');
    await sheet.drag('B1', 'C1');
    await sheet.dragPixels(await corner('C1'), await sheet.at('C4'));
    await sheet.shows('C4', 'Thu');
    await sheet.shows('B4', '40');
    expect(await sheet.formula('B4')).toBe('=A4*10');
    await sheet.active(/selected B1:C4/);
    // A double click fills to the end of the adjacent column.
    await sheet.page.getByLabel('Go to cell or range').fill('B4');
    await sheet.page.keyboard.press('Enter');
    const handle = await corner('B4');
    await sheet.page.mouse.dblclick(handle.x, handle.y);
    await sheet.shows('B5', '50');
    await sheet.page.keyboard.press('Control+z');
    await sheet.shows('B5', '');
    await sheet.drag('A5', 'B7');
    await sheet.page.keyboard.press('Control+d');
    await sheet.shows('A7', '5');
    browser.expectClean();
  });

  test('copy and paste: formulas and styles inside, tables of text with other programs', async () => {
    const sheet = await open('Clipboard', [
      ['1', '=A1+1', 'a "quoted" text'],
      ['2', '=A2+1', 'two\nlines'],
    ]);
    const { page } = sheet;
    await sheaf.client.sheet.set_cell_style({
      file_id: sheet.file_id,
      sheet_id: sheet.sheet_id,
      start_row: 0,
      start_col: 1,
      end_row: 1,
      end_col: 1,
      format: { bold: true },
    });
    await sheet.drag('A1', 'C2');
    await page.keyboard.press('Control+c');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      '1\t2\ta "quoted" text\r\n2\t3\t"two\nlines"',
    );
    const html = await page.evaluate(async () =>
      (await (await navigator.clipboard.read())[0]!.getType('text/html')).text(),
    );
    expect(html).toContain('<td style="font-weight:bold">2</td>');
    expect(html).toContain('two<br>lines');
    await sheet.click('A5');
    await page.keyboard.press('Control+v');
    await sheet.shows('B6', '3');
    expect(await sheet.formula('B6')).toBe('=A6+1');
    expect((await sheet.view('B6')).looks).toEqual([{ bold: true }]);
    await sheet.active(/selected A5:C6/);

    await sheet.click('B5');
    await page.keyboard.press('Control+x');
    await sheet.click('E1');
    await page.keyboard.press('Control+v');
    await sheet.shows('E1', '2');
    await sheet.shows('B5', '');
    expect(await sheet.formula('E1')).toBe('=A5+1');

    // As Excel writes it to the clipboard.
    await page.evaluate(() => navigator.clipboard.writeText('x\t"with ""quotes"" and\na break"\r\n5%\t=1+1\r\n'));
    await sheet.click('A10');
    await page.keyboard.press('Control+v');
    await sheet.shows('B10', 'with "quotes" and\na break');
    await sheet.shows('B11', '2');
    await sheet.shows('A11', '5%');
    // As Google Sheets writes it, with a script that must not run.
    await sheet.click('A14');
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData(
        'text/html',
        '<google-sheets-html-origin><style>td{color:red}</style><table><tr><td colspan="2">' +
          'wide<img src=x onerror="window.ran=1"><script>window.ran=2</script></td></tr><tr>' +
          '<td onclick="window.ran=3">a<br>b</td><td>7</td></tr></table>',
      );
      clipboardData.setData('text/plain', 'ignored');
      document.activeElement!.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    });
    await sheet.shows('A14', 'wide');
    await sheet.shows('A15', 'a\nb');
    await sheet.shows('B15', '7');
    expect(await page.evaluate(() => (window as unknown as { ran?: number }).ran)).toBeUndefined();
    // A single value fills the selection, which is above the row that grew to two lines.
    await page.evaluate(() => navigator.clipboard.writeText('9'));
    await sheet.drag('D7', 'E8');
    await page.keyboard.press('Control+v');
    await sheet.shows('E8', '9');
    expect(await sheet.csv('D7:E8')).toBe('9,9\n9,9\n');
    await sheet.click('E1', { button: 'right' });
    await page.getByRole('menuitem', { name: /^Copy/ }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('2');
    await sheet.click('F1', { button: 'right' });
    await page.getByRole('menuitem', { name: 'Paste values only' }).click();
    await sheet.shows('F1', '2');
    expect(await sheet.formula('F1')).toBeUndefined();
    browser.expectClean();
  });
});
