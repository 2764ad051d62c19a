import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('a person types while others write into the same note', async () => {
  const { sheaf, browser } = await journey();

  const imported = async (content: string): Promise<string> =>
    (await sheaf.client.note.import_doc({ content_format: 1, content })).note_id;
  const markdownOf = async (id: string): Promise<string> =>
    (await sheaf.client.note.export_note({ note_id: id, format: 'markdown' })).content;
  const append = (id: string, content: string) =>
    sheaf.client.note.append_doc({ note_id: id, content_format: 1, content });
  const opened = async (id: string): Promise<Page> => {
    const page = await browser.signedIn(sheaf);
    await page.goto(`${sheaf.url}/notes/${id}`);
    await page.locator('.ProseMirror[contenteditable=true]').waitFor();
    return page;
  };
  /** Counts from now on how often the text loses the focus and how many dialogs open. */
  const watch = (page: Page): Promise<void> =>
    page.evaluate(() => {
      const counts = { blurs: 0, dialogs: 0 };
      (window as unknown as { counts: typeof counts }).counts = counts;
      document.addEventListener('focusout', () => counts.blurs++, true);
      new MutationObserver(() => {
        if (document.querySelector('dialog[open]')) counts.dialogs++;
      }).observe(document.body, { childList: true, subtree: true });
    });
  const counted = (page: Page): Promise<unknown> =>
    page.evaluate(() => (window as unknown as { counts: unknown }).counts);
  /** Appends texts from another client during typing; the first one comes before the first save. */
  const during = async (id: string, texts: readonly string[], typing: () => Promise<void>): Promise<void> => {
    const appending = async (): Promise<void> => {
      for (const text of texts) {
        await pause(500);
        await append(id, text);
        await pause(700);
      }
    };
    await Promise.all([typing(), appending()]);
  };
  const sentence = 'Every word of this long sentence is typed once and stays in this one line of the note.';
  const appended = ['first by an agent', '- second by an agent', 'third by an agent', 'fourth by an agent'];
  /** The page handles the conflicts that this test causes, so their reports are expected. */
  const onlyConflicts = (): void => expect(browser.takeFaults().filter((fault) => !/409/.test(fault))).toEqual([]);

  test(
    '[finding P12] appends go below the line that is typed; the focus and the caret stay',
    { timeout: 90_000 },
    async () => {
      const id = await imported('# Diary\n\nToday:');
      const page = await opened(id);
      await page.locator('.ProseMirror').getByText('Today:').click();
      await page.keyboard.press('End');
      await watch(page);
      await during(id, appended, () => page.keyboard.type(` ${sentence}`, { delay: 70 }));
      const expected = `# Diary\n\nToday: ${sentence}\n\n${appended.join('\n\n')}`;
      await expect.poll(() => markdownOf(id), { timeout: 20_000 }).toBe(expected);
      await page.getByText('Saved', { exact: true }).waitFor();
      expect(await page.locator('.ProseMirror').innerText()).toContain('fourth by an agent');
      await page.keyboard.type(' Still here.');
      await expect.poll(() => markdownOf(id)).toContain(`${sentence} Still here.\n`);
      expect(await counted(page)).toEqual({ blurs: 0, dialogs: 0 });
      await page.close();
      onlyConflicts();
    },
  );

  test('[finding P12] the same in a paragraph that was only begun, and as Markdown', { timeout: 90_000 }, async () => {
    const id = await imported('# Log\n\nbefore');
    const page = await opened(id);
    await page.locator('.ProseMirror').getByText('before').click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await watch(page);
    // Nothing is typed yet, and Markdown has no empty paragraphs.
    await append(id, 'came at once');
    await page.locator('.ProseMirror').getByText('came at once').waitFor();
    await during(id, ['came later'], () => page.keyboard.type(sentence, { delay: 30 }));
    await expect
      .poll(() => markdownOf(id), { timeout: 20_000 })
      .toBe(`# Log\n\nbefore\n\n${sentence}\n\ncame at once\n\ncame later`);
    expect(await counted(page)).toEqual({ blurs: 0, dialogs: 0 });

    await page.getByRole('button', { name: 'Markdown', exact: true }).click();
    const source = page.locator('textarea');
    await source.click();
    await source.evaluate((field: HTMLTextAreaElement) =>
      field.setSelectionRange(field.value.indexOf('before') + 6, field.value.indexOf('before') + 6),
    );
    await watch(page);
    await during(id, appended, () => page.keyboard.type(` ${sentence}`, { delay: 50 }));
    await expect
      .poll(() => markdownOf(id), { timeout: 20_000 })
      .toBe(`# Log\n\nbefore ${sentence}\n\n${sentence}\n\ncame at once\n\ncame later\n\n${appended.join('\n\n')}`);
    expect(await counted(page)).toEqual({ blurs: 0, dialogs: 0 });
    await page.close();
    onlyConflicts();
  });

  test('[finding P12] what is written above moves the text and not the caret', { timeout: 90_000 }, async () => {
    const id = await imported('# Above\n\nhere');
    const page = await opened(id);
    await page.locator('.ProseMirror').getByText('here').click();
    await page.keyboard.press('End');
    await watch(page);
    const above = async (): Promise<void> => {
      await pause(800);
      const now = await markdownOf(id);
      await sheaf.client.note.update_note({ note_id: id, content: now.replace('# Above', '# Above\n\nset before') });
    };
    await Promise.all([above(), page.keyboard.type(` ${sentence}`, { delay: 60 })]);
    await expect.poll(() => markdownOf(id), { timeout: 20_000 }).toBe(`# Above\n\nset before\n\nhere ${sentence}`);
    expect(await counted(page)).toEqual({ blurs: 0, dialogs: 0 });
    await page.close();
    onlyConflicts();
  });

  test(
    '[finding P12] a large note is tried beside the editor, which is typed into meanwhile',
    { timeout: 90_000 },
    async () => {
      const body = Array.from({ length: 1500 }, (_, index) => `- item ${index} of a long list`).join('\n');
      const id = await imported(`# Large\n\nhere\n\n${body}`);
      const page = await opened(id);
      await page.locator('.ProseMirror').getByText('here', { exact: true }).click();
      await page.keyboard.press('End');
      await watch(page);
      await during(id, ['by an agent'], () => page.keyboard.type(` ${sentence}`, { delay: 60 }));
      await expect
        .poll(() => markdownOf(id), { timeout: 40_000 })
        .toBe(`# Large\n\nhere ${sentence}\n\n${body}\n\nby an agent`);
      expect(await counted(page)).toEqual({ blurs: 0, dialogs: 0 });
      await page.close();
      onlyConflicts();
    },
  );

  test(
    '[finding P12] lines that both changed are kept of both, and a notice leads to the versions',
    { timeout: 90_000 },
    async () => {
      const id = await imported('# Both\n\nmiddle\n\nend');
      const page = await opened(id);
      await page.route(
        '**/update_note',
        async (route) => {
          await sheaf.client.note.update_note({ note_id: id, content: '# Both\n\nmiddle of the agent\n\nend' });
          await route.continue();
        },
        { times: 1 },
      );
      await page.locator('.ProseMirror').getByText('middle').click();
      await page.keyboard.press('End');
      await watch(page);
      await page.keyboard.type(' of mine');
      await page.getByText('The same lines were changed elsewhere.').waitFor();
      await page.keyboard.type(', typed on');
      const lines = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || []);
      await expect
        .poll(async () => lines(await markdownOf(id)), { timeout: 20_000 })
        .toEqual(['# Both', 'middle of mine, typed on', 'middle of the agent', 'end']);
      expect(await counted(page)).toEqual({ blurs: 0, dialogs: 0 });
      await takeScreenshot(page, 'notes-both-kept');
      await page.getByRole('button', { name: 'Versions' }).click();
      await page.getByRole('button', { name: /^Version 2/ }).click();
      await page.locator('dialog pre', { hasText: 'middle of the agent' }).waitFor();
      await page.close();
      onlyConflicts();
    },
  );
});
