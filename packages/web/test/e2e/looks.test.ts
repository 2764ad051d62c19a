/** [finding P9] Elements that are the same on every page, and metadata for other programs. */
import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

describe('the looks of the page', async () => {
  const { sheaf, browser } = await journey();

  test('[finding P9] titles and primary buttons stand in the same place; nothing to be read is smaller than 12 pixels', async () => {
    await sheaf.client.note.import_doc({ content_format: 1, content: '# Note\n\ntext' });
    await sheaf.client.manage.create_file({ title: 'Sheet' });
    const page = await browser.signedIn(sheaf, { viewport: { width: 1440, height: 900 } });
    const titles: { left: number; top: number }[] = [];
    const buttons: number[] = [];
    for (const path of ['/', '/wiki', '/sheet', '/account']) {
      await page.goto(sheaf.url + path);
      await page.locator('main h1').waitFor();
      const box = (await page.locator('main h1').boundingBox())!;
      titles.push({ left: Math.round(box.x), top: Math.round(box.y) });
      if (path === '/account') continue;
      const primary = page.locator('main header button.bg-accent, main header a.bg-accent').last();
      const place = (await primary.boundingBox())!;
      buttons.push(Math.round(place.x + place.width));
      const sizes = await page
        .locator('main :is(span, time, p, a, button)')
        .evaluateAll((all) =>
          all
            .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim() !== ''))
            .map((one) => Number.parseFloat(getComputedStyle(one).fontSize)),
        );
      expect(Math.min(...sizes), path).toBeGreaterThanOrEqual(12);
      await takeScreenshot(page, `looks${path.replaceAll('/', '-')}`);
    }
    expect(new Set(titles.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(new Set(buttons).size).toBe(1);
    browser.expectClean();
  });

  test('[finding P9] a document is shared by a button that is seen, with names to choose from', async () => {
    await sheaf.client.account.create_user({ name: 'mila' });
    const { file_id } = await sheaf.client.manage.create_file({ title: 'Shared' });
    const page = await browser.signedIn(sheaf);
    await page.goto(`${sheaf.url}/sheet/${file_id}`);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('User name').click();
    await dialog.getByRole('option', { name: 'mila' }).waitFor();
    await dialog.getByLabel('User name').fill('mila');
    await dialog.getByLabel('Role', { exact: true }).selectOption('write');
    await takeScreenshot(page, 'sheet-share');
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    await dialog.getByLabel('Role of mila').waitFor();
    const { members } = await sheaf.client.manage.query_file_info({ file_id });
    expect(members.map(({ name, role }) => `${name} ${role}`)).toContain('mila editor');
    browser.expectClean();
  });

  test('[finding P9] the page can be installed, and the documentation has its look', async () => {
    const manifest = await fetch(`${sheaf.url}/manifest.webmanifest`);
    expect(manifest.headers.get('content-type')).toContain('application/manifest+json');
    const { icons, start_url } = (await manifest.json()) as {
      icons: { src: string; type: string }[];
      start_url: string;
    };
    expect(start_url).toBe('/');
    for (const icon of icons) {
      const answer = await fetch(sheaf.url + icon.src);
      expect([answer.status, answer.headers.get('content-type')], icon.src).toEqual([200, icon.type]);
    }
    const page = await browser.open({ colorScheme: 'dark' });
    await page.goto(`${sheaf.url}/docs`);
    const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(ground).toBe('rgb(22, 23, 20)');
    await takeScreenshot(page, 'docs-dark');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    browser.expectClean();
  });
});
