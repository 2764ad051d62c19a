import { describe, expect, test } from 'vitest';
import { journey } from './journey.ts';
import { newDocument, openSheet } from './sheet-page.ts';

describe('a part of the page that cannot be fetched', async () => {
  const { sheaf, browser } = await journey();
  const expectOnlyFailedRequests = (): void => {
    expect(browser.takeFaults().filter((fault) => !/ERR_/.test(fault))).toEqual([]);
  };

  test('[finding P2] leaves a spreadsheet as it is: typing goes on, and what was asked for says why it is missing', async () => {
    const page = await browser.signedIn(sheaf);
    await page.route('**/assets/presence-avatars-*', (route) => route.abort());
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'Parts'), page);
    await page.keyboard.type('typed');
    await page.keyboard.press('Enter');
    await sheet.shows('A1', 'typed');
    const fetched = page.waitForResponse('**/assets/presence-avatars-*');
    await page.unroute('**/assets/presence-avatars-*');
    await fetched;

    await page.route(/\/assets\/command-palette-|\/healthz/, (route) => route.abort());
    await page.keyboard.press('Control+k');
    await page.getByText('The server cannot be reached.').waitFor();
    await page.keyboard.type('more');
    await page.keyboard.press('Enter');
    await sheet.shows('A2', 'more');
    await page.unroute(/\/assets\/command-palette-|\/healthz/);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search everything').waitFor();
    await page.keyboard.press('Escape');
    await page.getByPlaceholder('Search everything').waitFor({ state: 'detached' });

    // A server that responds but no longer has the file has been updated.
    await page.route('**/assets/grid-context-menu-*', (route) => route.fulfill({ status: 404 }));
    await sheet.click('A2', { button: 'right' });
    await page.getByText('sheaf was updated.').waitFor();
    await page.getByRole('button', { name: 'Reload' }).click();
    await sheet.shows('A2', 'more');
    expect(browser.takeFaults().filter((fault) => !/ERR_|404/.test(fault))).toEqual([]);
  });

  test('[finding P2] keeps what is typed into a note until its editor is there', async () => {
    const { note_id } = await sheaf.client.note.import_doc({ content_format: 1, content: '# Parts\n\nFirst words.' });
    const page = await browser.signedIn(sheaf);
    await page.route('**/assets/rich-editor-*', (route) => route.abort());
    await page.goto(`${sheaf.url}/notes/${note_id}`);
    const shown = page.getByRole('textbox', { name: 'Text of the note' }).getByText('First words.');
    await shown.click();
    // The letter n is the shortcut for a new note elsewhere.
    await page.keyboard.type('Never lost.');
    await shown.waitFor();
    await page.unroute('**/assets/rich-editor-*');
    await page.locator('.ProseMirror').waitFor();
    const text = async (): Promise<string> =>
      (await sheaf.client.note.get_doc_content({ note_id, target_content_format: 0 })).content;
    await expect.poll(text).toContain('First words.Never lost.');
    expectOnlyFailedRequests();
  });
});
