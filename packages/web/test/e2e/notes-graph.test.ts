import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

describe('notes that belong together', async () => {
  const { sheaf, browser } = await journey();
  const page = await browser.signedIn(sheaf);
  const imported = async (content: string): Promise<string> =>
    (await sheaf.client.note.import_doc({ content_format: 1, content })).note_id;
  const textOf = async (id: string): Promise<string> => (await sheaf.client.note.export_note({ note_id: id })).content;
  const editor = page.locator('.ProseMirror[contenteditable=true]');

  test('[[Title]] is a link to the note, shows that it leads nowhere, and stays as it is written', async () => {
    const velox = await imported('# Velox\n\nsupplier');
    const id = await imported('# Orders\n\nAsk [[velox|the supplier]] or [[Nobody]]. `[[Velox]]`');
    await page.goto(`${sheaf.url}/notes/${id}`);
    await editor.waitFor();
    await expect.poll(() => editor.locator('.link-to-note').allTextContents()).toEqual(['[[velox|the supplier]]']);
    expect(await editor.locator('.link-missing').allTextContents()).toEqual(['[[Nobody]]']);
    await takeScreenshot(page, 'notes-links');
    await editor.locator('.link-to-note').click();
    await page.waitForURL(`**/notes/${velox}*`);
    const linked = page.getByRole('navigation', { name: 'Linked from' });
    await linked.getByRole('link', { name: 'Orders' }).waitFor();
    expect(await linked.textContent()).toContain('Ask the supplier or Nobody.');
    await takeScreenshot(page, 'notes-backlinks');
    // A note of that name makes the link whole.
    await imported('# Nobody\n\nsomebody');
    await linked.getByRole('link', { name: 'Orders' }).click();
    await expect.poll(() => editor.locator('.link-to-note').count()).toBe(2);
    await editor
      .locator('p')
      .first()
      .click({ position: { x: 2, y: 5 } });
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    await expect.poll(() => textOf(id)).toContain('!');
    expect((await textOf(id)).replaceAll('\\', '')).toContain('[[velox|the supplier]] or [[Nobody]]');
    browser.expectClean();
  });

  test('tags are added, filter the list and are removed', async () => {
    const id = await imported('# Tagged\n\nabout #harvest');
    await imported('# Untagged\n\nwords');
    await page.goto(`${sheaf.url}/notes/${id}`);
    const tags = page.getByRole('main').getByRole('list', { name: 'Tags' });
    await tags.getByText('#harvest').waitFor();
    await tags.getByRole('button', { name: 'Add a tag' }).click();
    await page.getByRole('dialog').getByLabel('Tag').fill('later');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await tags.getByRole('link', { name: '#later' }).click();
    const list = page.getByRole('list', { name: 'Notes', exact: true });
    await expect.poll(() => list.getByRole('link').count()).toBe(1);
    await list.getByRole('link', { name: /Tagged/ }).click();
    await takeScreenshot(page, 'notes-tags');
    await tags.getByRole('button', { name: 'Remove the tag later' }).click();
    await tags.getByRole('link', { name: '#later' }).waitFor({ state: 'detached' });
    expect(await tags.getByRole('button', { name: 'Remove the tag harvest' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show notes without the tag later too' }).click();
    await list.getByText('Untagged').waitFor();
    await page.getByRole('button', { name: 'Tags', exact: true }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: '#harvest 1' }).waitFor();
    browser.expectClean();
  });

  test('open tasks of all notes are listed, those that are due first, and ticked in their notes', async () => {
    const id = await imported('# Chores\n\n- [ ] call Ann @2026-12-01\n- [ ] rest\n- [x] done before');
    await page.goto(`${sheaf.url}/notes`);
    await page.getByRole('button', { name: 'Open tasks' }).click();
    const tasks = page.getByRole('dialog').getByRole('list', { name: 'Open tasks' });
    await tasks.getByText('Due').first().waitFor();
    expect(await tasks.getByRole('checkbox').count()).toBe(2);
    await takeScreenshot(page, 'notes-tasks');
    await tasks.getByRole('checkbox').first().check();
    await expect.poll(() => textOf(id)).toContain('- [x] call Ann @2026-12-01');
    await tasks.getByRole('checkbox', { name: /call Ann/ }).uncheck();
    await expect.poll(() => textOf(id)).toContain('- [ ] call Ann @2026-12-01');
    browser.expectClean();
  });
});
