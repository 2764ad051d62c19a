/** Room and order around the cells of a spreadsheet. */
import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';
import { orders, panelsOf } from './panels.ts';
import { newDocument, openSheet } from './sheet-page.ts';

const tools = [
  'Undo',
  'Font size',
  'Bold',
  'Text color',
  'Borders',
  'Align',
  'Freeze',
  'Insert chart',
  'Data',
  'Filter',
  'Pivot table',
  'Protected ranges',
  'Comments',
  'Find and replace',
  'History',
];

/** Returns the accessible names of the tool bar's buttons that are cut off at the window or covered by something. */
function cutOffTools(page: Page): Promise<string[]> {
  return page
    .getByRole('toolbar', { name: 'Format' })
    .getByRole('button')
    .evaluateAll((all) =>
      all
        .filter((one) => {
          const { x, y, width, height, right } = one.getBoundingClientRect();
          const at = document.elementFromPoint(x + width / 2, y + height / 2);
          return x < 0 || right > innerWidth || !(at && (one.contains(at) || at.contains(one)));
        })
        .map((one) => one.getAttribute('aria-label') ?? ''),
    );
}

describe('room and order in a spreadsheet', async () => {
  const { sheaf, browser } = await journey();

  test.each([1440, 1280, 1024, 768, 390])(
    '[finding P14] at %d pixels every tool is in the tool bar or under More',
    async (width) => {
      const page = await browser.signedIn(sheaf, { viewport: { width, height: 800 } });
      const panels = panelsOf(sheaf, page);
      const made = await panels.make(orders, `Width ${width}`);
      await page.goto(`${sheaf.url}/sheet/${made.file_id}`);
      const bar = page.getByRole('toolbar', { name: 'Format' });
      const more = bar.getByRole('button', { name: 'More', exact: true });
      await bar.getByRole('button', { name: 'History', exact: true }).or(more).first().waitFor();
      expect(await cutOffTools(page)).toEqual([]);
      if (width >= 1280) expect(await more.count()).toBe(0);
      if (width >= 1440) expect(await bar.getByText('History', { exact: true }).isVisible()).toBe(true);
      await takeScreenshot(page, `sheet-room-${width}`);
      if ((await more.count()) > 0) await more.click();
      const names = await bar
        .getByRole('button')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')!.replace(/( \(.*\)|: .*)$/, '')));
      expect(tools.filter((name) => !names.includes(name))).toEqual([]);
      expect(await cutOffTools(page)).toEqual([]);
      expect(await bar.getByRole('group').count()).toBe(9);
      if ((await more.count()) > 0) {
        await takeScreenshot(page, `sheet-room-${width}-more`);
        // A panel is opened from there, and Escape puts the rest away.
        await bar.getByRole('button', { name: 'Insert chart' }).press('Escape');
        await expect.poll(() => bar.getByText('Insert', { exact: true }).count()).toBe(0);
      }
      browser.expectClean();
    },
  );

  test('[finding P14] the side bar folds beside a spreadsheet, opens on request and stays so', async () => {
    const document = await newDocument(sheaf, 'Beside', [['start']]);
    const { page } = await openSheet(browser, sheaf, document);
    const nav = page.getByRole('navigation', { name: 'Main' });
    const width = async (): Promise<number> => (await nav.boundingBox())!.width;
    expect(await width()).toBeLessThan(60);
    await nav.getByRole('link', { name: 'Notes' }).waitFor();
    await nav.getByRole('button', { name: 'Unfold the side bar' }).click();
    await expect.poll(width).toBeGreaterThan(200);
    await page.reload();
    await page.locator('[data-grid-field]').waitFor();
    await expect.poll(width).toBeGreaterThan(200);
    await nav.getByRole('button', { name: 'Fold the side bar' }).click();
    await expect.poll(width).toBeLessThan(60);
    await nav.getByRole('link', { name: 'Notes' }).click();
    await expect.poll(width).toBeGreaterThan(200);
    browser.expectClean();
  });

  test('[finding P16] one flag tells what an agent wrote, covers no cell, shows it and undoes it', async () => {
    const { api_key } = await sheaf.client.account.create_key({ name: 'Claude' });
    const document = await newDocument(sheaf, 'Flagged', [['start']]);
    const sheet = await openSheet(browser, sheaf, document);
    const { page } = sheet;
    const write = async (range: string, rows: unknown[][]): Promise<void> => {
      const response = await fetch(`${sheaf.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${api_key}` },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'sheet_write', arguments: { file_id: document.file_id, range, rows } },
        }),
      });
      expect(await response.text()).not.toContain('"isError":true');
    };
    await write('B60:C61', [
      ['plum', 41],
      ['fig', 7],
    ]);
    await write('D60', [['third']]);
    const flag = page.locator('[data-mark="Claude"]');
    await flag.getByText('Claude, 5 cells').waitFor();
    expect(await flag.count()).toBe(1);
    const grid = (await page.locator('[data-grid]').boundingBox())!;
    const box = (await flag.boundingBox())!;
    expect(box.y + box.height).toBeLessThanOrEqual(grid.y);
    await takeScreenshot(page, 'sheet-flag');
    await flag.getByRole('button', { name: 'Show what Claude wrote' }).click();
    await sheet.shows('B60', 'plum');
    await flag.getByRole('button', { name: 'Undo what Claude wrote' }).click();
    await flag.waitFor({ state: 'detached' });
    await sheet.shows('B60', '');
    expect(await sheet.csv('B60:D61')).toBe('');
    expect(await sheet.csv('A1')).toBe('start\n');
    browser.expectClean();
  });

  test('[finding P16] a chart is placed where nothing is, beside its panel; a second one below the first', async () => {
    const page = await browser.signedIn(sheaf, { viewport: { width: 1440, height: 900 } });
    const panels = panelsOf(sheaf, page);
    await panels.open();
    await panels.select('A1:C6');
    await panels.tool('Insert chart').click();
    for (const count of [1, 2]) {
      const panel = page.getByRole('complementary', { name: 'Chart' });
      if (count === 2) await panel.getByRole('button', { name: 'New chart' }).click();
      await panel.getByRole('button', { name: 'Columns', exact: true }).click();
      await expect
        .poll(() =>
          page
            .getByRole('group', { name: /^Chart/ })
            .locator('visible=true')
            .count(),
        )
        .toBe(count);
      const grid = (await page.locator('[data-grid]').boundingBox())!;
      const side = (await panel.boundingBox())!;
      const boxes = await Promise.all(
        (
          await page
            .getByRole('group', { name: /^Chart/ })
            .locator('visible=true')
            .all()
        ).map((one) => one.boundingBox()),
      );
      for (const box of boxes) {
        // Four columns of 100 pixels are used, after the row headings.
        expect(box!.x).toBeGreaterThanOrEqual(grid.x + 44 + 400);
        expect(box!.x + box!.width).toBeLessThanOrEqual(side.x);
      }
      if (boxes.length === 2) {
        const [first, second] = boxes.toSorted((a, b) => a!.y - b!.y);
        expect(second!.y).toBeGreaterThanOrEqual(first!.y + first!.height);
      }
      await takeScreenshot(page, `sheet-chart-placed-${count}`);
    }
    browser.expectClean();
  });

  test('[finding P16] what is found keeps its colors, and the panel does not cover it on a phone', async () => {
    const document = await newDocument(
      sheaf,
      'Found',
      Array.from({ length: 60 }, (_, row) => [row === 50 ? 'needle' : `row ${row}`]),
    );
    const page = await browser.signedIn(sheaf, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await openSheet(browser, sheaf, document, page);
    const bar = page.getByRole('toolbar', { name: 'Format' });
    await bar.getByRole('button', { name: 'More' }).click();
    await bar.getByRole('button', { name: 'Find and replace' }).click();
    const panel = page.getByRole('complementary', { name: 'Find and replace' });
    await panel.getByLabel('Find', { exact: true }).fill('needle');
    await panel.getByText('1 found').waitFor();
    await panel.getByLabel('Find', { exact: true }).press('Enter');
    const hit = page.locator('[data-hit]').locator('visible=true');
    await hit.waitFor();
    const [found, side] = [(await hit.boundingBox())!, (await panel.boundingBox())!];
    expect(found.y + found.height).toBeLessThanOrEqual(side.y);
    expect(await hit.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
    await takeScreenshot(page, 'sheet-found-phone');
    browser.expectClean();
  });
});
