import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { createClient } from '@sheaf/client';
import { oneLinePdf } from '@sheaf/tools/testing/one-line-pdf.ts';
import { openSignInLink, takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

const filler = 'Some sentences that say nothing about what is asked for here. '.repeat(40);
const base64 = (content: string | Uint8Array): string => Buffer.from(content as string).toString('base64');

describe('[finding P8] the search page', async () => {
  const { sheaf, browser } = await journey();
  let base = '';

  beforeAll(async () => {
    const { wiki, note, manage, sheet, account } = sheaf.client;
    base = (await wiki.create_knowledge_base({ name: 'Handbooks' })).knowledge_base_id;
    const { user } = await account.create_user({ name: 'mila' });
    const { key, api_key: apiKey } = await account.create_key({ name: 'mila', user_id: user.user_id });
    await wiki.set_member({ knowledge_base_id: base, user_id: user.user_id, role: 'editor' });
    const mila = createClient({ url: sheaf.url, clientId: key.client_id, apiKey });
    const handbook = `# Handbook\n\n${filler}\n\n## Trains\n\nKingfisher seats are booked by the office.\n\n${filler}`;
    const made = [
      await wiki.upload_knowledge({ knowledge_base_id: base, file_name: 'handbook.md', content: base64(handbook) }),
      await mila.wiki.upload_knowledge({
        knowledge_base_id: base,
        file_name: 'paper.pdf',
        content: base64(oneLinePdf('The kingfisher dives')),
      }),
    ];
    await wiki.get_knowledge_state({ media_ids: made.map((one) => one.media_id), wait_seconds: 30 });
    await note.import_doc({
      content_format: 1,
      content: `# Birds\n\n${`${filler}\n\n`.repeat(5)}## Rivers\n\nThe kingfisher sits above the *water* all day.\n\n${filler}`,
    });
    const { file_id, sheet_id } = await manage.create_file({ title: 'Counts' });
    await sheet.set_range_value_by_csv({
      file_id,
      sheet_id,
      start_row: 79,
      start_col: 3,
      csv_data: 'kingfisher pairs',
    });
  });

  const open = async (): Promise<Page> => {
    const page = await browser.signedIn(sheaf, { viewport: { width: 1440, height: 900 } });
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search everything').fill('kingfisher');
    await page.getByRole('option', { name: 'Search everything for “kingfisher”' }).click();
    await page.getByRole('heading', { name: 'Search' }).waitFor();
    await page.getByRole('link', { name: 'handbook.md' }).waitFor();
    return page;
  };
  const hits = (page: Page): Promise<string[]> =>
    page.locator('section[aria-label="Found"] > ul > li a.font-medium').allTextContents();

  test('answers a question with passages; filters by kind, base, date and author', async () => {
    const page = await open();
    expect((await hits(page)).toSorted()).toEqual(['Birds', 'Counts', 'handbook.md', 'paper.pdf']);
    await page.getByLabel('Ask a question, or type words…').fill('who books kingfisher seats?');
    await page.getByText('Handbook › Trains').waitFor();
    await takeScreenshot(page, 'search-passages');
    await page.getByLabel('Ask a question, or type words…').fill('kingfisher');
    await page.getByRole('link', { name: 'paper.pdf' }).waitFor();
    const choose = async (filter: string, choice: string): Promise<void> => {
      await page.getByRole('button', { name: new RegExp(`^${filter}: `) }).click();
      await page.getByRole('menuitem', { name: choice, exact: true }).click();
    };
    await choose('Kind', 'Notes');
    await expect.poll(() => hits(page)).toEqual(['Birds']);
    await choose('Kind', 'Everything');
    await choose('Knowledge base', 'Handbooks');
    await expect.poll(async () => (await hits(page)).toSorted()).toEqual(['handbook.md', 'paper.pdf']);
    await choose('Author', 'mila');
    await expect.poll(() => hits(page)).toEqual(['paper.pdf']);
    expect(page.url()).toContain(`base=${base}`);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await choose('Changed', 'Past week');
    await expect.poll(async () => (await hits(page)).length).toBe(4);
    await page.reload();
    await expect.poll(async () => (await hits(page)).length).toBe(4);
    await page.getByLabel('Ask a question, or type words…').fill('nothingatall');
    await page.getByText('Nothing found for “nothingatall”.').waitFor();
    browser.expectClean();
  });

  test('a passage opens where it stands: in a file, a PDF, a note and a spreadsheet', async () => {
    const page = await open();
    const passage = (start: string) => page.locator('section[aria-label="Found"] a', { hasText: start });
    const back = async (): Promise<void> => {
      await page.goBack();
      await page.getByRole('link', { name: 'handbook.md' }).waitFor();
    };
    await passage('Kingfisher seats are booked').click();
    const mark = page.locator('article mark', { hasText: 'Kingfisher' });
    await mark.waitFor();
    await expect.poll(() => mark.evaluate(isInSight)).toBe(true);
    await back();

    await passage('The kingfisher dives').click();
    await page.getByRole('region', { name: 'paper.pdf' }).locator('[data-page="1"] canvas').waitFor();
    await expect
      .poll(() => page.evaluate(() => [...(CSS.highlights.get('pdf-passage') ?? [])].map(String)))
      .toEqual(['The kingfisher dives']);
    await back();

    await passage('The kingfisher sits').click();
    const line = page.locator('.prose p', { hasText: 'The kingfisher sits above' });
    await line.waitFor();
    await expect.poll(() => line.evaluate(isInSight)).toBe(true);
    expect(await page.evaluate(() => CSS.highlights.has('found'))).toBe(true);
    await takeScreenshot(page, 'search-note-place');
    await back();

    await passage('kingfisher pairs').click();
    await expect.poll(() => page.getByLabel('Go to cell or range').inputValue()).toBe('D80');
    browser.expectClean();
  });

  test('dark, in Chinese, on a telephone', async () => {
    const page = await browser.open({ colorScheme: 'dark', locale: 'zh-CN', viewport: { width: 390, height: 844 } });
    await openSignInLink(page, await sheaf.signInLink());
    await page.getByRole('heading', { name: /^你好/ }).waitFor();
    await page.goto(`${sheaf.url}/search`);
    await page.getByText('想找什么？').waitFor();
    await page.getByLabel('提出问题，或输入关键词…').fill('kingfisher');
    await page.getByRole('link', { name: 'handbook.md' }).waitFor();
    await takeScreenshot(page, 'search-phone-dark');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    browser.expectClean();
  });
});

function isInSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}
