import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';
import { newDocument, openSheet } from './sheet-page.ts';

describe('a spreadsheet that others write too', async () => {
  const { sheaf, browser } = await journey();

  /** Returns a function that calls tools over MCP with its own key, as an agent does. */
  const agent = async (name: string): Promise<(tool: string, args: Record<string, unknown>) => Promise<void>> => {
    const { api_key } = await sheaf.client.account.create_key({ name });
    let id = 0;
    return async (tool, args) => {
      const response = await fetch(`${sheaf.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${api_key}`,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: ++id,
          method: 'tools/call',
          params: { name: tool, arguments: args },
        }),
      });
      const answer = (await response.json()) as { result?: { isError?: boolean } };
      expect(answer.result?.isError ?? false).toBe(false);
    };
  };

  test('what an agent writes over MCP appears, marked with its name', async () => {
    const call = await agent('Harvest bot');
    const document = await newDocument(sheaf, 'Live', [
      ['item', 'n'],
      ['pear', '1'],
    ]);
    const sheet = await openSheet(browser, sheaf, document);
    const { page } = sheet;
    await call('sheet_set_range_value_by_csv', {
      ...document,
      start_row: 2,
      start_col: 0,
      csv_data: 'plum,41\ntotal,=SUM(B2:B3)',
    });
    await sheet.shows('A3', 'plum');
    await sheet.shows('B4', '42');
    const mark = page.locator('[data-mark="Harvest bot"]');
    await mark.waitFor();
    await takeScreenshot(page, 'sheet-live');
    // The mark disappears by itself.
    await mark.waitFor({ state: 'detached', timeout: 40_000 });

    // Text being typed stays while others write, and is entered afterwards.
    await sheet.click('C1');
    await page.keyboard.type('mine');
    await call('sheet_insert_dimension', { ...document, dimension_type: 'row', index: 3, count: 1 });
    await call('sheet_set_cell_value', { ...document, row: 3, col: 0, value_type: 'STRING', string_value: 'fig' });
    await sheet.shows('A4', 'fig');
    // Rows that others insert above keep the edit in its cell.
    await call('sheet_insert_dimension', { ...document, dimension_type: 'row', index: 0, count: 2 });
    await sheet.shows('A6', 'fig');
    await call('sheet_delete_dimension', { ...document, dimension_type: 'row', index: 0, count: 1 });
    await sheet.shows('A5', 'fig');
    await sheet.active(/^C2/);
    await call('sheet_delete_dimension', { ...document, dimension_type: 'row', index: 0, count: 1 });
    await sheet.shows('A4', 'fig');
    await page.keyboard.press('Enter');
    await sheet.shows('C1', 'mine');
    await sheet.shows('B5', '42');

    // Undo reverts the user's last change and keeps later changes of others.
    await call('sheet_set_cell_value', { ...document, row: 0, col: 3, value_type: 'STRING', string_value: 'theirs' });
    await sheet.shows('D1', 'theirs');
    await page.keyboard.press('Control+z');
    await sheet.shows('C1', '');
    await sheet.shows('D1', 'theirs');
    await page.keyboard.press('Control+y');
    await sheet.shows('C1', 'mine');
    await call('sheet_set_cell_value', {
      ...document,
      row: 0,
      col: 2,
      value_type: 'STRING',
      string_value: 'now theirs',
    });
    await sheet.shows('C1', 'now theirs');
    await page.keyboard.press('Control+z');
    await page.getByRole('alert').filter({ hasText: 'Others have since changed the same cells' }).waitFor();
    await sheet.shows('C1', 'now theirs');
    await call('sheet_add_sheet', { file_id: document.file_id, name: 'Agent' });
    await page.getByRole('tab', { name: 'Agent' }).waitFor();
    await call('sheet_rename_sheet', { ...document, name: 'Renamed' });
    await page.getByRole('tab', { name: 'Renamed' }).waitFor();
    // The browser itself reports the error status of the refused undo.
    expect(browser.takeFaults().filter((fault) => !fault.includes('undo_revision'))).toEqual([]);
  });

  test('two people see each other; a reader cannot write', async () => {
    const { user_id } = (await sheaf.client.account.create_user({ name: 'ada' })).user;
    const document = await newDocument(sheaf, 'Shared', [['start']]);
    await sheaf.client.manage.share_file({ file_id: document.file_id, user_id, role: 'editor' });
    const mine = await openSheet(browser, sheaf, document);
    const hers = await openSheet(browser, sheaf, document, await browser.signedIn(sheaf, { userId: user_id }));
    await hers.click('B2');
    await hers.page.keyboard.type('from ada');
    await hers.page.keyboard.press('Enter');
    await mine.shows('B2', 'from ada');
    await mine.page.locator('[data-mark="ada"]').waitFor();
    await takeScreenshot(mine.page, 'sheet-two-people');
    expect(await hers.page.locator('[data-mark]').count()).toBe(0);
    await mine.click('A3');
    await mine.page.keyboard.type('7');
    await mine.page.keyboard.press('Enter');
    await hers.shows('A3', '7');

    await sheaf.client.manage.share_file({ file_id: document.file_id, user_id, role: 'viewer' });
    await hers.page.reload();
    await hers.page.getByText('Read only').waitFor();
    await hers.shows('A1', 'start');
    await hers.page.keyboard.type('x');
    await hers.page.keyboard.press('Delete');
    await hers.active(/^A1, start/);
    expect(await hers.page.getByRole('toolbar').getByRole('button', { name: /^Bold/ }).isDisabled()).toBe(true);
    expect(await hers.csv('A1:B3')).toBe('start,\n,from ada\n7,\n');
    browser.expectClean();
  });

  test('a batch over HTTP that inserts and deletes rows moves the selection of whoever looks on', async () => {
    const { user_id } = (await sheaf.client.account.create_user({ name: 'grace' })).user;
    const rows = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'].map((text) => [text, `${text}b`]);
    const document = await newDocument(sheaf, 'Batches', rows);
    const { file_id, sheet_id } = document;
    await sheaf.client.manage.share_file({ file_id, user_id, role: 'viewer' });
    const mine = await openSheet(browser, sheaf, document);
    const hers = await openSheet(browser, sheaf, document, await browser.signedIn(sheaf, { userId: user_id }));
    const selected = async (range: string): Promise<void> => {
      for (const { page } of [mine, hers])
        await expect.poll(() => page.getByLabel('Go to cell or range').inputValue(), { timeout: 15_000 }).toBe(range);
    };
    const batch = async (...calls: [tool: string, args: Record<string, unknown>][]): Promise<void> => {
      await sheaf.client.sheet.batch({
        file_id,
        calls: calls.map(([tool, args]) => ({ tool, arguments: { sheet_id, ...args } })),
      });
    };
    const row = { dimension_type: 'row' };
    const text = (at: number, string_value: string): [string, Record<string, unknown>] => [
      'set_cell_value',
      { row: at, col: 3, value_type: 'STRING', string_value },
    ];
    for (const sheet of [mine, hers]) await sheet.drag('A3', 'B4');
    await selected('A3:B4');

    // Rows inserted above move the selection down with its cells, whatever else the batch does.
    await batch(text(0, 'first'), ['insert_dimension', { ...row, index: 1, count: 2 }], text(1, 'between'));
    await hers.shows('D2', 'between');
    await hers.shows('A5', 'r3');
    await selected('A5:B6');
    await hers.active(/^A5, r3/);

    // Rows inserted below and cell changes leave the selection in place.
    await batch(['insert_dimension', { ...row, index: 6, count: 1 }], text(6, 'below'));
    await hers.shows('D7', 'below');
    await selected('A5:B6');

    // Several shifts in one batch apply in order.
    await batch(
      ['delete_dimension', { ...row, index: 1, count: 2 }],
      ['insert_dimension', { ...row, index: 0, count: 3 }],
      ['insert_dimension', { dimension_type: 'col', index: 0, count: 1 }],
    );
    await hers.shows('B6', 'r3');
    await selected('B6:C7');
    await hers.active(/^B6, r3/);
    await takeScreenshot(hers.page, 'sheet-batch-shift');
    browser.expectClean();
  });

  test('hostile content is characters: nothing runs, nothing is fetched', async () => {
    const hostile = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>';
    const { file_id, sheet_id } = await newDocument(sheaf, hostile.slice(0, 200), [
      [hostile, 'javascript:window.ran=1', '=HYPERLINK("javascript:window.ran=1","click")', '{{7*7}}', '=1+1'],
      [`"';alert(1)//`, '\u202Egnp.exe', '=CHAR(60)&"script>window.ran=1"&CHAR(60)&"/script>"'],
    ]);
    await sheaf.client.sheet.rename_sheet({ file_id, sheet_id, name: '<b onclick=ran=1>tab' });
    await expect(
      sheaf.client.sheet.set_link({ file_id, sheet_id, row: 4, col: 0, url: 'javascript:window.ran=1' }),
    ).rejects.toThrow('url: must begin with http://');
    await sheaf.client.sheet.set_link({
      file_id,
      sheet_id,
      row: 4,
      col: 0,
      url: 'https://example.invalid/"onmouseover="window.ran=1',
      display_text: hostile,
    });
    const call = await agent(hostile.slice(0, 60));
    const sheet = await openSheet(browser, sheaf, { file_id, sheet_id });
    const { page } = sheet;
    await sheet.shows('A1', hostile);
    await sheet.shows('C1', 'click');
    for (const cell of ['A1', 'B1', 'C1', 'C2', 'A5']) {
      await sheet.click(cell);
      await sheet.doubleClick(cell);
      await page.keyboard.press('Escape');
    }
    await sheet.click('B1', { modifiers: ['Control'] });
    await sheet.click('C1', { modifiers: ['Control'] });
    await call('sheet_set_cell_value', {
      file_id,
      sheet_id,
      row: 7,
      col: 0,
      value_type: 'STRING',
      string_value: hostile,
    });
    await page.locator('[data-mark]').waitFor();
    await sheet.drag('A1', 'C2');
    await page.keyboard.press('Control+c');
    await sheet.click('A10');
    await page.keyboard.press('Control+v');
    await sheet.shows('A10', hostile);
    await takeScreenshot(page, 'sheet-hostile');
    expect(await page.evaluate(() => (window as unknown as { ran?: number }).ran)).toBeUndefined();
    expect(await page.locator('[data-sheet] img, [data-sheet] script, [data-sheet] b').count()).toBe(0);
    expect(page.context().pages()).toHaveLength(1);
    browser.expectClean();
  });
});
