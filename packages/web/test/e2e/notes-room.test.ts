import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('two people and an agent write one note at once', async () => {
  const { sheaf, browser } = await journey();

  const imported = async (content: string): Promise<string> =>
    (await sheaf.client.note.import_doc({ content_format: 1, content })).note_id;
  const markdownOf = async (id: string): Promise<string> =>
    (await sheaf.client.note.export_note({ note_id: id, format: 'markdown' })).content;
  const opened = async (id: string): Promise<Page> => {
    const page = await browser.signedIn(sheaf);
    await page.goto(`${sheaf.url}/notes/${id}`);
    await page.locator('.ProseMirror[contenteditable=true]').waitFor();
    return page;
  };
  const atEndOf = async (page: Page, words: string): Promise<void> => {
    await page.locator('.ProseMirror').getByText(words).click();
    await page.keyboard.press('End');
  };
  const onlyConflicts = (): void => expect(browser.takeFaults().filter((fault) => !/409/.test(fault))).toEqual([]);

  test(
    '[finding P12] both type in one paragraph while an agent appends: every word is there once, everywhere',
    { timeout: 120_000 },
    async () => {
      const id = await imported('# Together\n\nAda:\n\nBen:\n\nend');
      const [ada, ben] = [await opened(id), await opened(id)];
      // The first change of somebody else makes both pages write together.
      await sheaf.client.note.append_doc({ note_id: id, content_format: 1, content: 'the agent is here' });
      for (const page of [ada, ben]) {
        await page.locator('.ProseMirror').getByText('the agent is here').waitFor();
        await page.getByRole('list', { name: 'Also in this note' }).waitFor();
      }
      await atEndOf(ada, 'Ada:');
      await atEndOf(ben, 'Ben:');
      const words = (name: string): string => Array.from({ length: 40 }, (_, index) => `${name}${index}`).join(' ');
      const appending = async (): Promise<void> => {
        for (let index = 0; index < 8; index++) {
          await pause(600);
          await sheaf.client.note.append_doc({ note_id: id, content_format: 1, content: `agent ${index}` });
        }
      };
      await Promise.all([
        ada.keyboard.type(` ${words('a')}`, { delay: 40 }),
        ben.keyboard.type(` ${words('b')}`, { delay: 40 }),
        appending(),
      ]);
      const agent = Array.from({ length: 8 }, (_, index) => `agent ${index}`).join('\n\n');
      const expected = `# Together\n\nAda: ${words('a')}\n\nBen: ${words('b')}\n\nend\n\nthe agent is here\n\n${agent}`;
      await expect.poll(() => markdownOf(id), { timeout: 20_000 }).toBe(expected);
      for (const page of [ada, ben]) {
        const shown = page.locator('.ProseMirror');
        await expect.poll(() => shown.innerText()).toContain(`Ada: ${words('a')}`);
        expect(await shown.innerText()).toContain(`Ben: ${words('b')}`);
        expect(await shown.innerText()).toContain('agent 7');
      }
      await takeScreenshot(ada, 'notes-room');
      // Undo takes back one's own words only.
      await ada.keyboard.press('Control+z');
      await expect.poll(() => markdownOf(id), { timeout: 20_000 }).not.toContain('a39');
      expect(await markdownOf(id)).toContain(`Ben: ${words('b')}`);
      await ada.close();
      await ben.close();
      onlyConflicts();
    },
  );

  test('a note that one person has open loads nothing of this and joins no room', { timeout: 60_000 }, async () => {
    const id = await imported('# Alone\n\nhere');
    const page = await browser.signedIn(sheaf);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${sheaf.url}/notes/${id}`);
    await page.locator('.ProseMirror[contenteditable=true]').waitFor();
    await atEndOf(page, 'here');
    await page.keyboard.type(' I write alone');
    await expect.poll(() => markdownOf(id), { timeout: 20_000 }).toBe('# Alone\n\nhere I write alone');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(
      asked.filter((path) =>
        /sync_note|note-room|people-in-note|list_suggestions|suggestions-panel|note_comments|note-comments/.test(path),
      ),
    ).toEqual([]);
    expect(asked.filter((path) => path.endsWith('/events'))).toHaveLength(1);
    await page.close();
  });

  test('what is typed while the line is down is merged when it is back', { timeout: 90_000 }, async () => {
    const id = await imported('# Away\n\none\n\ntwo');
    const [ada, ben] = [await opened(id), await opened(id)];
    await sheaf.client.note.append_doc({ note_id: id, content_format: 1, content: 'three' });
    for (const page of [ada, ben]) await page.getByRole('list', { name: 'Also in this note' }).waitFor();
    await ada.context().setOffline(true);
    await atEndOf(ada, 'one');
    await ada.keyboard.type(' typed away');
    await atEndOf(ben, 'two');
    await ben.keyboard.type(' typed here');
    await pause(2000);
    await ada.context().setOffline(false);
    await expect
      .poll(() => markdownOf(id), { timeout: 30_000 })
      .toBe('# Away\n\none typed away\n\ntwo typed here\n\nthree');
    await ada.locator('.ProseMirror').getByText('two typed here').waitFor();
    await ada.close();
    await ben.close();
    browser.takeFaults();
  });
});
