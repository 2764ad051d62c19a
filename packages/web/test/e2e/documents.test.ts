import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

describe('spreadsheets as documents', async () => {
  const { sheaf, browser, folder } = await journey();
  const page = await browser.signedIn(sheaf);

  const list = () => page.getByRole('list', { name: 'Sheets' });
  const menu = async (name: string, entry: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  const idOf = (): string => /\/sheet\/([^/?]+)/.exec(page.url())![1]!;
  const cellsOf = async (id: string): Promise<string> => {
    const { sheets } = await sheaf.client.sheet.get_sheet_info({ file_id: id });
    const { csv_data } = await sheaf.client.sheet.get_cell_data({
      file_id: id,
      sheet_id: sheets[0]!.sheet_id,
      start_row: 0,
      start_col: 0,
      end_row: 3,
      end_col: 2,
      return_csv: true,
    });
    return csv_data ?? '';
  };

  test('a csv file is imported through the storage, with its way shown, and opened', async () => {
    await page.goto(`${sheaf.url}/sheet`);
    await page.getByRole('heading', { name: 'No spreadsheets yet' }).waitFor();
    await takeScreenshot(page, 'documents-empty');
    const puts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') puts.push(new URL(request.url()).pathname.split('/')[1] ?? '');
    });
    const file = join(folder, 'harvest.csv');
    writeFileSync(file, 'crop,tons\nrye,12\nbarley,=B2*2\n大麦,7\n');
    await page.getByLabel('Import').setInputFiles(file);
    await page.waitForURL(/\/sheet\/doc_/);
    expect(puts).toHaveLength(1);
    expect(await cellsOf(idOf())).toBe('crop,tons,\nrye,12,\nbarley,24,\n大麦,7,\n');
    browser.expectClean();
  });

  test('an xlsx file goes out and comes in again as it was', async () => {
    const { file_id, sheet_id } = await sheaf.client.manage.create_file({ title: 'Round trip' });
    await sheaf.client.sheet.set_range_value_by_csv({
      file_id,
      sheet_id,
      csv_data: 'item,price\npen,1.5\nink,4\ntotal,=SUM(B2:B3)',
    });
    await sheaf.client.sheet.set_cell_style({
      file_id,
      sheet_id,
      start_row: 0,
      start_col: 0,
      end_row: 0,
      end_col: 1,
      format: { bold: true, bg_color: 'FFDDEEFF' },
    });
    await sheaf.client.sheet.add_chart({
      file_id,
      sheet_id,
      chart_type: 'CHART_PIE',
      data_range: { start_row: 0, start_col: 0, end_row: 2, end_col: 1 },
      drawing_id: 'c1',
      title: 'Shares',
    });
    await page.goto(`${sheaf.url}/sheet`);
    await list().getByRole('link', { name: 'Round trip' }).waitFor();
    const saved = page.waitForEvent('download');
    await menu('Round trip', 'Download as .xlsx');
    const download = await saved;
    expect(download.suggestedFilename()).toBe('Round trip.xlsx');
    const file = join(folder, 'back.xlsx');
    await download.saveAs(file);
    expect(readFileSync(file).subarray(0, 2).toString()).toBe('PK');
    await page.getByLabel('Import').setInputFiles(file);
    await page.waitForURL(/\/sheet\/doc_/);
    const copy = idOf();
    expect(await cellsOf(copy)).toBe('item,price,\npen,1.5,\nink,4,\ntotal,5.5,\n');
    const { sheets } = await sheaf.client.sheet.get_sheet_info({ file_id: copy });
    const { charts } = await sheaf.client.sheet.get_charts({ file_id: copy, sheet_id: sheets[0]!.sheet_id });
    expect(charts.map(({ chart_type, title }) => [chart_type, title])).toEqual([['CHART_PIE', 'Shares']]);
    const { cells } = await sheaf.client.sheet.get_cell_style({
      file_id: copy,
      sheet_id: sheets[0]!.sheet_id,
      start_row: 0,
      start_col: 0,
      end_row: 0,
      end_col: 0,
    });
    expect(cells[0]?.background_color).toBe('FFDDEEFF');
    browser.expectClean();
  });

  test('a document is renamed, copied, deleted and taken back', async () => {
    const { file_id } = await sheaf.client.manage.create_file({ title: 'Draft' });
    await page.goto(`${sheaf.url}/sheet`);
    await menu('Draft', 'Rename');
    await page.getByLabel('Title').fill('Final');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await list().getByRole('link', { name: 'Final', exact: true }).waitFor();
    await menu('Final', 'Make a copy');
    await page.waitForURL((url) => /\/sheet\/doc_/.test(url.pathname) && !url.pathname.includes(file_id));
    await page.goto(`${sheaf.url}/sheet`);
    await list().getByRole('link', { name: 'Copy of Final' }).waitFor();
    await takeScreenshot(page, 'documents-list');
    await menu('Copy of Final', 'Delete');
    await list().getByRole('link', { name: 'Copy of Final' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Trash', exact: true }).click();
    const gone = page.getByRole('list', { name: 'Trash' });
    await gone.getByText('Copy of Final').waitFor();
    await takeScreenshot(page, 'documents-trash');
    await gone.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('heading', { name: 'The trash is empty.' }).waitFor();
    await page.getByRole('button', { name: 'Back to spreadsheets' }).click();
    await list().getByRole('link', { name: 'Copy of Final' }).waitFor();
    browser.expectClean();
  });

  test('a document is shared by name; who may only read is told so and changes nothing', async () => {
    const { user } = await sheaf.client.account.create_user({ name: 'grace' });
    const { file_id } = await sheaf.client.manage.create_file({ title: 'Shared budget' });
    await page.goto(`${sheaf.url}/sheet`);
    await menu('Shared budget', 'Share');
    await page.getByLabel('User name').fill('nobody');
    await page.locator('dialog').getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByText('There is no user "nobody"').waitFor();
    await page.getByLabel('User name').fill('grace');
    await page.locator('dialog').getByRole('button', { name: 'Share', exact: true }).click();
    const members = page.getByRole('list', { name: 'Members' });
    await members.getByText('grace').waitFor();
    await takeScreenshot(page, 'documents-share');
    await members.getByLabel('Role of grace').selectOption('write');
    await expect
      .poll(
        async () =>
          (await sheaf.client.manage.query_file_info({ file_id })).members.find((one) => one.user_id === user.user_id)
            ?.role,
      )
      .toBe('editor');
    await members.getByRole('button', { name: 'Remove grace' }).click();
    await members.getByText('grace').waitFor({ state: 'detached' });
    browser.expectClean();
  });

  test('[T33] hostile titles stay text', async () => {
    await sheaf.client.manage.create_file({ title: '<img src=x onerror="window.hurt=1">' });
    await page.goto(`${sheaf.url}/sheet`);
    await list().getByText('<img src=x onerror="window.hurt=1">').waitFor();
    expect(await page.evaluate(() => (window as unknown as { hurt?: number }).hurt)).toBeUndefined();
    browser.expectClean();
  });
});
