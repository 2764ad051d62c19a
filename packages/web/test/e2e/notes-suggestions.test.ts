import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { createClient } from '@sheaf/client';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

describe('an agent suggests changes of the open note', async () => {
  const { sheaf, browser } = await journey();
  const { key, api_key: apiKey } = await sheaf.client.account.create_key({ name: 'claude' });
  const agent = createClient({ url: sheaf.url, clientId: key.client_id, apiKey });

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
  const suggest = (id: string, edits: Parameters<typeof agent.note.edit_note>[0]['edits']) =>
    agent.note.edit_note({ note_id: id, edits, suggest: true });
  const panelOf = (page: Page) => page.getByRole('region', { name: 'Suggestions', exact: true });
  const changeOf = (page: Page, words: string) => panelOf(page).getByRole('listitem').filter({ hasText: words });

  test('they are shown in place with who, and accepted, refused and taken back one by one', async () => {
    const id = await imported('# Plan\n\nWe meet on **10 May** at noon.\n\nBring cake.\n\n- milk\n- tea');
    const page = await opened(id);
    await suggest(id, [
      { old: '10 May', new: '12 May' },
      { old: 'cake', new: 'fresh bread' },
      { old: '- milk\n', new: '- milk\n- sugar\n' },
      { new: 'See you there.', at_end: true },
    ]);
    const note = page.locator('.ProseMirror');
    await note.locator('del', { hasText: 'cake' }).waitFor();
    await note.locator('ins', { hasText: 'fresh bread' }).waitFor();
    await note.locator('ins', { hasText: 'sugar' }).waitFor();
    await note.locator('ins', { hasText: 'See you there.' }).waitFor();
    expect(await note.locator('del').first().getAttribute('title')).toBe('Suggested by claude');
    expect(await note.locator('del').allInnerTexts()).toEqual(['10', 'cake']);
    expect(await note.locator('ins').allInnerTexts()).toEqual(['12', 'fresh bread', 'sugar', 'See you there.']);
    expect(await markdownOf(id)).toContain('10 May');
    const panel = panelOf(page);
    await panel.getByText('claude: 4 suggested changes').waitFor();
    await note.locator('ins', { hasText: 'fresh bread' }).click();
    await takeScreenshot(page, 'note-suggestions');
    await changeOf(page, 'fresh bread').getByRole('button', { name: 'Accept' }).click();
    await note.getByText('Bring fresh bread.').waitFor();
    expect(await markdownOf(id)).toContain('\n\nBring fresh bread.\n\n');
    await panel.getByText('claude: 3 suggested changes').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await note.locator('del', { hasText: 'cake' }).waitFor();
    expect(await markdownOf(id)).toContain('\n\nBring cake.\n\n');
    await changeOf(page, 'fresh bread').getByRole('button', { name: 'Refuse' }).click();
    await note.locator('del', { hasText: 'cake' }).waitFor({ state: 'detached' });
    await panel.getByRole('button', { name: 'Accept all' }).click();
    await panel.getByRole('heading', { name: 'No suggestions' }).waitFor();
    expect(await markdownOf(id)).toBe(
      '# Plan\n\nWe meet on **12 May** at noon.\n\nBring cake.\n\n- milk\n- sugar\n- tea\n\nSee you there.\n',
    );
    await expect.poll(() => note.innerText()).toContain('See you there.');
    await expect.poll(() => note.locator('del, ins').count()).toBe(0);
    await panel.getByRole('button', { name: 'Close' }).click();
    await panel.waitFor({ state: 'detached' });
    await page.close();
    browser.expectClean();
  });

  test('what the person types goes on meanwhile; a stale change says so and cannot be accepted', async () => {
    const id = await imported('# Diary\n\nfirst line\n\nsecond line\n\nthird line');
    await suggest(id, [
      { old: 'first line', new: 'opening line' },
      { old: 'third line', new: 'closing line' },
    ]);
    const page = await opened(id);
    const note = page.locator('.ProseMirror');
    await note.locator('ins', { hasText: 'clos' }).waitFor();
    await note.getByText('first').last().click();
    await page.keyboard.press('Home');
    await page.keyboard.type('my ', { delay: 30 });
    await page.getByText('Saved', { exact: true }).waitFor();
    await panelOf(page).getByRole('button', { name: 'Review' }).click();
    const stale = changeOf(page, 'opening');
    await stale.getByText('The text here was changed since').waitFor();
    expect(await stale.getByRole('button', { name: 'Accept' }).isDisabled()).toBe(true);
    await panelOf(page).getByRole('button', { name: 'Accept all' }).click();
    await expect.poll(() => markdownOf(id)).toBe('# Diary\n\nmy first line\n\nsecond line\n\nclosing line');
    await stale.getByRole('button', { name: 'Refuse' }).click();
    await panelOf(page).getByRole('heading', { name: 'No suggestions' }).waitFor();
    await page.close();
    browser.expectClean();
  });

  test('they are found, read and decided by keyboard alone, in Chinese too', async () => {
    const id = await imported('one\n\ntwo\n\nthree');
    await suggest(id, [
      { old: 'one', new: 'ONE' },
      { old: 'two', new: 'TWO' },
      { old: 'three', new: 'THREE' },
    ]);
    const page = await opened(id);
    const panel = panelOf(page);
    await panel.getByRole('button', { name: 'Review' }).focus();
    await page.keyboard.press('Enter');
    await changeOf(page, 'ONE').getByRole('button', { name: 'Accept' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => markdownOf(id)).toBe('ONE\n\ntwo\n\nthree');
    // The focus goes on to the next change, so that Tab reaches its buttons.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('[data-change]')?.textContent))
      .toContain('TWO');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await changeOf(page, 'TWO').waitFor({ state: 'detached' });
    expect(await markdownOf(id)).toBe('ONE\n\ntwo\n\nthree');
    expect(await panel.locator('del').first().innerText()).toBe('three');
    await page.evaluate(() => localStorage.setItem('sheaf.language', 'zh'));
    await page.reload();
    const chinese = page.getByRole('region', { name: '建议', exact: true });
    await chinese.getByText('claude：1 处建议的更改').waitFor();
    await chinese.getByRole('button', { name: '全部拒绝' }).click();
    await chinese.waitFor({ state: 'detached' });
    await page.getByRole('main').locator('header').getByRole('button', { name: 'ONE 的操作' }).click();
    await page.getByRole('menuitem', { name: '建议' }).click();
    await chinese.getByRole('heading', { name: '没有建议' }).waitFor();
    await page.close();
    browser.expectClean();
  });

  test('blocks that nobody touches stay byte for byte while a person types and an agent suggests', async () => {
    const odd =
      'Setext\n======\n\n* * *\n\n+ plus\n+ list\n\n1) one\n2) two\n\n    indented  code\n\n[ref]: /url  "title"\n\n' +
      'A [link][ref] and &copy; and `` ` ``\n\n<div align="center">\n<b>raw</b>\n</div>\n\n~~~ruby\ndef x\n~~~\n\n' +
      '| a |b|\n|--|:-:|\n| 1 | 2|\n\nhard  \nbreak\\\nhere\n\n> quoted\nlazily\n\n';
    const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8').replace(/\n+$/, '');
    const before = `${odd}Notes of the day:\n\nto be replaced by the agent\n\n${readme}`;
    const id = await imported(before);
    const page = await opened(id);
    await page.locator('.ProseMirror').getByText('Notes of the day:').click();
    await page.keyboard.press('End');
    const typed = ' what is typed while an agent suggests';
    const suggesting = (async () => {
      await suggest(id, [{ old: 'to be replaced by the agent', new: 'said by the agent' }]);
      await agent.note.append_doc({ note_id: id, content_format: 1, content: 'appended' });
      await suggest(id, [{ old: 'self-hosted workspace', new: 'self-hosted home' }]);
    })();
    await Promise.all([page.keyboard.type(typed, { delay: 60 }), suggesting]);
    const written = `${before.replace('of the day:', `of the day:${typed}`)}\n\nappended`;
    await expect.poll(() => markdownOf(id), { timeout: 20_000 }).toBe(written);
    await panelOf(page).getByText('claude: 2 suggested changes').waitFor();
    await panelOf(page).getByRole('button', { name: 'Accept all' }).click();
    const accepted = written
      .replace('to be replaced by the agent', 'said by the agent')
      .replace('self-hosted workspace', 'self-hosted home');
    await expect.poll(() => markdownOf(id), { timeout: 20_000 }).toBe(accepted);
    await page.locator('.ProseMirror').getByText('said by the agent').waitFor();
    await page.close();
    expect(browser.takeFaults().filter((fault) => !/409/.test(fault))).toEqual([]);
  });
});
