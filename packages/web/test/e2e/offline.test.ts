/**
 * [T100] The page without a connection: the service worker keeps the files of one build and the answers of one user, and
 * takes what other apps share.
 */
import { createServer } from 'node:http';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { openSignInLink, takeScreenshot, type SheafProcess } from '@sheaf/tools/testing/browser.ts';
import { BuildProxy, secondName } from './build-proxy.ts';
import { journey } from './journey.ts';
import { newDocument, region } from './sheet-page.ts';

const secret = 'quinquereme';

describe('[T100] the page without a connection', async () => {
  const { sheaf, browser } = await journey();
  const lines: BuildProxy[] = [];
  const contexts: BrowserContext[] = [];

  afterAll(() => lines.forEach((line) => line.close()));
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    // Requests fail while the line is cut, which the browser logs.
    browser.takeFaults();
  });

  /** Opens a page over a line of its own, and waits until its service worker is active. */
  const open = async (userId?: string): Promise<{ page: Page; line: BuildProxy }> => {
    const line = await BuildProxy.to(sheaf.url);
    lines.push(line);
    const page = await browser.signedIn(through(sheaf, line), { serviceWorkers: 'allow', userId });
    contexts.push(page.context());
    page.on('dialog', (dialog) => void dialog.accept());
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 40_000 });
    return { page, line };
  };

  test('what was opened lately is read without a connection; what is typed is kept, and sent when it is back', async () => {
    const { note_id } = await sheaf.client.note.import_doc({ content_format: 1, content: `# Plan\n\n${secret}\n` });
    const { file_id, sheet_id } = await newDocument(sheaf, 'Budget', [['rent', '900']]);
    const { page, line } = await open();
    await page.goto(`${line.url}/notes/${note_id}`);
    await page.locator('.prose').getByText(secret).waitFor();
    await page.goto(`${line.url}/sheet/${file_id}`);
    await page.locator('[data-cell="A1"]', { hasText: 'rent' }).waitFor({ state: 'attached' });
    await page.goto(`${line.url}/`);
    await page.getByRole('link', { name: 'Budget' }).first().waitFor();
    await expect.poll(() => keptReads(page)).toEqual(expect.arrayContaining(['note/export_note', 'sheet/get_view']));
    line.cut();

    await page.goto(`${line.url}/notes/${note_id}`);
    await page.locator('.prose').getByText(secret).waitFor();
    await page.getByText('No connection. This is how it was on').waitFor();
    await takeScreenshot(page, 'offline-note');
    await page.locator('.prose').getByText(secret).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' under oars');
    await page.getByText('Offline: kept here').waitFor();

    await page.goto(`${line.url}/sheet/${file_id}`);
    await page.locator('[data-cell="B1"]', { hasText: '900' }).waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('food');
    await page.keyboard.press('Enter');
    await page.getByText('Offline, edits kept here: 1').waitFor();
    await page.reload();
    await page.locator('[data-cell="A2"]', { hasText: 'food' }).waitFor({ state: 'attached' });
    await takeScreenshot(page, 'offline-sheet');

    // The server comes back as another build.
    line.upgrade();
    line.mend();
    const area = { ...region('A1:B2'), return_csv: true };
    await expect
      .poll(async () => (await sheaf.client.sheet.get_cell_data({ file_id, sheet_id, ...area })).csv_data, {
        timeout: 30_000,
      })
      .toBe('rent,900\nfood,\n');
    await expect
      .poll(async () => (await sheaf.client.note.export_note({ note_id, format: 'markdown' })).content, {
        timeout: 30_000,
      })
      .toContain(`${secret} under oars`);
    await page.getByText('No connection. This is how it was on').waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('[data-cell="A2"]', { hasText: 'food' }).waitFor({ state: 'attached' });
    expect(await foreignFiles(page, '-v2.')).toEqual([]);
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /outbox|draft/.test(key)))).toEqual([]);
  });

  test('a text that was saved is the one that is shown, and a kept older one does not undo it', async () => {
    const { note_id } = await sheaf.client.note.import_doc({ content_format: 1, content: '# Log\n\nfirst\n' });
    const { page, line } = await open();
    await page.goto(`${line.url}/notes/${note_id}`);
    await page.locator('.prose').getByText('first').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' second');
    await expect
      .poll(async () => (await sheaf.client.note.export_note({ note_id, format: 'markdown' })).content)
      .toContain('first second');
    await expect.poll(() => keptText(page, 'note/export_note')).toContain('first second');
    line.cut();
    await page.reload();
    await page.locator('.prose').getByText('first second').waitFor();
  });

  test('an upgrade replaces all files at once or none, and open pages keep those of their build', async () => {
    const { page, line } = await open();
    const builds = (): Promise<string[]> => cacheNames(page, 'sheaf-build-');
    const old = `sheaf-build-${line.first.id}`;
    expect(await builds()).toEqual([old]);
    const tab = await page.context().newPage();
    await tab.goto(`${line.url}/notes`);
    await tab.getByRole('heading', { name: 'Notes' }).first().waitFor();

    line.missing = secondName(line.first.files.at(-1)!);
    line.upgrade();
    const updated = await page.evaluate(async () => {
      const registration = (await navigator.serviceWorker.getRegistration())!;
      await registration.update();
      const next = registration.installing;
      return next === null
        ? 'redundant'
        : new Promise((resolve) => next.addEventListener('statechange', () => resolve(next.state)));
    });
    expect(updated).toBe('redundant');
    expect(await builds()).toEqual([old]);

    line.missing = undefined;
    await page.goto(`${line.url}/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await foreignFiles(page, '-v2.')).toEqual([]);
    await expect.poll(builds, { timeout: 30_000 }).toHaveLength(2);
    // The server has no file of the first build anymore, but the other page has all of them.
    await tab.getByRole('link', { name: 'Sheets', exact: true }).click();
    await tab.waitForURL('**/sheet');
    await tab.locator('main h1').waitFor();
    expect((await foreignFiles(tab, '-v2.')).length).toBeGreaterThan(0);
    expect(await builds()).toHaveLength(2);
    await tab.close();

    await page.reload();
    await expect.poll(builds, { timeout: 30_000 }).toEqual([`${old}-v2`]);
    // The answers of the first build are gone with it.
    await page.goto(`${line.url}/`);
    await expect.poll(() => keptReads(page)).toContain('note/list_note');
    line.cut();
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await foreignFiles(page, '-v2.')).toEqual([]);
  });

  test('sign-out leaves no personal answer, and the next user of the browser sees nothing of the first', async () => {
    const { note_id } = await sheaf.client.note.import_doc({ content_format: 1, content: `# Mine\n\n${secret}\n` });
    const { user: ada } = await sheaf.client.account.create_user({ name: 'ada' });
    const { page, line } = await open();
    const read = async (): Promise<void> => {
      await page.goto(`${line.url}/notes/${note_id}`);
      await page.locator('.prose').getByText(secret).waitFor();
      await expect.poll(() => keptText(page)).toContain(secret);
    };
    await read();
    expect(await cacheNames(page, 'sheaf-answers-')).toHaveLength(1);
    for (const url of await cachedUrls(page)) expect(url).toMatch(/^\/(assets|kept\/[a-z]+\/[a-z_]+)\//);

    await page.goto(`${line.url}/account/profile`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await cacheNames(page, 'sheaf-answers-')).toEqual([]);
    expect(await keptText(page)).not.toContain(secret);
    line.cut();
    await page.goto(`${line.url}/notes/${note_id}`);
    await page.getByRole('alert').waitFor();
    expect(await page.locator('body').innerText()).not.toContain(secret);
    line.mend();

    await openSignInLink(page, await through(sheaf, line).signInLink());
    await read();
    // The link replaces the session without a sign-out.
    await openSignInLink(page, await through(sheaf, line).signInLink(ada.user_id));
    await page.getByRole('heading', { name: 'Hello, ada' }).waitFor();
    await expect.poll(() => keptReads(page)).toContain('account/get_me');
    expect(await keptText(page)).not.toContain(secret);
    expect(await cacheNames(page, 'sheaf-answers-')).toEqual([expect.stringContaining(ada.user_id)]);
    line.cut();
    await page.goto(`${line.url}/notes/${note_id}`);
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
    expect(await page.locator('body').innerText()).not.toContain(secret);
    line.mend();

    // The session ends without a sign-out: a read says so, or the document does.
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    const askWho = (): Promise<unknown> =>
      page.evaluate(async (given) => (await fetch('/openapi/account/v1/get_me', given)).text(), init);
    const signInAgain = async (): Promise<void> => {
      await openSignInLink(page, await through(sheaf, line).signInLink(ada.user_id));
      await page.getByRole('heading', { name: 'Hello, ada' }).waitFor();
      await expect.poll(() => keptReads(page)).toContain('account/get_me');
    };
    await page.context().clearCookies();
    await askWho();
    await expect.poll(() => cacheNames(page, 'sheaf-answers-')).toEqual([]);
    await signInAgain();
    await sheaf.client.account.suspend_user({ user_id: ada.user_id });
    await askWho();
    await expect.poll(() => cacheNames(page, 'sheaf-answers-')).toEqual([]);
    await sheaf.client.account.resume_user({ user_id: ada.user_id });
    await signInAgain();
    await page.context().clearCookies();
    await page.goto(`${line.url}/notes`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await expect.poll(() => cacheNames(page, 'sheaf-answers-')).toEqual([]);
  });

  test('what is kept is limited, and an answer that is refused later is deleted', async () => {
    const { note_id } = await sheaf.client.note.import_doc({ content_format: 1, content: `# Gone\n\n${secret}\n` });
    const { page, line } = await open();
    await page.goto(`${line.url}/notes/${note_id}`);
    await expect.poll(() => keptText(page, 'note/export_note')).toContain(secret);
    await sheaf.client.note.delete_note({ note_id });
    await page.reload();
    await expect.poll(() => keptText(page, 'note/export_note')).not.toContain(secret);
    await page.goto(`${line.url}/search`);
    // White space makes each request another one.
    await page.evaluate(async () => {
      for (let count = 0; count < 320; count += 1)
        await fetch('/openapi/note/v1/list_note', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: `{"cursor":"","limit":1${' '.repeat(count)}}`,
        });
    });
    await expect.poll(async () => (await keptReads(page)).length).toBe(300);
    expect(await keptReads(page)).not.toContain('account/get_me');
  });

  test('the page can be installed, and its worker has the whole site as its scope and is never cached', async () => {
    const worker = await fetch(`${sheaf.url}/service-worker.js`);
    expect(worker.headers.get('cache-control')).toBe('no-cache');
    expect(worker.headers.get('service-worker-allowed')).toBe('/');
    const { page, line } = await open();
    expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)).toBe(`${line.url}/`);
    const devtools = await page.context().newCDPSession(page);
    const { errors, data } = await devtools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    expect(JSON.parse(data!)).toMatchObject({ share_target: { action: '/share', method: 'POST' } });
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
  });

  test('what another app shares is written only after the user agrees', async () => {
    const count = async (): Promise<number> =>
      (await sheaf.client.note.list_note({ cursor: '', limit: 20 })).note_book_list.length;
    const before = await count();
    const { knowledge_base_id: base } = await sheaf.client.wiki.create_knowledge_base({ name: 'Reading' });
    const { page, line } = await open();
    await share(page, { title: 'Oars', text: 'how they row', url: 'https://example.org/oars' });
    await page.getByRole('heading', { name: 'Shared from another app' }).waitFor();
    await takeScreenshot(page, 'share-text');
    expect(await page.getByLabel('Text of the note').inputValue()).toBe('how they row\n\nhttps://example.org/oars');
    expect(await count()).toBe(before);
    await page.getByRole('button', { name: 'Make a note' }).click();
    await page.waitForURL(/\/notes\/note_/);
    expect(await count()).toBe(before + 1);
    expect(await cacheNames(page, 'sheaf-shared')).toEqual([]);

    await page.goto(`${line.url}/`);
    await share(page, {}, { name: 'rowing.txt', text: 'pull' });
    await page.getByText('rowing.txt').waitFor();
    await page.getByLabel('Knowledge base').selectOption(base);
    await takeScreenshot(page, 'share-files');
    await page.getByRole('button', { name: 'Upload files' }).click();
    await page.waitForURL(`**/wiki/${base}`);
    const listed = { knowledge_base_id: base, folder_id: base, cursor: '', limit: 20 };
    await expect
      .poll(async () => (await sheaf.client.wiki.get_knowledge_list(listed)).knowledge_list.map(({ title }) => title))
      .toEqual(['rowing.txt']);

    // Another site can send the form too, and nothing more.
    const other = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<form method="post" enctype="multipart/form-data" action="${line.url}/share">
        <input name="text" value="buy now"></form><script>document.forms[0].submit()</script>`);
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    await page.goto(`http://localhost:${(other.address() as { port: number }).port}/`).catch(() => undefined);
    await page.getByRole('heading', { name: 'Shared from another app' }).waitFor();
    expect(await count()).toBe(before + 1);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.waitForURL(`${line.url}/`);
    expect(await cacheNames(page, 'sheaf-shared')).toEqual([]);
    other.close();
    const direct = await fetch(`${sheaf.url}/share`, { method: 'POST', body: new FormData(), redirect: 'manual' });
    expect([direct.status, direct.headers.get('location')]).toEqual([303, '/share']);
  });
});

function through(sheaf: SheafProcess, line: BuildProxy): SheafProcess {
  const signInLink = async (userId?: string): Promise<string> =>
    (await sheaf.signInLink(userId)).replace(sheaf.url, line.url);
  return { ...sheaf, url: line.url, signInLink };
}

function cacheNames(page: Page, prefix: string): Promise<string[]> {
  return page.evaluate(async (start) => (await caches.keys()).filter((name) => name.startsWith(start)), prefix);
}

function cachedUrls(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return all.flat().map(({ url }) => new URL(url).pathname);
  });
}

/** Returns the operations whose answers are kept. */
async function keptReads(page: Page): Promise<string[]> {
  return (await cachedUrls(page)).flatMap((path) => /^\/kept\/(\w+\/\w+)\//.exec(path)?.[1] ?? []);
}

/** Returns all kept answers, or those to one operation, as one text. */
function keptText(page: Page, operation = ''): Promise<string> {
  return page.evaluate(async (part) => {
    const texts: string[] = [];
    for (const name of await caches.keys()) {
      if (name.startsWith('sheaf-build-')) continue;
      const cache = await caches.open(name);
      for (const key of await cache.keys())
        if (key.url.includes(part)) texts.push((await (await cache.match(key))?.text()) ?? '');
    }
    return texts.join('\n');
  }, operation);
}

/** Returns the files that a page loaded whose names do not contain `part`. */
function foreignFiles(page: Page, part: string): Promise<string[]> {
  return page.evaluate(
    (own) =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => /\/assets\/.*\.(js|css|woff2)$/.test(name) && !name.includes(own)),
    part,
  );
}

/** Sends what the browser sends when the user picks the page in another app's list of share targets. */
function share(page: Page, texts: Record<string, string>, file?: { name: string; text: string }): Promise<void> {
  return page.evaluate(
    ([fields, given]) => {
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: '/share', enctype: 'multipart/form-data' });
      for (const [name, value] of Object.entries(fields)) {
        const input = document.createElement('input');
        Object.assign(input, { type: 'hidden', name, value });
        form.append(input);
      }
      if (given) {
        const input = document.createElement('input');
        Object.assign(input, { type: 'file', name: 'files' });
        const transfer = new DataTransfer();
        transfer.items.add(new File([given.text], given.name, { type: 'text/plain' }));
        input.files = transfer.files;
        form.append(input);
      }
      document.body.append(form);
      form.submit();
    },
    [texts, file] as const,
  );
}
