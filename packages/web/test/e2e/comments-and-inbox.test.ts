import { describe, expect, test } from 'vitest';
import { createClient } from '@sheaf/client';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

describe('comments and the inbox', async () => {
  const { sheaf, browser } = await journey();
  const page = await browser.signedIn(sheaf);
  const { user } = await sheaf.client.account.create_user({ name: 'grace' });
  const { api_key: apiKey, key } = await sheaf.client.account.create_key({ name: 'grace', user_id: user.user_id });
  const grace = createClient({ url: sheaf.url, clientId: key.client_id, apiKey });
  const imported = async (content: string): Promise<string> =>
    (await sheaf.client.note.import_doc({ content_format: 1, content })).note_id;

  test('a selected text is commented on with a mention, answered, resolved and shown again', async () => {
    const id = await imported('# Plan\n\nWe buy **three** pears today.\n\nNothing else.');
    await sheaf.client.sharing.share({ kind: 'note', id, user_id: user.user_id, role: 'comment' });
    await page.goto(`${sheaf.url}/notes/${id}`);
    const note = page.getByRole('textbox', { name: 'Text of the note' });
    await note.getByText('pears today').waitFor();
    await note.getByText('three', { exact: true }).dblclick();
    await page.keyboard.press('Control+Alt+m');
    const panel = page.getByRole('complementary', { name: 'Comments' });
    const field = panel.getByRole('textbox', { name: 'Write a comment' });
    await field.pressSequentially('Why so many, @gr');
    await panel.getByRole('option', { name: '@grace' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('?');
    await page.keyboard.press('Control+Enter');
    await panel.getByText('Why so many, @grace ?').waitFor();
    await takeScreenshot(page, 'note-comments');
    const { lines } = await grace.inbox.list_inbox({ types: ['mention'] });
    expect(lines.filter((line) => line.id === id)).toMatchObject([{ title: 'Plan' }]);
    const { comments } = await grace.note.list_note_comments({ note_id: id });
    expect(comments).toMatchObject([{ quote: 'three', place: 'found', line: 3 }]);
    await grace.note.comment_note({ note_id: id, comment_id: comments[0]!.comment_id, text: 'Guests come.' });
    await panel.getByText('Guests come.').waitFor();
    await panel.getByRole('button', { name: 'Resolve' }).click();
    await panel.getByRole('heading', { name: 'No comments yet' }).waitFor();
    await panel.getByLabel('Show resolved').check();
    await panel.getByRole('button', { name: 'Reopen' }).click();
    await panel.getByRole('textbox', { name: 'Write a reply' }).waitFor();
    await panel.getByRole('button', { name: 'Close' }).click();
    await panel.waitFor({ state: 'detached' });
    browser.expectClean();
  });

  test('[finding P13] a text selected while the editor loads stays selected in it', async () => {
    const id = await imported('# Plan\n\nWe buy **four** apples today.');
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/rich-editor[^/]*\.js/, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${sheaf.url}/notes/${id}`);
    const note = page.getByRole('textbox', { name: 'Text of the note' });
    await page.locator('[aria-busy=true]').getByText('four', { exact: true }).dblclick();
    release();
    await page.locator('.ProseMirror[contenteditable=true]').waitFor();
    await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('four');
    await page.keyboard.type('five');
    await note.getByText('We buy five apples').waitFor();
    await page.unroute(/rich-editor[^/]*\.js/);
    browser.expectClean();
  });

  test('the inbox shows the number of unread lines, opens by keyboard, and is read', async () => {
    const id = (await grace.note.import_doc({ content_format: 1, content: '# From grace' })).note_id;
    await grace.sharing.share({ kind: 'note', id, everyone: true, role: 'read' });
    await page.goto(`${sheaf.url}/inbox`);
    const list = page.getByRole('list', { name: 'Inbox' });
    await list.getByText('grace shared From grace with you').waitFor();
    await page.getByRole('img', { name: /unread/ }).waitFor();
    await takeScreenshot(page, 'inbox');
    await list.getByRole('link').first().focus();
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('m');
    await list
      .getByRole('button', { name: /Mark as unread/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('img', { name: /unread/ }).waitFor({ state: 'detached' });
    await page.getByLabel('Only unread').check();
    await page.getByRole('heading', { name: 'Nothing new' }).waitFor();
    browser.expectClean();
  });

  test('[T92] a line goes with the share while the page is open', async () => {
    const id = (await grace.note.import_doc({ content_format: 1, content: '# For a moment' })).note_id;
    const share = { kind: 'note', id, user_id: sheaf.credentials.user_id } as const;
    await page.goto(`${sheaf.url}/inbox`);
    await grace.sharing.share({ ...share, role: 'read' });
    const line = page.getByText('grace shared For a moment with you');
    await line.waitFor();
    await grace.sharing.unshare(share);
    await line.waitFor({ state: 'detached' });
    browser.expectClean();
  });
});
