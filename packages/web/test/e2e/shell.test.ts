import { describe, expect, test } from 'vitest';
import type { Request } from 'playwright-core';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

describe('sign-in and shell', async () => {
  const { sheaf, browser } = await journey();

  test('a one-time link signs in, a password does afterward, a wrong one says why', async () => {
    const page = await browser.signedIn(sheaf);
    await page.getByRole('heading', { name: /^Hello/ }).waitFor();
    await takeScreenshot(page, 'home-first-run');
    const name = (await sheaf.client.account.get_me({})).name;

    await page.getByRole('link', { name, exact: true }).first().click();
    await page.getByLabel('New password', { exact: true }).fill('correct horse battery');
    await page.getByLabel('New password again').fill('correct horse battery');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('The password is set.').waitFor();
    await page.getByText('This browser').waitFor();
    await takeScreenshot(page, 'account-profile');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await takeScreenshot(page, 'sign-in');
    browser.expectClean();

    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill('wrong password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    // The browser itself reports the HTTP 401 of the refused password.
    expect(browser.takeFaults().every((fault) => fault.includes('401'))).toBe(true);
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: /^Hello/ }).waitFor();
    browser.expectClean();
  });

  test('a link that was used says so, and how to make a new one', async () => {
    const link = await sheaf.signInLink();
    const first = await browser.open();
    await first.goto(link);
    await first.getByText('This link signs you in as').waitFor();
    await takeScreenshot(first, 'sign-in-link');
    await first.getByRole('button', { name: 'Sign in' }).click();
    await first.getByRole('heading', { name: /^Hello/ }).waitFor();
    const second = await browser.open();
    await second.goto(link);
    await second.getByText('This sign-in link was already used or has expired.').waitFor();
    await takeScreenshot(second, 'sign-in-used-link');
    browser.expectClean();
  });

  test('[finding R4] a link works without scripts, in Chinese too, and does not take a session away unasked', async () => {
    const plain = await browser.open({ javaScriptEnabled: false, locale: 'zh-CN' });
    await plain.goto(await sheaf.signInLink());
    await plain.getByText('此链接将让您以').waitFor();
    await plain.getByRole('button', { name: '登录' }).click();
    await plain.waitForURL(`${sheaf.url}/`);
    expect((await plain.context().cookies()).filter((cookie) => cookie.name === 'sheaf_session').length).toBe(1);
    // The home page needs scripts, and this browser reports that it does not load them.
    browser.takeFaults();

    const { user } = await sheaf.client.account.create_user({ name: 'mallory' });
    const page = await browser.signedIn(sheaf);
    const link = await sheaf.signInLink(user.user_id);
    // A fetch of the sign-in link, as an image would cause it, has no effect.
    await page.evaluate((address) => fetch(address).then((answer) => answer.text()), link);
    await page.goto(link);
    await page.getByText('This link signs in as a different user').waitFor();
    await takeScreenshot(page, 'sign-in-link-other');
    await page.getByRole('link', { name: /^Stay signed in as/ }).click();
    await page.getByRole('heading', { name: /^Hello, owner/ }).waitFor();
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign out and switch' }).click();
    await page.getByRole('heading', { name: /^Hello, mallory/ }).waitFor();
    browser.expectClean();
  });

  test('one click adds samples of everything, one click removes them', async () => {
    const page = await browser.signedIn(sheaf);
    await page.getByRole('button', { name: 'Add samples' }).click();
    await page.getByText('Samples added.').waitFor();
    await page.getByRole('link', { name: /^Welcome to sheaf/ }).waitFor();
    await page.getByRole('link', { name: /^Sample: the farm/ }).waitFor();
    await page.getByRole('link', { name: /^Sample: yield/ }).waitFor();
    await takeScreenshot(page, 'home-samples');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search everything').fill('barley');
    await page
      .locator('dialog mark', { hasText: /barley/i })
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove the samples' }).click();
    await page.getByText('Samples removed.').waitFor();
    await page.getByRole('button', { name: 'Add samples' }).waitFor();
    expect((await sheaf.client.note.list_note({ cursor: '', limit: 5 })).note_book_list).toEqual([]);
    expect((await sheaf.client.manage.list_files({ cursor: '', limit: 5 })).files).toEqual([]);
    browser.expectClean();
  });

  test('dark, Chinese, phone and keyboard', async () => {
    const page = await browser.signedIn(sheaf);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search everything').fill('light');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search everything').fill('中文');
    await takeScreenshot(page, 'palette-dark');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^你好/ }).waitFor();
    await takeScreenshot(page, 'home-dark-chinese');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');
    await page.reload();
    await page.getByRole('heading', { name: /^你好/ }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await takeScreenshot(page, 'home-phone');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    browser.expectClean();
  });

  test('every address of the page answers with a strict policy, and only to browsers', async () => {
    const answer = await fetch(`${sheaf.url}/notes/some-note`, { headers: { accept: 'text/html' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: https:; " +
        "media-src 'self' blob:; connect-src 'self'; frame-src 'self' blob:; object-src 'none'; " +
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect((await fetch(`${sheaf.url}/notes/some-note`, { headers: { accept: 'application/json' } })).status).toBe(404);
    const script = /assets\/[\w.-]+\.js/.exec(await answer.text())?.[0];
    const asset = await fetch(`${sheaf.url}/${script}`, { headers: { 'accept-encoding': 'br' } });
    expect([asset.status, asset.headers.get('content-encoding'), asset.headers.get('cache-control')]).toEqual([
      200,
      'br',
      'public, max-age=31536000, immutable',
    ]);
    expect((await fetch(`${sheaf.url}/assets/..%2f.built`)).status).toBe(404);
  });

  test('[finding A13] the first page asks each question once, and its document names the files it needs', async () => {
    const { file_id } = await sheaf.client.manage.create_file({ title: 'Once' });
    const { knowledge_base_id: base } = await sheaf.client.wiki.create_knowledge_base({ name: 'Once' });
    const { note_id: note } = await sheaf.client.note.import_doc({ content: '# Once', content_format: 1 });
    const phone = await browser.signedIn(sheaf, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const places: [path: string, shown: string][] = [
      ['/', 'Once'],
      ['/notes', 'Once'],
      [`/notes/${note}`, 'Once'],
      ['/wiki', 'Once'],
      [`/wiki/${base}`, 'Nothing here yet'],
      ['/sheet', 'Once'],
      [`/sheet/${file_id}`, 'Once'],
    ];
    for (const [path, shown] of places) {
      // Leave the previous page first, so that its late requests are not counted.
      await phone.goto('about:blank');
      const asked: string[] = [];
      const listen = (request: Request): void =>
        void (
          request.method() === 'POST' && asked.push(`${new URL(request.url()).pathname} ${request.postData() ?? ''}`)
        );
      phone.on('request', listen);
      const html = await (await phone.goto(sheaf.url + path))!.text();
      await phone.getByText(shown).first().waitFor();
      await phone.waitForTimeout(500);
      phone.off('request', listen);
      expect([path, asked.toSorted()]).toEqual([path, [...new Set(asked)].toSorted()]);
      expect(asked.length).toBeGreaterThan(1);
      expect(html.match(/modulepreload/g)!.length).toBeGreaterThan(3);
    }
    browser.expectClean();
  });
});
