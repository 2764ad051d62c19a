import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

/** 180 KB of text that takes the lexer half a minute. */
const hostile = `- [ ] begin\n${'go on\n'.repeat(30_000)}`;
/** Exceeds the trial's time limit on any machine, but a text field handles it easily. */
const smaller = '- [ ] a\nb\n'.repeat(12_000);

describe('Markdown of somebody else', async () => {
  const { sheaf, browser } = await journey();
  const page = await browser.signedIn(sheaf);

  const imported = async (content: string): Promise<string> =>
    (await sheaf.client.note.import_doc({ content_format: 1, content })).note_id;
  const upload = async (name: string, content: string): Promise<string> => {
    const { knowledge_base_id: base } = await sheaf.client.wiki.create_knowledge_base({ name });
    const { media_id: id } = await sheaf.client.wiki.upload_knowledge({
      knowledge_base_id: base,
      file_name: name,
      content: Buffer.from(content).toString('base64'),
    });
    return `${sheaf.url}/wiki/${base}/item/${id}`;
  };
  /** Measures the longest time for which the page was blocked. */
  const watchStalls = async (on: Page): Promise<void> => {
    await on.addInitScript(() => {
      let last = performance.now();
      (window as unknown as { stall: number }).stall = 0;
      setInterval(() => {
        const at = performance.now();
        const held = window as unknown as { stall: number };
        held.stall = Math.max(held.stall, at - last);
        last = at;
      }, 20);
    });
  };
  const stall = (on: Page): Promise<number> => on.evaluate(() => (window as unknown as { stall: number }).stall);
  const sentence = 'This Markdown is too complex';

  test('[finding R3] a hostile file does not freeze the reader: it is shown as it is written, and says so', async () => {
    const address = await upload('hostile.md', hostile);
    const reader = await browser.signedIn(sheaf);
    await watchStalls(reader);
    await reader.goto(address);
    await reader.getByText(sentence).waitFor();
    await reader.locator('pre', { hasText: '- [ ] begin' }).waitFor();
    await takeScreenshot(reader, 'reader-too-involved');
    // Before the fix it took 25 s and more.
    expect(await stall(reader)).toBeLessThan(5000);
    await reader.close();
    browser.expectClean();
  });

  test('[finding R3] nor does a hostile note the editor, however it comes there', async () => {
    const id = await imported('# Calm\n\nplain');
    const writer = await browser.signedIn(sheaf);
    await watchStalls(writer);
    await writer.goto(`${sheaf.url}/notes/${id}`);
    await writer.locator('.ProseMirror[contenteditable=true]').getByText('plain').waitFor();
    // Stored as a draft, so that the server does not have to parse a hostile note.
    await writer.route('**/update_note', (route) => route.abort('internetdisconnected'));
    const draft = JSON.stringify({ baseVersion: 1, base: '# Calm\n\nplain', text: smaller });
    await writer.evaluate(([key, value]) => localStorage.setItem(key!, value!), [`sheaf.draft.${id}`, draft]);
    await writer.reload();
    await writer.getByText(sentence).first().waitFor();
    expect(await writer.locator('textarea').inputValue()).toBe(smaller);
    await writer.getByRole('button', { name: 'Text', exact: true }).click();
    await writer.getByRole('note').getByText(sentence).waitFor();
    await takeScreenshot(writer, 'note-too-involved');
    expect(await stall(writer)).toBeLessThan(5000);
    await writer.evaluate((key) => localStorage.removeItem(key), `sheaf.draft.${id}`);
    await writer.close({ runBeforeUnload: false });
    expect(browser.takeFaults().every((fault) => fault.includes('ERR_INTERNET_DISCONNECTED'))).toBe(true);
  });

  test('[finding R3] a text that only looks involved is tried, and reads as it is meant', async () => {
    const address = await upload(
      'long.md',
      `# Long\n\n${'A sentence with **strong** words.\n\n'.repeat(200)}- code\n\n${' '.repeat(40)}deep\n`,
    );
    await page.goto(address);
    await page.getByRole('heading', { name: 'Long' }).waitFor();
    await page.locator('strong').first().waitFor();
    expect(await page.getByText(sentence).count()).toBe(0);
    browser.expectClean();
  });

  test('[finding R4] opening shared Markdown fetches nothing of our own: nobody becomes somebody else', async () => {
    const { user } = await sheaf.client.account.create_user({ name: 'mallory' });
    const link = new URL(await sheaf.signInLink(user.user_id));
    const path = link.pathname + link.search;
    const elsewhere = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
    afterAll(() => elsewhere.close());
    await new Promise((resolve) => elsewhere.once('listening', resolve));
    const pictures = [
      path,
      `//${link.host}${path}`,
      link.href,
      `${'../'.repeat(6)}${path.slice(1)}`,
      link.href.replace('127.0.0.1', 'localhost'),
      `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/x.png`,
    ];
    const markdown = `# Pictures\n\nlook\n\n${pictures.map((address, index) => `![picture ${index}](${address})`).join('\n\n')}`;
    const html = `${markdown}\n\n<img src="${path}" alt="raw">`;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'image' && !request.url().startsWith('data:')) asked.push(request.url());
    });
    const whoAmI = async (): Promise<unknown> =>
      page.evaluate(
        async () =>
          (
            (await (
              await fetch('/openapi/account/v1/get_me', {
                method: 'POST',
                headers: { 'content-type': 'application/json' },
                body: '{}',
              })
            ).json()) as { data: { user_id: string } }
          ).data.user_id,
      );
    const me = await whoAmI();

    await page.goto(await upload('pictures.md', html));
    await page.getByRole('heading', { name: 'Pictures', exact: true }).waitFor();
    await expect.poll(() => page.locator('.prose img').count()).toBeGreaterThanOrEqual(pictures.length);
    await takeScreenshot(page, 'pictures-not-loaded');
    const id = await imported(markdown);
    const phone = await browser.signedIn(sheaf, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    phone.on('request', (request) => request.resourceType() === 'image' && asked.push(request.url()));
    await phone.goto(`${sheaf.url}/notes/${id}`);
    await expect.poll(() => phone.locator('.prose img').count()).toBe(pictures.length);
    await phone.close();
    await page.goto(`${sheaf.url}/notes/${id}`);
    await page.locator('.ProseMirror[contenteditable=true]').getByText('look').click();
    expect(await page.locator('.prose img[src]').count()).toBe(0);
    // The text keeps every address, even of images that are not loaded.
    await page.keyboard.press('End');
    await page.keyboard.type(' here');
    await expect
      .poll(async () => (await sheaf.client.note.export_note({ note_id: id, format: 'markdown' })).content)
      .toBe(markdown.replace('look', 'look here'));
    expect(asked.filter((address) => address.includes('sign-in'))).toEqual([]);
    expect(await whoAmI()).toBe(me);
    // The sign-in link was not used and is still valid.
    const response = await fetch(link, { redirect: 'manual' });
    expect(response.status).toBeLessThan(400);
    browser.takeFaults();
  });
});
