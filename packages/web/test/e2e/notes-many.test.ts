import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

const count = 5000;

describe('thousands of notes', async () => {
  const { sheaf, browser } = await journey();
  const left = Array.from({ length: count }, (_, index) => index);
  const write = async (): Promise<void> => {
    for (let index = left.shift(); index !== undefined; index = left.shift())
      await sheaf.client.note.import_doc({
        content_format: 1,
        content: `# Note ${String((index * 7919) % count).padStart(4, '0')}\n\n- [ ] task of [[Note 0001]] at [a place](https://example.com/x)`,
      });
  };
  await Promise.all(Array.from({ length: 20 }, write));
  const { folder } = await sheaf.client.note.add_notebook({ name: 'Chosen' });
  const page = await browser.signedIn(sheaf);
  // Leaves the home page, whose requests are not counted.
  await page.goto('about:blank');
  const asked: string[] = [];
  page.on('request', (request) => {
    const [, operation] = /\/openapi\/note\/v1\/(\w*note\w*)$/.exec(request.url()) ?? [];
    if (operation !== undefined) asked.push(operation);
  });
  const list = page.getByRole('list', { name: 'Notes', exact: true });
  const row = (name: string) => list.getByRole('link', { name: new RegExp(`^(Selected: )?${name}`) });
  const isEnd = () => list.locator('[aria-posinset="5000"]');
  const scrollToEnd = async (): Promise<void> => {
    await expect
      .poll(async () => {
        await list.evaluate((element) => (element.parentElement!.scrollTop = element.parentElement!.scrollHeight));
        return isEnd().count();
      })
      .toBe(1);
  };

  test('[finding P18] 5,000 notes are scrolled and sorted with a few requests, and few rows are in the page', async () => {
    await page.goto(`${sheaf.url}/notes`);
    await row('Note').first().waitFor();
    expect(await row('Note').first().textContent()).toContain('task of Note 0001 at a place');
    await scrollToEnd();
    const lists = (): string[] =>
      asked.filter((operation) => /^(list|browse|search)_note$|^browse_notes$/.test(operation));
    expect(lists()).toEqual(Array(6).fill('browse_notes'));
    expect(await list.getByRole('listitem').count()).toBeLessThan(60);
    asked.length = 0;
    await page.getByRole('button', { name: /Sort by/ }).click();
    await page.getByRole('menuitem', { name: 'Title' }).click();
    await row('Note 0000').waitFor();
    await takeScreenshot(page, 'notes-many');
    await scrollToEnd();
    await row('Note 4999').waitFor();
    expect(lists()).toEqual(Array(6).fill('browse_notes'));
    browser.expectClean();
  });

  test('[finding P18] several notes are selected with mouse and keys, moved by drag and by menu, and deleted', async () => {
    await list.evaluate((element) => (element.parentElement!.scrollTop = 0));
    await row('Note 0000').click({ modifiers: ['Control'] });
    await row('Note 0002').click({ modifiers: ['Shift'] });
    const bar = page.getByRole('toolbar', { name: 'Selected: 3' });
    await bar.waitFor();
    await row('Note 0001').dragTo(page.getByRole('list', { name: 'Notebooks' }).getByRole('link', { name: /Chosen/ }));
    const inChosen = async (): Promise<string[]> =>
      (await sheaf.client.note.browse_notes({ folder_id: folder.folder_id, sort_type: 2 })).notes.map(
        (one) => one.title,
      );
    await expect.poll(inChosen).toEqual(['Note 0000', 'Note 0001', 'Note 0002']);
    await page.keyboard.press('Escape');

    await row('Note 0004').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByRole('toolbar', { name: 'Selected: 2' }).getByRole('button', { name: 'Move to…' }).click();
    await page.getByRole('dialog').getByLabel('Notebook').selectOption({ label: 'Chosen' });
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
    await expect.poll(inChosen).toEqual(['Note 0000', 'Note 0001', 'Note 0002', 'Note 0004', 'Note 0005']);

    await page.goto(`${sheaf.url}/notes?folder=${folder.folder_id}`);
    await row('Note 0005').focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('toolbar', { name: 'Selected: 5' }).waitFor();
    await page.keyboard.press('Delete');
    await page.getByText('5 notes were moved to the trash.').waitFor();
    expect(await inChosen()).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(inChosen).toHaveLength(5);
    browser.expectClean();
  });
});
