import { describe, expect, test } from 'vitest';
import { createClient } from '@sheaf/client';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

describe('[finding P8] writing a note', async () => {
  const { sheaf, browser } = await journey();
  const page = await browser.signedIn(sheaf);
  const editor = () => page.locator('.ProseMirror[contenteditable=true]');
  const imported = async (content: string): Promise<string> =>
    (await sheaf.client.note.import_doc({ content_format: 1, content })).note_id;
  const markdownOf = async (id: string): Promise<string> =>
    (await sheaf.client.note.export_note({ note_id: id, format: 'markdown' })).content;
  const openAtEnd = async (id: string, last: string): Promise<void> => {
    await page.goto(`${sheaf.url}/notes/${id}`);
    await editor().getByText(last).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
  };

  test('a slash offers blocks: chosen by letters and arrows, put away by Escape', async () => {
    const id = await imported('# Slashes\n\nbegin');
    await openAtEnd(id, 'begin');
    await page.keyboard.type('/');
    const list = page.getByRole('listbox', { name: 'Insert a block' });
    await list.waitFor();
    await takeScreenshot(page, 'notes-slash');
    await page.keyboard.type('quo');
    await expect.poll(() => list.getByRole('option').allTextContents()).toEqual(['Quote']);
    await page.keyboard.press('Enter');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.type('said');
    await expect.poll(() => markdownOf(id)).toBe('# Slashes\n\nbegin\n\n> said');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('/');
    await list.waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => list.locator('[aria-selected=true]').innerText()).toBe('Heading 2');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Next');
    await expect.poll(() => markdownOf(id)).toBe('# Slashes\n\nbegin\n\n> said\n\n## Next');
    // Inside a word, and after Escape, the slash is an ordinary character.
    await page.keyboard.press('Enter');
    await page.keyboard.type('and/or /x');
    await page.keyboard.press('Escape');
    await page.keyboard.type('!');
    await expect.poll(() => markdownOf(id)).toContain('and/or /x!');
    expect(await list.count()).toBe(0);
    browser.expectClean();
  });

  test('two brackets link a note by its id: renamed, the link still leads there', async () => {
    const other = await imported('# Rainfall\n\nmillimeters');
    const id = await imported('# Links\n\nsee');
    await openAtEnd(id, 'see');
    await page.keyboard.type('[[rainf');
    const list = page.getByRole('listbox', { name: 'Link to a note' });
    await list.getByRole('option', { name: 'Rainfall', exact: true }).waitFor();
    await takeScreenshot(page, 'notes-link');
    await page.keyboard.press('Enter');
    await page.keyboard.type('today');
    await expect.poll(() => markdownOf(id)).toBe(`# Links\n\nsee\n\n[Rainfall](/notes/${other}) today`);
    await sheaf.client.note.update_note({ note_id: other, content: '# Precipitation\n\nmillimeters' });
    await editor().getByRole('link', { name: 'Rainfall' }).click();
    await page.waitForURL(`**/notes/${other}`);
    await page.getByText('millimeters').first().waitFor();
    await page.getByRole('navigation', { name: 'Linked from' }).getByRole('link', { name: 'Links' }).waitFor();
    await takeScreenshot(page, 'notes-backlinks');
    await page.goBack();
    await openAtEnd(id, 'today');
    await page.keyboard.type('[[Brand new');
    await list.getByRole('option', { name: 'New note “Brand new”' }).click();
    await expect.poll(() => markdownOf(id)).toMatch(/\[Brand new\]\(\/notes\/note_\w+\)/);
    browser.expectClean();
  });

  test('[finding P16] two brackets offer titles that fit, or a new note; beside a note stand its tags and tasks', async () => {
    await imported('# Diary\n\nsnowfall snowfall snowfall');
    await imported('# Snowfall\n\nmillimeters');
    const id = await imported('# Winter\n\n- [ ] shovel\n- [x] salt\n\nsee #season');
    await openAtEnd(id, 'see #season');
    await page.getByRole('list', { name: 'Tags' }).getByText('#season').waitFor();
    await page.getByText('1 open task', { exact: true }).waitFor();
    await page.keyboard.type('[[snowf');
    const list = page.getByRole('listbox', { name: 'Link to a note' });
    await expect.poll(() => list.getByRole('option').allTextContents()).toEqual(['Snowfall', 'New note “snowf”']);
    await page.keyboard.press('Escape');
    browser.expectClean();
  });

  test('a table grows and shrinks where the caret is; code has the colors of its language', async () => {
    const id = await imported('# Table\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```js\nconst name = "x"; // why\n```');
    await page.goto(`${sheaf.url}/notes/${id}`);
    await editor().getByText('1', { exact: true }).click();
    const table = async (entry: string): Promise<void> => {
      await page.getByRole('button', { name: 'Table', exact: true }).last().click();
      await page.getByRole('menuitem', { name: entry }).click();
    };
    await table('Row below');
    await table('Column after');
    await expect.poll(() => editor().locator('tr').count()).toBe(3);
    await expect.poll(() => editor().locator('th').count()).toBe(3);
    await takeScreenshot(page, 'notes-table');
    await table('Delete row');
    await expect.poll(() => editor().locator('tr').count()).toBe(2);
    await expect.poll(() => markdownOf(id)).toMatch(/\| a +\| +\| b +\|/);
    await expect.poll(() => editor().locator('pre .code-keyword').allTextContents()).toEqual(['const']);
    expect(await editor().locator('pre .code-string').innerText()).toBe('"x"');
    expect(await editor().locator('pre .code-comment').innerText()).toBe('// why');
    browser.expectClean();
  });

  test('the history says who changed which lines', async () => {
    const { key, api_key: apiKey } = await sheaf.client.account.create_key({ name: 'Scribe' });
    const agent = createClient({ url: sheaf.url, clientId: key.client_id, apiKey });
    const id = await imported('# Story\n\nfirst\n\nsecond');
    await agent.note.update_note({ note_id: id, content: '# Story\n\nfirst\n\nanother\n\nthird' });
    await page.goto(`${sheaf.url}/notes/${id}`);
    await page.getByRole('button', { name: 'Actions for Story' }).click();
    await page.getByRole('menuitem', { name: 'History' }).click();
    await page.getByRole('button', { name: /^Version 2.*Scribe/ }).waitFor();
    const lines = (kind: string): Promise<string[]> => page.locator(`[data-diff=${kind}]`).allTextContents();
    await expect.poll(() => lines('removed')).toEqual(['− second']);
    expect((await lines('added')).map((line) => line.trim())).toEqual(['+ another', '+', '+ third']);
    await takeScreenshot(page, 'notes-history-diff');
    await page.getByRole('button', { name: 'Whole text' }).click();
    await page.locator('dialog pre', { hasText: 'third' }).waitFor();
    browser.expectClean();
  });
});
