/** [finding P21] What a screen reader says of a grid, an editor, dialogs and lists. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { screenReaderScript } from '@sheaf/tools/testing/outside-browser-code.ts';
import { journey } from './journey.ts';

interface Reader {
  readonly virtual: {
    start(options: { container: Element }): Promise<void>;
    next(): Promise<void>;
    spokenPhraseLog(): Promise<string[]>;
    stop(): Promise<void>;
  };
}

describe('a screen reader', async () => {
  const { sheaf, browser } = await journey();
  const { client } = sheaf;
  const script = await screenReaderScript();
  const page = await browser.signedIn(sheaf);

  /** Reads an element from its beginning to its end, and returns what is said. */
  const heard = async (selector: string, on: Page = page): Promise<string[]> => {
    if (!(await on.evaluate(() => 'reader' in window))) await on.evaluate(script);
    return on.locator(selector).evaluate(async (container) => {
      const { virtual } = (window as unknown as { reader: Reader }).reader;
      await virtual.start({ container });
      const [first] = await virtual.spokenPhraseLog();
      for (let steps = 0; steps < 300; steps++) {
        await virtual.next();
        if ((await virtual.spokenPhraseLog()).at(-1) === first) break;
      }
      const log = (await virtual.spokenPhraseLog()).slice(0, -1);
      // A dialog is said twice where reading begins in it.
      const said = log[0] === log[1] ? log.slice(1) : log;
      await virtual.stop();
      return said;
    });
  };

  test('[finding P21] a list says how many there are, what each holds and what can be done with it', async () => {
    const { file_id, sheet_id } = await client.manage.create_file({ title: 'Orders' });
    await client.sheet.set_range_value_by_csv({ file_id, sheet_id, csv_data: 'month,units\nJan,12\nFeb,7\n' });
    await page.goto(`${sheaf.url}/sheet`);
    await page.getByText('month · units').waitFor();
    expect(await heard('[aria-label="Sheets"]:is(ul)')).toEqual([
      'list, Sheets',
      'listitem, level 1, position 1, set size 1',
      'link, Orders',
      'month · units',
      'You',
      'now',
      'button, Actions for Orders, not expanded, has popup menu',
      'end of listitem, level 1, position 1, set size 1',
      'end of list, Sheets',
    ]);
    browser.expectClean();
  });

  test('[finding P21] a dialog says its title, its fields and its buttons, and nothing of the page behind it', async () => {
    await page.getByRole('button', { name: 'New spreadsheet' }).first().click();
    await page.locator('dialog[open]').waitFor();
    expect(await heard('dialog[open]')).toEqual([
      'dialog, New spreadsheet',
      'banner',
      'heading, New spreadsheet, level 2',
      'button, Close',
      'end of banner',
      'form',
      'Title',
      'textbox, Title, Untitled, not invalid',
      'button, Cancel',
      'button, Create',
      'end of form',
      'end of dialog, New spreadsheet',
    ]);
    await page.keyboard.press('Escape');
    browser.expectClean();
  });

  test('[finding P21] a grid says its cells by row and column, and the active cell when it changes', async () => {
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('gridcell', { name: 'Feb' }).waitFor({ state: 'attached' });
    const said = await heard('main');
    const grid = said.slice(said.findIndex((one) => one.startsWith('grid')));
    expect(grid.filter((one) => !one.startsWith('columnheader')).slice(0, 16)).toEqual([
      'grid, Cells, column count 32, row count 300',
      'row, A B C D E F G H I J K L',
      'end of row, A B C D E F G H I J K L',
      'row, month units, row index 1',
      'gridcell, month, column index 1',
      'gridcell, units, column index 2',
      'end of row, month units, row index 1',
      'row, Jan 12, row index 2',
      'gridcell, Jan, column index 1',
      'gridcell, 12, column index 2',
      'end of row, Jan 12, row index 2',
      'row, Feb 7, row index 3',
      'gridcell, Feb, column index 1',
      'gridcell, 7, column index 2',
      'end of row, Feb 7, row index 3',
      'end of grid, Cells, column count 32, row count 300',
    ]);
    expect(said).toContain('tab, Sheet1, selected, position 1, set size 1');
    expect(said.slice(said.indexOf('group, Text'), said.indexOf('group, Text') + 3)).toEqual([
      'group, Text',
      'button, Bold (Ctrl+B), not pressed',
      'button, Italic (Ctrl+I), not pressed',
    ]);
    await page.locator('[data-grid-field]').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('B1, units', { exact: true }).waitFor({ state: 'attached' });
    expect(await heard('main')).toContain('B1, units');
    browser.expectClean();
  });

  test('[finding P21] an editor says what it is, and headings, lists, tasks and tables as such', async () => {
    const { note_id } = await client.note.import_doc({
      content_format: 1,
      content: '# Harvest\n\nPears and figs.\n\n- [ ] rope\n\n| crop | month |\n|---|---|\n| rye | May |\n',
    });
    await page.goto(`${sheaf.url}/notes/${note_id}`);
    await page.locator('.ProseMirror[contenteditable=true]').waitFor();
    const said = await heard('main');
    const from = said.indexOf('textbox, Text of the note, not read only');
    const isMeant = (one: string): boolean => !/^(end of )?(paragraph|rowgroup)/.test(one);
    expect(said.slice(from, said.indexOf('end of table')).filter(isMeant)).toEqual([
      'textbox, Text of the note, not read only',
      'heading, Harvest, level 1',
      'Pears and figs.',
      'list',
      'listitem, level 1, position 1, set size 1',
      'checkbox, Task item checkbox for rope, not checked',
      'Task item checkbox for rope',
      'rope',
      'end of listitem, level 1, position 1, set size 1',
      'end of list',
      'table',
      'row, crop month',
      'columnheader, crop',
      'crop',
      'end of columnheader, crop',
      'columnheader, month',
      'month',
      'end of columnheader, month',
      'end of row, crop month',
      'row, rye May',
      'cell, rye',
      'rye',
      'end of cell, rye',
      'cell, May',
      'May',
      'end of cell, May',
      'end of row, rye May',
    ]);
    expect(said).toContain('button, Heading 1, pressed');
    expect(said).toContain('button, 1 open task');
    browser.expectClean();
  });
});
