/**
 * [finding P8] What cells show besides values: conditional formats, dropdown lists, comments, names; and hidden
 * sub-sheets.
 */
import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';
import { newDocument, openSheet, region, type OpenSheet } from './sheet-page.ts';

describe('marks of a sheet', async () => {
  const { sheaf, browser } = await journey();

  const open = (title: string, rows: string[][] = []): Promise<OpenSheet> =>
    newDocument(sheaf, title, rows).then((made) => openSheet(browser, sheaf, made));
  const fromDataMenu = async ({ page }: OpenSheet, name: string): Promise<void> => {
    await page.getByRole('toolbar').getByRole('button', { name: 'Data', exact: true }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const select = async ({ page }: OpenSheet, range: string): Promise<void> => {
    const box = page.getByLabel('Go to cell or range');
    await box.fill(range);
    await box.press('Enter');
  };
  const listed = async ({ file_id }: OpenSheet) => sheaf.client.sheet.list_objects({ file_id });
  /** Returns the color of a pixel in a cell, at a fraction of its width. */
  const pixel = async (sheet: OpenSheet, cell: string, right = 0.1): Promise<string> => {
    const { x, y } = await sheet.at(cell);
    return sheet.page.evaluate(
      ([px, py]) => {
        const canvas = document.querySelector<HTMLCanvasElement>('[data-grid] canvas')!;
        const box = canvas.getBoundingClientRect();
        const ratio = canvas.width / box.width;
        const [r, g, b] = canvas
          .getContext('2d')!
          .getImageData((px! - box.left) * ratio, (py! - box.top) * ratio, 1, 1).data;
        return [r, g, b].map((part) => part!.toString(16).padStart(2, '0')).join('');
      },
      [x - 50 + right * 100, y],
    );
  };

  test('tables are drawn in their style, under what cells say themselves', async () => {
    const sheet = await open('Styled', [
      ['name', 'share'],
      ['pear', '1'],
      ['plum', '2'],
      ['fig', '3'],
    ]);
    const on = { file_id: sheet.file_id, sheet_id: sheet.sheet_id };
    await select(sheet, 'D9');
    const { table_id } = await sheaf.client.sheet.set_table({
      ...on,
      range: 'A1:B4',
      style: 'TableStyleMedium9',
      style_parts: ['row_stripes'],
    });
    await sheaf.client.sheet.set_cell_style({ ...on, ...region('B3'), format: { bg_color: 'FF00FF00' } });
    await expect.poll(() => pixel(sheet, 'A1')).toBe('4472c4');
    await expect.poll(() => pixel(sheet, 'B2')).toBe('b4c7e7');
    await expect.poll(() => pixel(sheet, 'A3')).toBe('dae3f3');
    await expect.poll(() => pixel(sheet, 'B3')).toBe('00ff00');
    await takeScreenshot(sheet.page, 'sheet-table-style');
    await sheaf.client.sheet.delete_object({ ...on, object_type: 'table', object_id: table_id });
    await expect.poll(() => pixel(sheet, 'A3')).not.toBe('dae3f3');
  });

  test('[finding P8] conditional formats are drawn, made, changed, ordered and deleted in the page', async () => {
    const sheet = await open('Rules', [['5'], ['50'], ['500']]);
    const { page } = sheet;
    await fromDataMenu(sheet, 'Conditional formats');
    const panel = page.getByRole('complementary', { name: 'Conditional formats' });
    await panel.getByText('No rules on this sheet').waitFor();
    await takeScreenshot(page, 'sheet-rules-empty');
    await select(sheet, 'A1:A3');
    await panel.getByRole('button', { name: 'Add rule' }).click();
    expect(await panel.getByLabel('Cells', { exact: true }).inputValue()).toBe('A1:A3');
    await panel.getByLabel('Value', { exact: true }).fill('20');
    await panel.getByRole('button', { name: 'Save rule' }).click();
    await panel.getByText('greater than 20').waitFor();
    // Selects another cell, because a selection tints its cells.
    await select(sheet, 'D9');
    await expect.poll(() => pixel(sheet, 'A3')).toBe('ffc7ce');
    await expect.poll(() => pixel(sheet, 'A2')).toBe('ffc7ce');
    expect(await pixel(sheet, 'A1')).not.toBe('ffc7ce');
    await takeScreenshot(page, 'sheet-rules');

    // Changing a value updates its conditional format.
    await select(sheet, 'A1');
    await page.locator('[data-grid-field]').focus();
    await page.keyboard.type('77');
    await page.keyboard.press('Enter');
    await select(sheet, 'D9');
    await expect.poll(() => pixel(sheet, 'A1')).toBe('ffc7ce');

    await panel.getByRole('button', { name: 'Edit rule' }).click();
    await panel.getByLabel('Condition').selectOption('between');
    await panel.getByLabel('Value', { exact: true }).fill('40');
    await panel.getByLabel('and', { exact: true }).fill('60');
    await panel.getByRole('button', { name: 'Look 3' }).click();
    await panel.getByRole('button', { name: 'Save rule' }).click();
    await expect.poll(() => pixel(sheet, 'A2')).toBe('c6efce');
    await expect.poll(() => pixel(sheet, 'A3')).not.toBe('ffc7ce');

    for (const [kind, name] of [
      ['bar', 'with data bars'],
      ['icons', 'with icons'],
      ['scale', 'with a color scale'],
    ] as const) {
      await panel.getByRole('button', { name: 'Add rule' }).click();
      await panel.getByLabel('Cells', { exact: true }).fill('A1:A3');
      await panel.getByLabel('Highlight cells').selectOption(kind);
      await panel.getByRole('button', { name: 'Save rule' }).click();
      await panel.getByText(name).waitFor();
    }
    const [, , highest] = (await sheet.view('A1:A3')).formats ?? [];
    expect(highest).toMatchObject({
      row: 2,
      style: { bgColor: 'FF63BE7B' },
      bar: { color: 'FF638EC6' },
      icon: { set: '3TrafficLights1', index: 2 },
    });
    await expect.poll(() => pixel(sheet, 'A3', 0.5)).not.toBe('fffefc');
    await takeScreenshot(page, 'sheet-rules-kinds');
    await panel.getByRole('listitem').last().getByRole('button', { name: 'Apply earlier' }).click();
    await expect
      .poll(async () => (await listed(sheet)).conditional_formats?.map((one) => one['kind']))
      .toEqual(['cell', 'bar', 'scale', 'icons']);
    await panel.getByRole('listitem').first().getByRole('button', { name: 'Delete rule' }).click();
    await expect.poll(async () => (await listed(sheet)).conditional_formats?.length).toBe(3);
    browser.expectClean();
  });

  test('[finding P8] a list is chosen from by mouse and keyboard; what a rule forbids is not taken, and why is said', async () => {
    const sheet = await open('Lists', [['state'], ['']]);
    const { page } = sheet;
    await select(sheet, 'A2:A9');
    await fromDataMenu(sheet, 'Data validation');
    const panel = page.getByRole('complementary', { name: 'Data validation' });
    await panel.getByRole('button', { name: 'Add rule' }).click();
    await panel.getByLabel('Values').fill('open\ndone\nstuck');
    await panel.getByLabel('Hint for the cell').fill('How far it is');
    await panel.getByLabel('Message for a wrong value').fill('Pick one of the three');
    await panel.getByRole('button', { name: 'Save rule' }).click();
    await panel.getByText('open, done, stuck').waitFor();
    await select(sheet, 'A2');
    await page.getByRole('note').getByText('How far it is').waitFor();
    await page.getByRole('button', { name: 'Choose a value' }).click();
    await page.getByRole('option', { name: 'done' }).click();
    await sheet.shows('A2', 'done');
    await page.keyboard.press('ArrowDown');
    await sheet.active(/^A3/);
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('option', { name: 'open' }).waitFor();
    await takeScreenshot(page, 'sheet-list');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await sheet.shows('A3', 'stuck');

    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('lost');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Pick one of the three' }).waitFor();
    await sheet.formulaBar('lost');
    await page.keyboard.press('Escape');
    expect(await sheet.csv('A2:A4')).toBe('done\nstuck\n');

    // The list takes its values from a range and follows its changes.
    await sheaf.client.sheet.enter_cells({
      file_id: sheet.file_id,
      sheet_id: sheet.sheet_id,
      start_row: 0,
      start_col: 3,
      rows: [['wheat'], ['rye']],
    });
    await panel.getByRole('button', { name: 'Edit rule' }).click();
    await panel.getByLabel('Values').fill('=$D$1:$D$2');
    await panel.getByRole('button', { name: 'Save rule' }).click();
    await panel.getByText('=$D$1:$D$2').waitFor();
    await select(sheet, 'A5');
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('option', { name: 'rye' }).click();
    await sheet.shows('A5', 'rye');
    await panel.getByRole('button', { name: 'Delete rule' }).click();
    await panel.getByText('No rules on this sheet').waitFor();
    browser.takeFaults();
  });

  test('[finding P8] comments: begun, answered, resolved and deleted, beside the cell and in the panel', async () => {
    const sheet = await open('Comments', [['price'], ['3']]);
    const { page } = sheet;
    await select(sheet, 'A2');
    await sheet.active(/^A2/);
    await page.locator('[data-grid-field]').focus();
    await page.keyboard.press('Shift+F2');
    await page.getByRole('textbox', { name: 'Write a comment' }).fill('Is this with tax?');
    await page.keyboard.press('Control+Enter');
    await page.locator('[data-comment="A2"]').waitFor({ state: 'attached' });
    const card = page.getByRole('group', { name: 'Comments on A2' });
    await card.getByText('Is this with tax?').waitFor();
    const { comments } = await listed(sheet);
    await sheaf.client.sheet.set_comment({
      file_id: sheet.file_id,
      sheet_id: sheet.sheet_id,
      comment_id: comments![0]!.comment_id,
      text: 'Without.',
    });
    await card.getByText('Without.').waitFor();
    await card.getByRole('textbox', { name: 'Write a reply' }).fill('Thanks');
    await card.getByRole('button', { name: 'Reply' }).click();
    await expect
      .poll(async () => (await listed(sheet)).comments?.[0]?.entries.map(({ text }) => text))
      .toEqual(['Is this with tax?', 'Without.', 'Thanks']);
    await page.getByRole('toolbar').getByRole('button', { name: 'Comments', exact: true }).click();
    const panel = page.getByRole('complementary', { name: 'Comments' });
    await panel.getByRole('listitem').filter({ hasText: 'Thanks' }).first().waitFor();
    await takeScreenshot(page, 'sheet-comments');
    await panel.getByRole('button', { name: 'Resolve' }).click();
    await page.locator('[data-comment="A2"]').waitFor({ state: 'detached' });
    await panel.getByText('No comments on this sheet').waitFor();
    await panel.getByLabel('Show resolved').check();
    await panel.getByRole('button', { name: 'Reopen' }).click();
    await page.locator('[data-comment="A2"]').waitFor({ state: 'attached' });
    await panel.getByRole('button', { name: 'Delete thread' }).click();
    await panel.getByText('No comments on this sheet').waitFor();
    browser.expectClean();
  });

  test('[finding P8] names are made of a selection, used, changed and deleted', async () => {
    const sheet = await open('Names', [['2'], ['3']]);
    const { page } = sheet;
    await select(sheet, 'A1:A2');
    await fromDataMenu(sheet, 'Named ranges');
    const panel = page.getByRole('complementary', { name: 'Named ranges' });
    await panel.getByRole('button', { name: 'Add name' }).click();
    await panel.getByLabel('Name', { exact: true }).fill('prices');
    await panel.getByRole('button', { name: 'Save name' }).click();
    await panel.getByText('=Sheet1!$A$1:$A$2').waitFor();
    await takeScreenshot(page, 'sheet-names');
    await select(sheet, 'C1');
    await page.locator('[data-grid-field]').focus();
    await page.keyboard.type('=SUM(prices)');
    await page.keyboard.press('Enter');
    await sheet.shows('C1', '5');
    await panel.getByRole('button', { name: 'Edit prices' }).click();
    await panel.getByLabel('Refers to').fill('=Sheet1!$A$2');
    await panel.getByRole('button', { name: 'Save name' }).click();
    await sheet.shows('C1', '3');
    await panel.getByRole('button', { name: 'Delete prices' }).click();
    await panel.getByText('No names yet').waitFor();
    browser.expectClean();
  });

  test('[finding P8] a sub-sheet is hidden and shown again; hidden ones of a file stay hidden', async () => {
    const made = await newDocument(sheaf, 'Hidden');
    const { sheet_id: second } = await sheaf.client.sheet.add_sheet({ file_id: made.file_id, name: 'Plans' });
    await sheaf.client.sheet.set_sheet_properties({ file_id: made.file_id, sheet_id: second, visibility: 'hidden' });
    const sheet = await openSheet(browser, sheaf, made);
    const { page } = sheet;
    const tabs = () => page.getByRole('tab').allTextContents();
    expect(await tabs()).toEqual(['Sheet1']);
    await page.getByRole('button', { name: 'All sheets' }).click();
    await page.getByRole('menuitem', { name: 'Show Plans' }).click();
    await expect.poll(tabs).toEqual(['Sheet1', 'Plans']);
    await page.getByRole('button', { name: 'Actions for Plans' }).click();
    await page.getByRole('menuitem', { name: 'Hide' }).click();
    await expect.poll(tabs).toEqual(['Sheet1']);
    await page.getByRole('button', { name: 'Actions for Sheet1' }).click();
    expect(await page.getByRole('menuitem', { name: 'Hide' }).getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');
    browser.expectClean();
  });
});
