import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

describe('notes', async () => {
  const { sheaf, browser } = await journey();
  const page = await browser.signedIn(sheaf);

  const markdownOf = async (id: string): Promise<string> =>
    (await sheaf.client.note.export_note({ note_id: id, format: 'markdown' })).content;
  const editor = () => page.getByRole('textbox', { name: 'Text of the note' });
  /** Waits for the editor, because the text is first shown read-only. */
  const editorReady = (on: Page = page): Promise<void> => on.locator('.ProseMirror[contenteditable=true]').waitFor();
  const imported = async (content: string): Promise<string> =>
    (await sheaf.client.note.import_doc({ content_format: 1, content })).note_id;

  test('a note is written, saved by itself, found with highlights and exported', async () => {
    await page.goto(`${sheaf.url}/notes`);
    await page.getByRole('heading', { name: 'No notes here' }).waitFor();
    await takeScreenshot(page, 'notes-empty');
    await page.getByRole('button', { name: 'New note', exact: true }).first().click();
    await page.waitForURL(/\/notes\/note_/);
    const id = page.url().split('/').at(-1)!.split('?')[0]!;
    await page.locator('.ProseMirror-focused').waitFor();
    await page.keyboard.type('Harvest plan');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Bring the wheat in before the storm.');
    await page.keyboard.press('Enter');
    await page.keyboard.type('- rope');
    await page.keyboard.press('Enter');
    await page.keyboard.type('sickle');
    await expect
      .poll(() => markdownOf(id))
      .toBe('# Harvest plan\n\nBring the wheat in before the storm.\n\n- rope\n- sickle');
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('list', { name: 'Notes' }).getByText('Harvest plan').waitFor();
    await takeScreenshot(page, 'notes-editor');

    await page.getByPlaceholder('Search notes').fill('wheat');
    await page.locator('mark', { hasText: 'wheat' }).waitFor();
    await takeScreenshot(page, 'notes-search');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search everything').fill('sickle');
    await page.locator('dialog mark', { hasText: 'sickle' }).waitFor();
    await takeScreenshot(page, 'palette-search');
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Actions for Harvest plan' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export Markdown' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('Harvest plan.md');
    expect(readFileSync(await file.path(), 'utf8')).toContain('Bring the wheat in');
    browser.expectClean();
  });

  test('changes of two writers are merged; on the same line nothing is lost', async () => {
    const id = await imported('# Shared\n\nfirst\n\nmiddle\n\nlast');
    await page.goto(`${sheaf.url}/notes/${id}`);
    await editorReady();
    const writeFirst = async (content: string): Promise<void> => {
      await page.route(
        '**/update_note',
        async (route) => {
          await sheaf.client.note.update_note({ note_id: id, content });
          await route.continue();
        },
        { times: 1 },
      );
    };
    await writeFirst('# Shared\n\nfirst\n\nmiddle\n\nlast, by an agent');
    await editor().getByText('first').click();
    await page.keyboard.press('End');
    await page.keyboard.type(', by me');
    // The save is sent, refused, merged and sent again.
    await expect
      .poll(() => markdownOf(id), { timeout: 15_000 })
      .toBe('# Shared\n\nfirst, by me\n\nmiddle\n\nlast, by an agent');
    await editor().getByText('last, by an agent').waitFor();

    // A note of its own: the page joins an open note after the first change of somebody else, and then nothing conflicts.
    const same = await imported('# Same\n\nmiddle');
    await page.goto(`${sheaf.url}/notes/${same}`);
    await editorReady();
    await page.route(
      '**/update_note',
      async (route) => {
        await sheaf.client.note.update_note({ note_id: same, content: '# Same\n\nmiddle of the agent' });
        await route.continue();
      },
      { times: 1 },
    );
    await editor().getByText('middle').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' of mine');
    await page.getByText('The same lines were changed elsewhere').waitFor();
    await takeScreenshot(page, 'notes-conflict');
    await expect
      .poll(() => markdownOf(same), { timeout: 15_000 })
      .toBe('# Same\n\nmiddle of mine\nmiddle of the agent');
    const { versions } = await sheaf.client.note.get_note_history({ note_id: same });
    const texts = await Promise.all(
      versions.map(async ({ version }) => (await sheaf.client.note.export_note({ note_id: same, version })).content),
    );
    expect(texts).toContain('# Same\n\nmiddle of the agent');
    browser.expectClean();
  });

  test('what could not be saved is there after a reload', async () => {
    const id = await imported('# Offline\n\nkept');
    await page.goto(`${sheaf.url}/notes/${id}`);
    await editorReady();
    await page.route('**/update_note', (route) => route.abort('internetdisconnected'));
    await editor().getByText('kept').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' for ever');
    await page.getByText('Offline: kept here').waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.unroute('**/update_note');
    await expect.poll(() => markdownOf(id), { timeout: 15_000 }).toBe('# Offline\n\nkept for ever');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(browser.takeFaults().every((fault) => fault.includes('ERR_INTERNET_DISCONNECTED'))).toBe(true);
  });

  test('what somebody else writes appears at once in the list and in an open note', async () => {
    const id = await imported('# Live\n\nbefore');
    await page.goto(`${sheaf.url}/notes/${id}`);
    await editor().getByText('before').waitFor();
    await sheaf.client.note.append_doc({ note_id: id, content_format: 1, content: 'written by an agent' });
    await editor().getByText('written by an agent').waitFor({ timeout: 5000 });
    await imported('# Fresh from an agent');
    await page.getByRole('list', { name: 'Notes' }).getByText('Fresh from an agent').first().waitFor({ timeout: 5000 });
    browser.expectClean();
  });

  test('a change is seen that happens while the page opens the event stream of a note that is edited by others', async () => {
    const id = await imported('# Joined\n\nbefore');
    await page.goto(`${sheaf.url}/notes/${id}`);
    await editor().getByText('before').waitFor();
    await page.route('**/note/v1/events?**', async (route) => {
      await imported('# Between two streams');
      await route.continue();
    });
    await sheaf.client.note.append_doc({ note_id: id, content_format: 1, content: 'written by an agent' });
    await editor().getByText('written by an agent').waitFor();
    await page.getByRole('list', { name: 'Notes' }).getByText('Between two streams').first().waitFor({ timeout: 5000 });
    await page.unroute('**/note/v1/events?**');
    browser.expectClean();
  });

  test('history restores, delete can be undone, the trash gives back', async () => {
    const id = await imported('# Draft one');
    await sheaf.client.note.update_note({ note_id: id, content: '# Draft two' });
    await page.goto(`${sheaf.url}/notes/${id}`);
    await editor().getByText('Draft two').waitFor();
    await page.getByRole('button', { name: 'Actions for Draft two' }).click();
    await page.getByRole('menuitem', { name: 'History' }).click();
    await page.getByRole('button', { name: /^Version 1/ }).click();
    await page.locator('dialog pre', { hasText: '# Draft one' }).waitFor();
    await takeScreenshot(page, 'notes-history');
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await editor().getByText('Draft one').waitFor();
    expect(await markdownOf(id)).toBe('# Draft one');

    await page.getByRole('button', { name: 'Actions for Draft one' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('The note was moved to the trash.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await editor().getByText('Draft one').waitFor();
    await page.getByRole('button', { name: 'Actions for Draft one' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('The note was moved to the trash.').waitFor();
    await page.getByRole('button', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await editor().getByText('Draft one').waitFor();
    browser.expectClean();
  });

  test('notebooks hold notes; a note goes into a knowledge base', async () => {
    const id = await imported('# Movable');
    await page.goto(`${sheaf.url}/notes/${id}`);
    await page.getByRole('button', { name: 'New notebook' }).click();
    await page.getByLabel('Name').fill('Farm');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('link', { name: 'Farm' }).waitFor();
    await page.getByRole('button', { name: 'Actions for Movable' }).click();
    await page.getByRole('menuitem', { name: 'Move to…' }).click();
    await page.locator('dialog').getByLabel('Notebook').selectOption({ label: 'Farm' });
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByText('Moved to “Farm”.').waitFor();
    await page.getByRole('link', { name: 'Farm' }).click();
    await page.getByRole('heading', { name: 'Farm' }).waitFor();
    await page.getByRole('list', { name: 'Notes' }).getByText('Movable').first().click();
    await page.getByRole('button', { name: 'Actions for Movable' }).click();
    await page.getByRole('menuitem', { name: 'Add to a knowledge base' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText(/^Added to/).waitFor();
    browser.expectClean();
  });

  test('[T34] hostile Markdown never runs; HTML is shown as its source', async () => {
    const hostile = [
      '# <script>window.hurt=1</script>',
      '<img src="data:," onerror="window.hurt=2">',
      '[click](javascript:window.hurt=3)',
      '<a href="javascript:window.hurt=4">go</a>',
      '<svg onload="window.hurt=5"></svg>',
      '[data](data:text/html,<script>window.hurt=6</script>)',
    ].join('\n\n');
    const id = await imported(hostile);
    await page.goto(`${sheaf.url}/notes/${id}`);
    await editor().waitFor();
    await page.locator('.ProseMirror pre', { hasText: 'onerror' }).waitFor();
    await takeScreenshot(page, 'notes-hostile');
    expect(
      await page.evaluate(
        () => [...document.querySelectorAll('a')].filter((link) => /^(javascript|data):/i.test(link.href)).length,
      ),
    ).toBe(0);
    expect(
      await page.evaluate(
        () => [...document.querySelectorAll('main script, main svg[onload], main img[onerror]')].length,
      ),
    ).toBe(0);
    expect(await page.evaluate(() => (window as unknown as { hurt?: number }).hurt)).toBeUndefined();
    expect(await markdownOf(id)).toBe(hostile);
    // The Content Security Policy reported nothing.
    browser.expectClean();

    // The Content Security Policy is the second line of defense: nothing runs without it either.
    const open = await browser.signedIn(sheaf, { bypassCSP: true });
    await open.goto(`${sheaf.url}/notes/${id}`);
    await open.locator('.ProseMirror pre', { hasText: 'onerror' }).waitFor();
    expect(await open.evaluate(() => (window as unknown as { hurt?: number }).hurt)).toBeUndefined();
    browser.expectClean();
  });

  test('a note reads the same before and after the editor is there', async () => {
    const id = await imported(
      '# Kinds\n\nplain **strong** *soft* ~~gone~~ `code`\n\n1. one\n2. two\n\n- [x] done\n- [ ] open\n\n> ' +
        'said\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```\nlet x\n```\n\n[link](https://example.com/) ' +
        '[bad](javascript:window.hurt=7)',
    );
    const phone = await browser.signedIn(sheaf, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await phone.goto(`${sheaf.url}/notes/${id}`);
    const text = phone.locator('main .prose');
    await text.getByText('plain').waitFor();
    const seen = (): Promise<[string[], number]> =>
      text.evaluate((element: HTMLElement) => [
        [...element.querySelectorAll('h1, p, strong, em, s, code, blockquote, pre, a[href^="http"], input')].map(
          (one) => `${one.tagName} ${one.tagName === 'INPUT' ? (one as HTMLInputElement).checked : one.textContent}`,
        ),
        Math.round(element.querySelector('pre')!.getBoundingClientRect().top),
      ]);
    const before = await seen();
    expect(before[0]).toContain('A link');
    expect(before[0]).toContain('P link bad');
    await phone.locator('.prose p').first().tap();
    await phone.locator('.ProseMirror-focused').waitFor();
    expect(await seen()).toEqual(before);
    await phone.keyboard.type('I go on: ');
    await expect.poll(() => markdownOf(id)).toContain('I go on: ');
    browser.expectClean();
  });

  test('on a phone the list and the note are two screens', async () => {
    const id = await imported('# Pocket\n\nsmall screen');
    const phone = await browser.signedIn(sheaf, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await phone.goto(`${sheaf.url}/notes`);
    // The select field has the product's own style.
    const appearance = await phone.getByLabel('Notebook').evaluate((one) => getComputedStyle(one).appearance);
    expect(['none', 'base-select']).toContain(appearance);
    await phone.getByRole('list', { name: 'Notes' }).getByText('Pocket').first().click();
    await phone.getByRole('textbox', { name: 'Text of the note' }).waitFor();
    expect(phone.url()).toContain(id);
    await takeScreenshot(phone, 'notes-phone');
    // The editor is loaded at the first tap and puts the caret there.
    expect(await phone.locator('.ProseMirror').count()).toBe(0);
    await phone.getByText('small screen').tap();
    await phone.locator('.ProseMirror-focused').waitFor();
    await phone.keyboard.press('End');
    await phone.keyboard.type(', large thoughts');
    await expect.poll(() => markdownOf(id)).toBe('# Pocket\n\nsmall screen, large thoughts');
    await phone.getByRole('link', { name: 'Back' }).click();
    await phone.getByRole('heading', { name: 'All notes' }).waitFor();
    await takeScreenshot(phone, 'notes-phone-list');
    browser.expectClean();
  });
});
