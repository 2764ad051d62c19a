import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

/** Written in forms that the editor itself would write differently, or not at all. */
const foreign = [
  '---\ntitle: Of another program\ntags: [a, b]\n---',
  'Heading underlined\n==================\nand a line directly below it  ',
  '<p align="center">\n  <img src="https://example.com/logo.svg" onerror="window.hurt=1">\n</p>',
  '* stars\n* and\n    + plus\n\n    loose',
  '<!-- a comment -->',
  '1) one\n1) two',
  '~~~js title="x"\nlet a = `1`;\n~~~',
  'Text with __strong__, a [reference][r], <kbd>Ctrl</kbd> and a picture ![p](https://example.com/p.png) in it.',
  'Touch me: *soft* [reference][r]',
  '| a | b |\n|:-|-:|\n| 1 | `x\\|y` |',
  '***',
  '    indented code\n\n\n    goes on',
  '[r]: https://example.com/r  "Title"\n[s]: <https://example.com/s>',
  'A note[^1].\n\n[^1]: A footnote.',
  '- [ ] task\n- plain\n- [x] done',
].join('\n\n');

describe('a note that no editor here wrote', async () => {
  const { sheaf, browser } = await journey();
  const page = await browser.signedIn(sheaf);
  const markdownOf = async (id: string): Promise<string> =>
    (await sheaf.client.note.export_note({ note_id: id, format: 'markdown' })).content;

  test.each([
    ['LF and no final newline', foreign],
    ['LF and a final newline', `${foreign}\n`],
    ['CRLF', `${foreign}\n`.replaceAll('\n', '\r\n')],
  ])('a letter typed changes its block only: %s', async (_name, content) => {
    const { note_id: id } = await sheaf.client.note.import_doc({ content_format: 1, content });
    // What the server itself stores is the text to compare with.
    const stored = await markdownOf(id);
    expect(stored.replaceAll('\r\n', '\n').trim()).toBe(foreign);
    await page.goto(`${sheaf.url}/notes/${id}`);
    const editor = page.locator('.ProseMirror[contenteditable=true]');
    await editor.getByText('Touch me').click();
    await page.keyboard.press('Home');
    await page.keyboard.type('T');
    const changed = stored.replace(
      'Touch me: *soft* [reference][r]',
      () => 'TTouch me: *soft* [reference](https://example.com/r "Title")',
    );
    await expect.poll(() => markdownOf(id)).toBe(changed);
    await takeScreenshot(page, 'notes-foreign');
    // Deleting the letter makes the block what it was, and with it its source.
    await page.keyboard.press('Backspace');
    await expect.poll(() => markdownOf(id)).toBe(stored);
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await page.evaluate(() => (window as unknown as { hurt?: number }).hurt)).toBeUndefined();
    browser.takeFaults();
  });

  test('HTML is edited as its source, and somebody else changes another block meanwhile', async () => {
    const { note_id: id } = await sheaf.client.note.import_doc({
      content_format: 1,
      content: '# Both\n\n<details>closed</details>\n\n* star\n\nlast',
    });
    await page.goto(`${sheaf.url}/notes/${id}`);
    const block = page.locator('.ProseMirror[contenteditable=true] pre[data-source-block]');
    await block.click();
    await page.keyboard.press('End');
    await page.keyboard.type('<hr>');
    const mine = '# Both\n\n<details>closed</details><hr>\n\n* star\n\nlast';
    await expect.poll(() => markdownOf(id)).toBe(mine);
    await sheaf.client.note.update_note({ note_id: id, content: mine.replace('last', 'last, by an agent') });
    await page.locator('.ProseMirror').getByText('by an agent').waitFor();
    await page.keyboard.type('!');
    await expect
      .poll(() => markdownOf(id))
      .toBe('# Both\n\n<details>closed</details><hr>!\n\n* star\n\nlast, by an agent');
    browser.expectClean();
  });
});
