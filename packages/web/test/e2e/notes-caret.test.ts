/** Whoever types in a note goes on at the same letters, whatever others do to the text meanwhile. */
import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { journey } from './journey.ts';

/** A line that is so long that it is tried before it is shown. */
const long = 'many words '.repeat(600).trim();
/** Exceeds the time limit of that trial on any machine. */
const involved = '- [ ] a\nb\n'.repeat(12_000);

describe('the caret while others write', async () => {
  const { sheaf, browser } = await journey();
  const markdownOf = async (id: string): Promise<string> =>
    (await sheaf.client.note.export_note({ note_id: id, format: 'markdown' })).content;
  const imported = async (content: string): Promise<string> =>
    (await sheaf.client.note.import_doc({ content_format: 1, content })).note_id;
  const write = (id: string, content: string) => sheaf.client.note.update_note({ note_id: id, content });
  /** Opens a note with the caret at the end of a line. */
  const openedAt = async (id: string, line: string): Promise<Page> => {
    const page = await browser.signedIn(sheaf);
    await page.goto(`${sheaf.url}/notes/${id}`);
    await page.locator('.ProseMirror[contenteditable=true]').getByText(line, { exact: true }).click();
    await page.keyboard.press('End');
    return page;
  };
  const shows = (page: Page, text: string): Promise<void> => page.locator('.ProseMirror').getByText(text).waitFor();
  /** Requests that tests make fail, and conflicts that the page handles, are reported by the browser. */
  const onlyExpected = (): void =>
    expect(
      browser.takeFaults().filter((fault) => !/409|ERR_INTERNET_DISCONNECTED|render-check-worker/.test(fault)),
    ).toEqual([]);

  test('[finding P12] a space just typed stays at its place when the next line changes', async () => {
    const id = await imported('# Two\n\nada:\n\nben:');
    const page = await openedAt(id, 'ada:');
    await page.keyboard.type(' one ');
    await expect.poll(() => markdownOf(id)).toContain('ada: one');
    const now = await markdownOf(id);
    await write(id, now.replace('ben:', 'ben: two').replace('ada:', 'so ada:'));
    await shows(page, 'ben: two');
    await page.keyboard.type('three');
    await expect.poll(() => markdownOf(id)).toBe('# Two\n\nso ada: one three\n\nben: two');
    await page.close();
    onlyExpected();
  });

  test('[finding P12] a text that cannot be tried yet is shown later, and the editor stays', async () => {
    const id = await imported(`# Long\n\nhere\n\n${long}`);
    const page = await openedAt(id, 'here');
    const worker = '**/render-check-worker*';
    await page.context().route(worker, (route) => route.abort('internetdisconnected'));
    // Once before others write in the note, and once after.
    for (const [word, news] of [
      ['one', 'first news'],
      ['two', 'second news'],
    ] as const) {
      const failed = page.context().waitForEvent('requestfailed', (request) => request.url().includes('render-check'));
      await write(id, (await markdownOf(id)).replace('# Long\n', `# Long\n\n${news}\n`));
      await failed;
      await page.keyboard.type(` ${word}`);
      await page.context().unroute(worker);
      await shows(page, news);
      await page.keyboard.type(`${word}!`);
      await expect.poll(() => markdownOf(id)).toContain(`${word}${word}!\n`);
      await page.context().route(worker, (route) => route.abort('internetdisconnected'));
    }
    expect(await markdownOf(id)).toBe(`# Long\n\nsecond news\n\nfirst news\n\nhere oneone! twotwo!\n\n${long}`);
    await page.close();
    onlyExpected();
  });

  test('[finding P12] when a text is too involved for the editor, the caret is at the same letters of its source', async () => {
    const id = await imported('# Calm\n\none\n\nhere\n\ntwo');
    const page = await openedAt(id, 'here');
    await write(id, `# Calm\n\none and\n\nright here\n\ntwo\n\n${involved}`);
    await expect.poll(() => page.locator('textarea').count(), { timeout: 40_000 }).toBe(1);
    await expect.poll(() => page.locator('textarea').evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type(' more');
    expect((await page.locator('textarea').inputValue()).slice(0, 60)).toContain(
      '# Calm\n\none and\n\nright here more\n\ntwo',
    );
    await page.close({ runBeforeUnload: false });
    onlyExpected();
  });
});
