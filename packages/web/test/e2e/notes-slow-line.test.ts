import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

const latencyMs = 2000;
const words = Array.from({ length: 29 }, (_, index) => `nn${index + 1} no`).join(' ');
/** A title, a paragraph and the start of another: 200 characters, including spaces and the shortcut's letter. */
const typed = `New note\n${words}`.slice(0, 200);
const [title, paragraph] = typed.split('\n') as [string, string];

describe('a new note on a slow line', async () => {
  const { sheaf, browser } = await journey();

  const all = async (): Promise<string[]> => {
    const { note_book_list: notes } = await sheaf.client.note.list_note({ cursor: '', limit: 20 });
    return Promise.all(
      notes.map(async ({ note_id }) => (await sheaf.client.note.export_note({ note_id, format: 'markdown' })).content),
    );
  };
  const deleteAll = async (): Promise<void> => {
    const { note_book_list: notes } = await sheaf.client.note.list_note({ cursor: '', limit: 20 });
    for (const { note_id } of notes) await sheaf.client.note.delete_note({ note_id });
  };
  /** Throttles the connection after the page is loaded. */
  const slow = async (path: string): Promise<{ page: Page; line: (isCut: boolean) => Promise<unknown> }> => {
    await deleteAll();
    const page = await browser.signedIn(sheaf);
    await page.goto(sheaf.url + path);
    await page.getByRole('button', { name: 'New note', exact: true }).first().waitFor();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    const line = (isCut: boolean): Promise<unknown> =>
      devtools.send('Network.emulateNetworkConditions', {
        offline: isCut,
        latency: latencyMs,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
    await line(false);
    return { page, line };
  };
  /** Returns the visible typed text, whichever field holds it. */
  const seen = (page: Page): Promise<string> =>
    page.evaluate(() => {
      const field = document.activeElement as HTMLElement;
      return field.tagName === 'TEXTAREA' ? (field as HTMLTextAreaElement).value : field.innerText;
    });
  const type = async (page: Page, text: string): Promise<void> => {
    for (const [index, sign] of [...text].entries()) {
      await page.keyboard.type(sign === '\n' ? '\n' : sign, { delay: 60 });
      if (index % 40 !== 5) continue;
      const shown = (await seen(page)).replaceAll(/\s+/g, ' ');
      expect(shown.trimEnd()).toBe(
        text
          .slice(0, index + 1)
          .replaceAll(/\s+/g, ' ')
          .trimEnd(),
      );
    }
  };
  const oneNote = async (page: Page, text: string): Promise<void> => {
    await expect.poll(all, { timeout: 60_000 }).toEqual([text]);
    await page.getByText('Saved', { exact: true }).waitFor({ timeout: 30_000 });
    await page.waitForURL(/\/notes\/note_/);
    expect(await all()).toEqual([text]);
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('sheaf.draft.'))),
    ).toEqual([]);
  };

  test.each([
    [
      'the button of the notes',
      '/notes',
      (page: Page) => page.getByRole('button', { name: 'New note', exact: true }).first().click(),
    ],
    ['the shortcut', '/notes', (page: Page) => page.keyboard.press('n')],
    [
      'the button of the first page',
      '/',
      (page: Page) => page.getByRole('button', { name: 'New note', exact: true }).first().click(),
    ],
    [
      'the palette',
      '/',
      async (page: Page) => {
        await page.keyboard.press('Control+k');
        await page.getByPlaceholder('Search everything').waitFor();
        await page.keyboard.type('New note');
        await page.keyboard.press('Enter');
      },
    ],
  ] as const)(
    '[finding P10] every letter from the first key on is seen and kept, and one note is made: by %s',
    { timeout: 120_000 },
    async (_name, path, begin) => {
      const { page } = await slow(path);
      await begin(page);
      await type(page, typed);
      await oneNote(page, `# ${title}\n\n${paragraph}`);
      // The caret keeps its position in the editor that was loaded meanwhile.
      await page.locator('.ProseMirror-focused').waitFor();
      await page.keyboard.type('!');
      await oneNote(page, `# ${title}\n\n${paragraph}!`);
      await page.close();
      browser.expectClean();
    },
  );

  test('[finding P10] the line is cut while it is typed, and comes back', { timeout: 120_000 }, async () => {
    const { page, line } = await slow('/notes');
    await page.keyboard.press('n');
    await type(page, typed.slice(0, 60));
    await line(true);
    await page.keyboard.type(typed.slice(60, 140), { delay: 60 });
    await takeScreenshot(page, 'notes-new-offline');
    await line(false);
    await page.keyboard.type(typed.slice(140), { delay: 60 });
    await oneNote(page, `# ${title}\n\n${paragraph}`);
    await page.close();
    browser.takeFaults();
  });

  test(
    '[finding P10] cut before the key: the note is there after a reload, and is made once',
    { timeout: 120_000 },
    async () => {
      const { page, line } = await slow('/notes');
      await line(true);
      await page.keyboard.press('n');
      await page.keyboard.type(typed, { delay: 10 });
      // Goes back to the heading and edits it.
      await page.keyboard.press('Control+Home');
      await page.keyboard.type('My ');
      expect(await all()).toEqual([]);
      await line(false);
      page.once('dialog', (dialog) => void dialog.accept());
      await page.reload();
      await oneNote(page, `# My ${title}\n\n${paragraph}`);
      await page.close();
      browser.takeFaults();
    },
  );

  test(
    '[finding P10] the caret stays where it was put, marks at the start of a line mean what they mean',
    { timeout: 120_000 },
    async () => {
      const { page, line } = await slow('/notes');
      await line(true);
      await page.keyboard.press('n');
      await page.keyboard.type('Shopping\n- milk\neggs\n\nand **much** more');
      for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowLeft');
      await line(false);
      await page.locator('.ProseMirror-focused').waitFor({ timeout: 60_000 });
      await page.keyboard.type('even ');
      await oneNote(page, '# Shopping\n\n- milk\n- eggs\n\nand **much** even more');
      await page.close();
      browser.takeFaults();
    },
  );

  test(
    '[finding P10] whoever goes elsewhere before the editor is there finds the note as it was typed',
    { timeout: 120_000 },
    async () => {
      const { page } = await slow('/');
      await page.getByRole('button', { name: 'New note', exact: true }).first().click();
      await page.keyboard.type('Left at once', { delay: 10 });
      await page.getByRole('link', { name: 'Sheets' }).first().click();
      await expect.poll(all, { timeout: 60_000 }).toEqual(['# Left at once']);
      await page.close();
      browser.takeFaults();
    },
  );
});
