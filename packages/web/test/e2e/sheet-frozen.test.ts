import { describe, expect, test } from 'vitest';
import { journey } from './journey.ts';
import { newDocument, openSheet } from './sheet-page.ts';

const many = Array.from({ length: 120 }, (_, row) => [`r${row + 1}`, String(row + 1), row % 2 === 0 ? 'odd' : 'even']);

describe('frozen panes, filters and what stands on the sheet', async () => {
  const { sheaf, browser } = await journey();
  const line = {
    chart_type: 'CHART_LINE' as const,
    data_range: { start_row: 0, start_col: 0, end_row: 9, end_col: 1 },
    first_row_as_header: false,
    first_column_as_category: true,
    use_column_as_series: true,
    title: 'Rows',
  };

  test('[finding P4] Ctrl+Home goes to the first cell that scrolls, and the rows below the frozen ones are seen', async () => {
    const document = await newDocument(sheaf, 'Frozen', many);
    await sheaf.client.sheet.set_freeze({ ...document, row_count: 1, col_count: 0 });
    const sheet = await openSheet(browser, sheaf, document);
    for (let page = 0; page < 3; page++) await sheet.page.keyboard.press('PageDown');
    await sheet.page.locator('[data-cell="A2"]').waitFor({ state: 'detached' });
    await sheet.page.keyboard.press('Control+Home');
    await sheet.active('A2, r2');
    await sheet.shows('A2', 'r2');
    browser.expectClean();
  });

  test('[finding P4] a chart that begins in a frozen row scrolls with the rest and can be carried out of it', async () => {
    const document = await newDocument(sheaf, 'Frozen chart', many);
    await sheaf.client.sheet.set_freeze({ ...document, row_count: 1, col_count: 0 });
    const location = { row_index: 0, col_index: 4, horizontal_offset: 0, vertical_offset: 5, width: 300, height: 200 };
    await sheaf.client.sheet.add_chart({ ...document, ...line, location, drawing_id: 'frozen' });
    const sheet = await openSheet(browser, sheaf, document);
    const chart = sheet.page.getByRole('group', { name: /Rows/ });
    await chart.waitFor();
    const before = (await chart.boundingBox())!;
    await sheet.page.mouse.move(before.x + 150, before.y + 300);
    await sheet.page.mouse.wheel(0, 120);
    await expect.poll(async () => (await chart.boundingBox())!.y).toBeLessThan(before.y - 100);
    await sheet.page.mouse.wheel(0, -120);
    await expect.poll(async () => (await chart.boundingBox())!.y).toBe(before.y);
    const middle = { x: before.x + 150, y: before.y + 100 };
    await sheet.dragPixels(middle, { x: middle.x, y: middle.y + 150 });
    const placed = async () => (await sheaf.client.sheet.get_charts(document)).charts[0]!.location.row_index;
    await expect.poll(placed).toBeGreaterThan(3);
    browser.expectClean();
  });

  test('[finding P5] sums leave out filtered rows, finding goes past them, and Ctrl+Z brings a deleted chart back', async () => {
    const document = await newDocument(sheaf, 'Filtered', [['name', 'value', 'kind'], ...many.slice(0, 10)]);
    const filter = { start_row: 0, start_col: 0, end_row: 10, end_col: 2 };
    await sheaf.client.sheet.set_filter({ ...document, ...filter });
    const columns = [{ col: 2, visible_values: ['even'] }];
    await sheaf.client.sheet.update_filter({ ...document, columns });
    const location = { row_index: 14, col_index: 4, width: 300, height: 200 };
    await sheaf.client.sheet.add_chart({ ...document, ...line, location, drawing_id: 'below' });
    const sheet = await openSheet(browser, sheaf, document);
    const { page } = sheet;
    await page.getByLabel('Go to cell or range').fill('B2:B11');
    await page.keyboard.press('Enter');
    await page.getByRole('status', { name: 'Summary' }).filter({ hasText: 'Sum: 30' }).waitFor();
    await page.keyboard.press('Control+f');
    const panel = page.getByRole('complementary', { name: 'Find and replace' });
    const field = panel.getByLabel('Find', { exact: true });
    await field.fill('r1');
    await panel.getByText('2 found').waitFor();
    await field.press('Enter');
    // Row r1 is hidden, r10 is not.
    await sheet.active(/^A11, r10/);
    await panel.getByLabel('Close').click();
    const chart = page.getByRole('group', { name: /Rows/ });
    await chart.focus();
    await page.keyboard.press('Delete');
    await chart.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await chart.waitFor();
    browser.expectClean();
  });

  test('[finding P6] one row is one row, and /account shows the account', async () => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'Words', many.slice(0, 3)));
    await sheet.click('A2', { button: 'right' });
    await sheet.page.getByRole('menuitem', { name: 'Insert 1 row above' }).waitFor();
    await sheet.page.keyboard.press('Escape');
    await sheet.page.goto(`${sheaf.url}/account`);
    await sheet.page.waitForURL('**/account/profile');
    browser.expectClean();
  });
});
