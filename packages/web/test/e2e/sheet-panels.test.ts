import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';
import { orders, panelsOf } from './panels.ts';

describe('panels of a spreadsheet', async () => {
  const { sheaf, browser, folder } = await journey();
  const page = await browser.signedIn(sheaf, { viewport: { width: 1440, height: 900 } });
  const panels = panelsOf(sheaf, page);

  test('a link is set, shown, followed inside the document and removed', async () => {
    const made = await panels.open();
    await panels.select('F1');
    await panels.tool('Link').click();
    await page.getByLabel('Address').fill('#B4');
    await page.getByLabel('Text of the cell').fill('over there');
    await page.getByRole('button', { name: 'Save' }).click();
    await panels.cell('F1').filter({ hasText: 'over there' }).waitFor({ state: 'attached' });
    const card = page.getByRole('group', { name: 'Link' });
    await card.getByText('#B4').waitFor();
    await takeScreenshot(page, 'sheet-link');
    await card.getByRole('button', { name: 'Open link' }).click();
    expect(await page.getByLabel('Go to cell or range').inputValue()).toBe('B4');
    await panels.select('F1');
    await card.getByRole('button', { name: 'Remove link' }).click();
    await card.waitFor({ state: 'detached' });
    const { links } = await sheaf.client.sheet.get_view({
      ...made,
      start_row: 0,
      start_col: 0,
      end_row: 9,
      end_col: 9,
    });
    expect(links).toEqual([]);
    await panels.tool('Link').click();
    await page.getByLabel('Address').fill('javascript:window.hurt=1');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Must begin with/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    browser.expectClean();
  });

  test('[finding P13] what is typed into the link dialog stays when the answer about the cell is slow', async () => {
    await panels.open();
    await panels.select('F2');
    // The answer about the cell is held back until the fields are filled.
    let answer = (): void => undefined;
    const isFilled = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/sheet/v1/get_view', async (route) => {
      await isFilled;
      await route.continue();
    });
    await panels.tool('Link').click();
    await page.getByLabel('Address').fill('#B4');
    await page.getByLabel('Text of the cell').fill('typed at once');
    const answered = page.waitForResponse('**/sheet/v1/get_view');
    answer();
    await answered;
    await page.unroute('**/sheet/v1/get_view');
    await page.getByRole('button', { name: 'Save' }).click();
    await panels.cell('F2').filter({ hasText: 'typed at once' }).waitFor({ state: 'attached' });
    browser.expectClean();
  });

  test('rows are filtered by a list with search, and sorted from it', async () => {
    const made = await panels.open();
    await panels.select('B2');
    await panels.tool('Filter').click();
    await page.getByRole('button', { name: 'Filter column B', exact: true }).click();
    const choices = page.getByRole('dialog', { name: 'Filter column B' });
    await choices.getByLabel('North').waitFor();
    await choices.getByLabel('Search values').fill('sou');
    expect(await choices.getByRole('group', { name: 'Values' }).getByRole('checkbox').count()).toBe(1);
    await choices.getByLabel('South').uncheck();
    await choices.getByLabel('Search values').fill('');
    await takeScreenshot(page, 'sheet-filter');
    await choices.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Filter column B (active)' }).waitFor();
    await panels.cell('A3').waitFor({ state: 'detached' });
    await panels.cell('A4').waitFor({ state: 'attached' });
    // What a filter hides is not cleared.
    const units = async () => (await panels.csvOf(made, 3, 2)).split('\n').map((line) => line.split(',')[2]);
    const before = await units();
    await panels.select('C2:C4');
    await page.keyboard.press('Delete');
    await expect.poll(units).toEqual([before[0], '', before[2], '', undefined]);
    await page.keyboard.press('Control+z');
    await expect.poll(units).toEqual(before);
    await page.getByRole('button', { name: 'Filter column B (active)' }).click();
    await choices.getByLabel('Select all').check();
    await choices.getByRole('button', { name: 'Apply' }).click();
    await panels.cell('A3').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Filter column C', exact: true }).click();
    await page.getByRole('dialog', { name: 'Filter column C' }).getByRole('button', { name: 'Sort Z to A' }).click();
    await expect.poll(() => panels.csvOf(made, 2, 2)).toBe('month,region,units\nFeb,South,15\nJan,North,12\n');
    await page.getByRole('button', { name: 'Filter column C', exact: true }).click();
    await page.getByRole('dialog', { name: 'Filter column C' }).getByRole('button', { name: 'Remove filter' }).click();
    await page.getByRole('button', { name: 'Filter column C', exact: true }).waitFor({ state: 'detached' });
    browser.expectClean();
  });

  test('a table is sorted by several columns', async () => {
    const made = await panels.open();
    await panels.select('A1');
    await panels.tool('Sort…').click();
    await page.getByLabel('Column of key 1').selectOption({ label: 'region' });
    await page.getByRole('button', { name: 'Add another column' }).click();
    await page.getByLabel('Column of key 2').selectOption({ label: 'units' });
    await page.getByLabel('Order of key 2').selectOption('down');
    await takeScreenshot(page, 'sheet-sort');
    await page.getByRole('button', { name: 'Sort', exact: true }).click();
    await expect
      .poll(() => panels.csvOf(made, 5, 2))
      .toBe('month,region,units\nJan,North,12\nFeb,North,9\nMar,North,4\nFeb,South,15\nJan,South,7\n');
    browser.expectClean();
  });

  test('text is found with all options, and replaced', async () => {
    const made = await panels.open('Apple,apple pie,12\npear,=A1&"s",APPLE\n');
    await panels.select('A1');
    await page.keyboard.press('Control+f');
    const panel = page.getByRole('complementary', { name: 'Find and replace' });
    await panel.getByLabel('Find', { exact: true }).fill('apple');
    await panel.getByText('4 found').waitFor();
    await expect.poll(() => page.locator('[data-hit]').count()).toBe(4);
    await panel.getByLabel('Find', { exact: true }).press('Enter');
    await panel.getByText('1 of 4').waitFor();
    await panel.getByRole('button', { name: 'Next' }).click();
    expect(await page.getByLabel('Go to cell or range').inputValue()).toBe('B1');
    await panel.getByLabel('Match case').check();
    await panel.getByText('1 found').waitFor();
    await panel.getByLabel('Match case').uncheck();
    await panel.getByLabel('Whole cell').check();
    await panel.getByText('2 found').waitFor();
    await panel.getByLabel('Whole cell').uncheck();
    await panel.getByLabel('In formulas').check();
    await panel.getByLabel('Find', { exact: true }).fill('A1&');
    await panel.getByText('1 found').waitFor();
    await panel.getByLabel('In formulas').uncheck();
    await panel.getByLabel('Regular expression').check();
    await panel.getByLabel('Find', { exact: true }).fill('^ap.*e$');
    await panel.getByText('3 found').waitFor();
    await panel.getByLabel('Find', { exact: true }).fill('(');
    await panel.getByRole('alert').waitFor();
    browser.takeFaults();
    await page.keyboard.press('Control+h');
    await panel.getByLabel('Find', { exact: true }).fill('p{2}');
    await panel.getByLabel('Replace with').fill('PP');
    await panel.getByText('4 found').waitFor();
    await takeScreenshot(page, 'sheet-find');
    await panel.getByRole('button', { name: 'Replace', exact: true }).click();
    await page.getByText('Cells changed: 1').waitFor();
    await expect.poll(() => panels.csvOf(made, 0, 0)).toBe('APPle\n');
    await panel.getByRole('button', { name: 'Replace all' }).click();
    await expect.poll(() => panels.csvOf(made, 1, 2)).toBe('APPle,aPPle pie,12\npear,APPles,APPLE\n');
    // The hit after a replaced one is the next, although the replaced one is no hit any more.
    await panel.getByLabel('Match case').check();
    await panel.getByLabel('Find', { exact: true }).fill('PP');
    await panel.getByLabel('Replace with').fill('QQ');
    await panel.getByText('4 found').waitFor();
    await panel.getByRole('button', { name: 'Replace', exact: true }).click();
    await panel.getByText('1 of 2').waitFor();
    await panel.getByRole('button', { name: 'Replace', exact: true }).click();
    await expect.poll(() => panels.csvOf(made, 1, 2)).toBe('AQQle,aQQle pie,12\npear,AQQles,APPLE\n');
    browser.expectClean();
  });

  test('a pivot table is made, arranged and removed', async () => {
    const made = await panels.open();
    await panels.select('A1:D6');
    await panels.tool('Pivot table').click();
    const panel = page.getByRole('complementary', { name: 'Pivot table' });
    await panel.getByRole('button', { name: 'New pivot table' }).click();
    await page.getByText('From Sheet1!A1:D6').waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    const add = async (name: string, zone: string): Promise<void> => {
      await panel.getByRole('button', { name: `Add ${name}` }).click();
      await page.getByRole('menuitem', { name: zone, exact: true }).click();
      await panel.getByRole('region', { name: zone, exact: true }).getByText(name, { exact: true }).waitFor();
    };
    await add('month', 'Rows');
    await add('region', 'Columns');
    await add('units', 'Values');
    const { sheets } = await sheaf.client.sheet.get_sheet_info({ file_id: made.file_id });
    const there = { file_id: made.file_id, sheet_id: sheets[1]!.sheet_id };
    const shown = async (): Promise<string[]> => (await panels.csvOf(there, 6, 3)).trim().split('\n');
    await expect.poll(async () => (await shown()).find((line) => line.startsWith('Jan'))).toBe('Jan,12,7,19');
    await panel
      .getByRole('region', { name: 'Fields' })
      .getByText('price', { exact: true })
      .dragTo(panel.getByRole('region', { name: 'Values', exact: true }));
    await panel.getByLabel('How to summarize price').waitFor();
    await panel.getByRole('button', { name: 'Remove: price' }).click();
    await panel.getByLabel('How to summarize price').waitFor({ state: 'detached' });
    await panel.getByLabel('How to summarize units').selectOption('AVERAGE');
    await expect.poll(async () => (await shown()).find((line) => line.startsWith('Feb'))).toBe('Feb,9,15,12');
    await add('region', 'Filters');
    await panel.getByRole('button', { name: 'All values' }).click();
    await panel.getByRole('group', { name: 'Values of region' }).getByLabel('South').uncheck();
    await expect.poll(async () => (await shown()).find((line) => line.startsWith('Feb'))).toBe('Feb,9,9,');
    await takeScreenshot(page, 'sheet-pivot');
    await panels.agent('sheet_set_cell_value', { ...made, row: 3, col: 2, value_type: 'NUMBER', number_value: 11 });
    await expect.poll(async () => (await shown()).find((line) => line.startsWith('Feb'))).toBe('Feb,11,11,');
    await panel.getByRole('button', { name: 'Remove pivot table' }).click();
    await panel.getByRole('heading', { name: 'No pivot table on this sheet' }).waitFor();
    expect((await shown()).join('').replaceAll(',', '')).toBe('');
    browser.expectClean();
  });

  test('ranges are protected, shown and set free', async () => {
    const made = await panels.open();
    await panels.select('C1:D6');
    await panels.tool('Protected ranges').click();
    const panel = page.getByRole('complementary', { name: 'Protected ranges' });
    await panel.getByRole('button', { name: 'Protect C1:D6' }).click();
    await page.getByRole('img', { name: 'Protected: C1:D6' }).waitFor();
    await takeScreenshot(page, 'sheet-protection');
    const ranges = async () => (await sheaf.client.sheet.get_protect_ranges(made)).ranges.map(({ range }) => range);
    expect(await ranges()).toEqual([{ start_row: 0, start_col: 2, end_row: 6, end_col: 4 }]);
    await panels.select('A1:A2');
    await panel.getByRole('list').getByRole('button', { name: 'Use selection' }).click();
    await expect.poll(ranges).toEqual([{ start_row: 0, start_col: 0, end_row: 2, end_col: 1 }]);
    await panel.getByRole('button', { name: 'Unprotect A1:A2' }).click();
    await panel.getByRole('heading', { name: 'Nothing is protected' }).waitFor();
    expect(await ranges()).toEqual([]);
    browser.expectClean();
  });

  test('history shows what an agent does as it happens, goes to it, and takes it back', async () => {
    const made = await panels.open();
    await panels.tool('History').click();
    const panel = page.getByRole('complementary', { name: 'History' });
    await panel.getByText('set_range_value_by_csv').waitFor();
    await panels.agent('sheet_set_range_value_by_csv', {
      ...made,
      start_row: 8,
      start_col: 1,
      csv_data: 'wrong,7\nwrong,8',
    });
    const entry = panel.getByRole('listitem').first();
    await entry.getByRole('button', { name: 'B9:C10' }).waitFor();
    await panels.cell('B9').waitFor({ state: 'attached' });
    await takeScreenshot(page, 'sheet-history');
    await entry.getByRole('button', { name: 'B9:C10' }).click();
    expect(await page.getByLabel('Go to cell or range').inputValue()).toBe('B9:C10');
    await entry.getByRole('button', { name: /^Undo version/ }).click();
    await panels.cell('B9').waitFor({ state: 'detached' });
    await panel.getByRole('listitem').first().getByText('revert', { exact: true }).waitFor();
    expect(await panels.csvOf(made, 9, 2)).not.toContain('wrong');
    await panels.agent('sheet_set_cell_value', {
      ...made,
      row: 11,
      col: 0,
      value_type: 'STRING',
      string_value: 'mistaken',
    });
    await panels.agent('sheet_set_cell_value', {
      ...made,
      row: 12,
      col: 0,
      value_type: 'STRING',
      string_value: 'meant',
    });
    const mistaken = panel
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: 'A12', exact: true }) })
      .last();
    await panels.cell('A13').waitFor({ state: 'attached' });
    await mistaken.getByRole('button', { name: /^Undo version/ }).click();
    await panels.cell('A12').waitFor({ state: 'detached' });
    expect(await panels.csvOf(made, 12, 0)).toContain('meant');
    browser.expectClean();
  });

  test('a number format is chosen with what it shows', async () => {
    const made = await panels.open('1234.5\n');
    await panels.select('A1');
    await panels.menu('Number format…');
    await page.getByRole('group', { name: 'Currency' }).getByRole('button', { name: '$#,##0.00 $1,234.50' }).click();
    await page.getByText('Shows $1,234.50').waitFor();
    await takeScreenshot(page, 'sheet-number-format');
    await page.getByRole('button', { name: 'Apply' }).click();
    await panels.cell('A1').filter({ hasText: '$1,234.50' }).waitFor({ state: 'attached' });
    const { cells } = await sheaf.client.sheet.get_cell_style({
      ...made,
      start_row: 0,
      start_col: 0,
      end_row: 0,
      end_col: 0,
    });
    expect(cells[0]?.number_format).toBe('$#,##0.00');
    browser.expectClean();
  });

  test('the document is downloaded, copied and deleted from its own menu', async () => {
    await panels.open();
    const entries = page.getByRole('button', { name: /^Actions for Orders|^Document/ }).first();
    await entries.click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download this sheet as .csv' }).click();
    expect((await saved).suggestedFilename()).toBe('Orders.csv');
    await entries.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.waitForURL(/\/sheet$/);
    await page.getByText('“Orders” was moved to the trash.').waitFor();
    browser.expectClean();
  });

  test('who may only read sees everything and changes nothing', async () => {
    const { user } = await sheaf.client.account.create_user({ name: 'reader' });
    const made = await panels.make(orders, 'Read only');
    await sheaf.client.sheet.add_chart({
      ...made,
      chart_type: 'CHART_PIE',
      data_range: { start_row: 0, start_col: 1, end_row: 5, end_col: 2 },
      drawing_id: 'c1',
      title: 'Shares',
    });
    await sheaf.client.sheet.set_filter({ ...made, start_row: 0, start_col: 0, end_row: 5, end_col: 3 });
    await sheaf.client.manage.share_file({ file_id: made.file_id, user_id: user.user_id, role: 'viewer' });
    const reader = await browser.signedIn(sheaf, { userId: user.user_id, viewport: { width: 1440, height: 900 } });
    await reader.goto(`${sheaf.url}/sheet/${made.file_id}`);
    await reader.getByRole('group', { name: 'Chart: Shares' }).click();
    expect(await reader.getByRole('button', { name: 'Delete chart' }).count()).toBe(0);
    await reader.getByRole('button', { name: 'Filter column A', exact: true }).click();
    expect(
      await reader.getByRole('dialog', { name: 'Filter column A' }).getByRole('button', { name: 'Apply' }).count(),
    ).toBe(0);
    await reader.keyboard.press('Escape');
    expect(await reader.getByRole('toolbar').getByRole('button', { name: 'Insert image' }).isDisabled()).toBe(true);
    await takeScreenshot(reader, 'sheet-viewer');
    browser.expectClean();
  });

  test('[T33] [T35] hostile names, titles, cells and links stay what they are', async () => {
    const attack = '<img src=x onerror="window.hurt=1">';
    const made = await panels.open(`"${attack.replaceAll('"', '""')}",n\nsafe,2\n`);
    await sheaf.client.sheet.rename_sheet({ ...made, name: '<b onclick=hurt>x' });
    await sheaf.client.sheet.add_chart({
      ...made,
      chart_type: 'CHART_PIE',
      data_range: { start_row: 0, start_col: 0, end_row: 1, end_col: 1 },
      drawing_id: 'c1',
      title: attack,
    });
    await page.getByRole('group', { name: `Chart: ${attack}` }).click();
    await sheaf.client.sheet.set_filter({ ...made, start_row: 0, start_col: 0, end_row: 1, end_col: 1 });
    await page.getByRole('button', { name: 'Filter column A', exact: true }).click();
    await page.getByLabel('safe').waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.move(800, 400);

    // An imported file may contain a link that runs a script; it must be dropped or inert.
    await sheaf.client.sheet.set_link({
      ...made,
      row: 5,
      col: 0,
      url: 'https://example.com/here',
      display_text: 'click me',
    });
    const { content } = await sheaf.client.manage.export_file({ file_id: made.file_id, format: 'xlsx' });
    const parts = unzipSync(Buffer.from(content!, 'base64'));
    const rewritten = Object.fromEntries(
      Object.entries(parts).map(([name, bytes]) => [
        name,
        name.endsWith('.rels')
          ? strToU8(strFromU8(bytes).replaceAll('https://example.com/here', 'javascript:window.hurt=2'))
          : bytes,
      ]),
    );
    const file = join(folder, 'hostile.xlsx');
    writeFileSync(file, zipSync(rewritten));
    await page.goto(`${sheaf.url}/sheet`);
    await page.getByLabel('Import').setInputFiles(file);
    await page.waitForURL(/\/sheet\/doc_/);
    await panels.cell('A6').filter({ hasText: 'click me' }).waitFor({ state: 'attached' });
    await panels.select('A6');
    await page.waitForTimeout(400);
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    expect(await page.evaluate(() => (window as unknown as { hurt?: number }).hurt)).toBeUndefined();
    expect(await page.locator('main script, main img[src="x"]').count()).toBe(0);
    browser.expectClean();
  });
});
