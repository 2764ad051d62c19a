import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

describe('a note keeps its text through every change of view', async () => {
  const { sheaf, browser } = await journey();
  const page = await browser.signedIn(sheaf);

  const markdownOf = async (id: string): Promise<string> =>
    (await sheaf.client.note.export_note({ note_id: id, format: 'markdown' })).content;
  const imported = async (content: string): Promise<string> =>
    (await sheaf.client.note.import_doc({ content_format: 1, content })).note_id;
  const editor = () => page.locator('.ProseMirror[contenteditable=true]');
  const source = () => page.getByRole('textbox', { name: 'Text of the note' }).and(page.locator('textarea'));
  const view = (name: 'Text' | 'Markdown') => page.getByRole('button', { name, exact: true }).click();
  const isSaved = () => page.getByText('Saved', { exact: true }).waitFor();

  test('[finding P1] a new note: type, saved, Markdown, Text, and the next key adds to what was typed', async () => {
    await page.goto(`${sheaf.url}/notes`);
    await page.getByRole('button', { name: 'New note', exact: true }).first().click();
    await page.waitForURL(/\/notes\/note_/);
    const id = page.url().split('/').at(-1)!.split('?')[0]!;
    await page.locator('.ProseMirror-focused').waitFor();
    await page.keyboard.type('Harvest');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Bring the wheat in.');
    await expect.poll(() => markdownOf(id)).toBe('# Harvest\n\nBring the wheat in.');
    await isSaved();

    await view('Markdown');
    expect(await source().inputValue()).toBe('# Harvest\n\nBring the wheat in.');
    await view('Text');
    await editor().getByText('Bring the wheat in.').waitFor();
    // The note is no longer new, so its heading is not selected.
    await editor().focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' Today.');
    await expect.poll(() => markdownOf(id)).toBe('# Harvest\n\nBring the wheat in. Today.');
    await isSaved();

    await view('Markdown');
    await view('Text');
    await editor().getByText('Harvest').waitFor();
    await editor().focus();
    await page.keyboard.type('My ');
    await expect.poll(() => markdownOf(id)).toBe('# My Harvest\n\nBring the wheat in. Today.');
    browser.expectClean();
  });

  test('[finding P1] what is typed as Markdown, written elsewhere or restored is what the other view shows', async () => {
    const id = await imported('# Turns\n\none');
    await page.goto(`${sheaf.url}/notes/${id}`);
    await editor().getByText('one').waitFor();
    await view('Markdown');
    await source().fill('# Turns\n\none\n\ntwo');
    await view('Text');
    await editor().getByText('two').waitFor();
    await expect.poll(() => markdownOf(id)).toBe('# Turns\n\none\n\ntwo');
    await isSaved();

    await view('Markdown');
    await sheaf.client.note.append_doc({ note_id: id, content_format: 1, content: 'three' });
    await expect.poll(() => source().inputValue()).toContain('three');
    await view('Text');
    await editor().getByText('three').click();
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    await expect.poll(() => markdownOf(id)).toMatch(/one\n\ntwo\n+three!/);
    await isSaved();

    await page.getByRole('button', { name: 'Actions for Turns' }).click();
    await page.getByRole('menuitem', { name: 'History' }).click();
    await page.getByRole('button', { name: /^Version 1/ }).click();
    await page.locator('dialog pre', { hasText: 'one' }).waitFor();
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await editor().getByText('three').waitFor({ state: 'detached' });
    await view('Markdown');
    expect(await source().inputValue()).toBe('# Turns\n\none');
    await view('Text');
    await editor().getByText('one').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' again');
    await expect.poll(() => markdownOf(id)).toBe('# Turns\n\none again');
    browser.expectClean();
  });

  test('[finding P1] what the editor has no element for and was written elsewhere is not dropped by the next key', async () => {
    const id = await imported('# Held\n\nplain');
    await page.goto(`${sheaf.url}/notes/${id}`);
    await editor().getByText('plain').waitFor();
    await editor().focus();
    const written =
      '# Held\n\nplain\n\n<details><summary>More</summary>kept by nobody else</details>\n\n<!-- a remark -->';
    await sheaf.client.note.update_note({ note_id: id, content: written });
    await editor().locator('pre', { hasText: 'kept by nobody else' }).waitFor();
    await takeScreenshot(page, 'notes-source-from-elsewhere');
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' and more');
    await expect.poll(() => markdownOf(id)).toBe(`${written} and more`);
    browser.expectClean();
  });

  test('[finding P1] leaving a note while it cannot be saved and coming back shows what was typed, and saves it once', async () => {
    const id = await imported('# Left\n\nbefore');
    const other = await imported('# Other\n\nnothing');
    await page.goto(`${sheaf.url}/notes/${id}`);
    await editor().getByText('before').waitFor();
    await page.route('**/update_note', (route) => route.abort('internetdisconnected'));
    await editor().getByText('before').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' and after');
    await page.getByText('Offline: kept here').waitFor();
    await page.getByRole('list', { name: 'Notes' }).getByText('Other').first().click();
    await page.waitForURL(new RegExp(other));
    await editor().getByText('nothing').waitFor();
    await page.getByRole('list', { name: 'Notes' }).getByText('Left').first().click();
    await editor().getByText('before and after').waitFor();
    await editor().getByText('before and after').click();
    await page.keyboard.press('End');
    await page.keyboard.type(', for good');
    const sent: string[] = [];
    await page.unroute('**/update_note');
    page.on('request', (request) => {
      if (request.url().endsWith('/update_note')) sent.push((request.postDataJSON() as { content: string }).content);
    });
    await expect.poll(() => markdownOf(id), { timeout: 20_000 }).toBe('# Left\n\nbefore and after, for good');
    await isSaved();
    // Waits to see that the closed view of the note no longer retries.
    await new Promise((resolve) => setTimeout(resolve, 5000));
    // The unanswered save is resent first with its idempotency key, because the server may have applied it; then the
    // newer text. Each is sent once.
    expect(sent).toEqual(['# Left\n\nbefore and after', '# Left\n\nbefore and after, for good']);
    expect(browser.takeFaults().every((fault) => fault.includes('ERR_INTERNET_DISCONNECTED'))).toBe(true);
  });
});
