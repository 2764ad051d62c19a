/** [finding P15] Refusals as the user reads them: no ids, no field names, no retry button that cannot help. */
import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { createClient } from '@sheaf/client';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';
import { newDocument, openSheet } from './sheet-page.ts';

describe('what is refused', async () => {
  const { sheaf, browser } = await journey();
  const { client } = sheaf;
  const page = await browser.signedIn(sheaf);
  const chinese = await browser.signedIn(sheaf);
  await chinese.evaluate(() => localStorage.setItem('sheaf.language', 'zh'));

  /** Objects of another user, which the owner of the installation may not see either. */
  const { user } = await client.account.create_user({ name: 'ada' });
  const { api_key, key } = await client.account.create_key({ user_id: user.user_id, name: 'ada' });
  const ada = createClient({ url: sheaf.url, clientId: key.client_id, apiKey: api_key });
  const base = (await ada.wiki.create_knowledge_base({ name: 'Secret' })).knowledge_base_id;
  const ownBase = (await client.wiki.create_knowledge_base({ name: 'Own' })).knowledge_base_id;
  const item = await ada.wiki.upload_knowledge({
    knowledge_base_id: base,
    file_name: 'secret.txt',
    content: Buffer.from('secret').toString('base64'),
  });
  const document = await ada.manage.create_file({ title: 'Secret' });
  const note = await ada.note.import_doc({ content: '# Secret', content_format: 1 });
  const own = await client.note.import_doc({ content: '# Deleted', content_format: 1 });
  await client.note.delete_note({ note_id: own.note_id });

  const missing = async (at: Page, path: string, title: string, list: string, to: string): Promise<void> => {
    await at.goto(sheaf.url + path);
    await at.getByRole('heading', { name: title, exact: true }).waitFor();
    const main = at.getByRole('main');
    expect(await main.getByRole('button', { name: /Try again|重试/ }).count(), path).toBe(0);
    expect(await main.innerText(), path).not.toMatch(/[a-z]+_[0-9a-z]{6,}|Something went wrong/);
    expect(await main.getByRole('link', { name: list, exact: true }).last().getAttribute('href'), path).toBe(to);
  };
  const unknown = (prefix: string): string => `${prefix}_01hf0000000000000000000x`;

  test.each([
    ['spreadsheet', '/sheet/', document.file_id, unknown('doc'), 'Sheets', '/sheet'],
    ['note', '/notes/', note.note_id, unknown('note'), 'Notes', '/notes'],
    ['knowledge base', '/wiki/', base, unknown('kb'), 'Knowledge', '/wiki'],
    ['file or folder', `/wiki/${ownBase}/item/`, item.media_id, unknown('media'), 'Knowledge', '/wiki'],
    ['file or folder', `/wiki/${ownBase}?folder=`, unknown('folder'), 'no such folder', 'Knowledge', '/wiki'],
  ])(
    '[finding P15] a %s that is not there reads as one that is not shared',
    async (what, path, foreign, absent, list, to) => {
      const title = `This ${what} does not exist, or it is not shared with you`;
      for (const id of [foreign, absent, 'x']) await missing(page, path + encodeURIComponent(id), title, list, to);
      await takeScreenshot(page, `missing-${what.replaceAll(' ', '-')}`);
      browser.expectClean();
    },
  );

  test('[finding P15] a note in the trash is not offered for another try; Chinese pages say it in Chinese', async () => {
    const title = 'This note does not exist, or it is not shared with you';
    await missing(page, `/notes/${own.note_id}`, title, 'Notes', '/notes');
    await missing(chinese, `/notes/${note.note_id}`, '这篇笔记不存在，或未与你共享', '笔记', '/notes');
    await missing(chinese, `/sheet/${document.file_id}`, '这个表格不存在，或未与你共享', '表格', '/sheet');
    await missing(chinese, `/wiki/${base}`, '这个知识库不存在，或未与你共享', '知识库', '/wiki');
    await missing(
      chinese,
      `/wiki/${base}/item/${item.media_id}`,
      '这个文件或文件夹不存在，或未与你共享',
      '知识库',
      '/wiki',
    );
    await takeScreenshot(chinese, 'missing-chinese');
    browser.expectClean();
  });

  test('[finding P15] data validation names the cell and its rule', async () => {
    const made = await newDocument(sheaf, 'Rules', [['amount'], ['']]);
    await client.sheet.set_validation({ ...made, ranges: ['A2:A9'], kind: 'whole', values: ['1', '10'] });
    const sheet = await openSheet(browser, sheaf, made);
    await sheet.click('A2');
    await sheet.page.keyboard.type('11');
    await sheet.page.keyboard.press('Enter');
    const alert = sheet.page.getByRole('alert').filter({ hasText: 'A2' });
    await alert.waitFor();
    expect(await alert.innerText()).toBe(
      'Sheet1!A2 does not allow this value; it must be a whole number between 1 and 10',
    );
    browser.takeFaults();
  });

  test('[finding P15] web pages that cannot be added are listed, each with its own cause', async () => {
    await page.goto(`${sheaf.url}/wiki/${ownBase}`);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Add web pages' }).click();
    const dialog = page.locator('dialog');
    const urls = ['http://127.0.0.1/secret', 'ftp://example.com/x', 'nonsense'];
    await dialog.getByLabel('Addresses, one per line').fill(urls.join('\n'));
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const refused = dialog.getByRole('alert').getByRole('listitem');
    await refused.first().waitFor();
    expect(await refused.allInnerTexts()).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1\/secret\s+127\.0\.0\.1 is a private network address/),
      expect.stringMatching(/^ftp:\/\/example\.com\/x\s+Only http and https pages can be imported, not ftp:$/),
      expect.stringMatching(/^nonsense\s+Is not a URL$/),
    ]);
    await takeScreenshot(page, 'wiki-urls-refused');
    browser.expectClean();
  });
});
