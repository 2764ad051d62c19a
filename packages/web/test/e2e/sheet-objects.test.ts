import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { described, describedWorkbook } from '@sheaf/tools/testing/xlsx/described-workbook.ts';
import { journey } from './journey.ts';
import { orders, panelsOf } from './panels.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('charts and images of a spreadsheet', async () => {
  const { sheaf, browser, folder } = await journey();
  const page = await browser.signedIn(sheaf, { viewport: { width: 1440, height: 900 } });
  const panels = panelsOf(sheaf, page);

  test('a chart is inserted from the selection, moved, resized, edited and deleted', async () => {
    const made = await panels.open();
    await panels.select('A1:C6');
    await panels.tool('Insert chart').click();
    const panel = page.getByRole('complementary', { name: 'Chart' });
    expect(await panel.getByRole('group', { name: 'Type' }).getByRole('button').count()).toBe(22);
    await takeScreenshot(page, 'sheet-chart-types');
    await panel.getByRole('button', { name: 'Columns', exact: true }).click();
    const frame = page
      .getByRole('group', { name: /^Chart/ })
      .locator('visible=true')
      .first();
    await frame.waitFor();
    const picture = frame.getByRole('img');
    await expect.poll(() => picture.getAttribute('aria-label')).toContain('units: 12, 7, 9, 15, 4');
    const chart = async () => (await sheaf.client.sheet.get_charts(made)).charts[0]!;
    expect(await chart()).toMatchObject({
      chart_type: 'CHART_CLUSTERED_COLUMN',
      data_range: { start_row: 0, start_col: 0, end_row: 5, end_col: 2 },
    });

    const before = (await frame.boundingBox())!;
    await page.mouse.move(before.x + 60, before.y + before.height - 20);
    await page.mouse.down();
    await page.mouse.move(before.x - 40, before.y + before.height + 80, { steps: 5 });
    await page.mouse.up();
    await expect.poll(async () => (await frame.boundingBox())!.y - before.y).toBeCloseTo(100, 0);
    await expect.poll(async () => (await chart()).location.row_index).toBeGreaterThan(0);
    const moved = (await frame.boundingBox())!;
    await page.mouse.move(moved.x + moved.width, moved.y + moved.height);
    await page.mouse.down();
    await page.mouse.move(moved.x + moved.width + 50, moved.y + moved.height + 30, { steps: 5 });
    await page.mouse.up();
    await expect.poll(async () => (await chart()).location).toMatchObject({ width: 530, height: 330 });
    await frame.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(async () => (await chart()).location.width).toBe(520);

    await panel.getByLabel('Title').first().fill('Units by month');
    await panel.getByLabel('Title').first().press('Enter');
    await expect.poll(async () => (await chart()).title).toBe('Units by month');
    await panel.getByRole('button', { name: 'Lines', exact: true }).click();
    await expect.poll(async () => (await chart()).chart_type).toBe('CHART_LINE');
    await panel.getByLabel('Data range').fill('A1:A6');
    await panel.getByLabel('Data range').fill('B1:C6');
    await panel.getByLabel('Data range').press('Enter');
    await expect
      .poll(async () => (await chart()).data_range)
      .toEqual({ start_row: 0, start_col: 1, end_row: 5, end_col: 2 });
    await panel.getByText('Legend', { exact: true }).click();
    await panel.getByLabel('Show the legend').check();
    await panel.getByLabel('Position').selectOption('right');
    await expect
      .poll(async () => JSON.parse((await chart()).options_json).legend)
      .toEqual({ visible: true, position: 'right' });
    await takeScreenshot(page, 'sheet-chart-edit');
    await panel.getByRole('button', { name: 'Delete chart' }).click();
    await frame.waitFor({ state: 'detached' });
    expect((await sheaf.client.sheet.get_charts(made)).charts).toEqual([]);
    browser.expectClean();
  });

  test('a chart that is resized again while the answer to the first time is on its way goes on from there', async () => {
    const made = await panels.open();
    await sheaf.client.sheet.add_chart({
      ...made,
      chart_type: 'CHART_LINE',
      data_range: { start_row: 0, start_col: 1, end_row: 5, end_col: 2 },
      drawing_id: 'c1',
      title: 'Slow',
      location: { row_index: 8, col_index: 1, width: 480, height: 300 },
    });
    const frame = page.getByRole('group', { name: 'Chart: Slow' });
    await frame.waitFor();
    const width = async () => (await sheaf.client.sheet.get_charts(made)).charts[0]!.location.width;
    const gates = ['get_charts', 'update_chart'].map((tool) => {
      let open = (): void => {};
      const gate = { tool, asked: 0, isHeld: false, opened: new Promise<void>((resolve) => (open = resolve)), open };
      return gate;
    });
    const [reading, writing] = gates as [(typeof gates)[0], (typeof gates)[0]];
    for (const gate of gates)
      await page.route(`**/sheet/v1/${gate.tool}`, async (route) => {
        gate.asked += 1;
        if (gate.isHeld) await gate.opened;
        await route.continue().catch(() => undefined);
      });
    await frame.focus();
    const widen = async (by: number): Promise<void> => {
      const box = (await frame.boundingBox())!;
      await page.mouse.move(box.x + box.width, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width + by, box.y + box.height / 2, { steps: 3 });
      await page.mouse.up();
    };
    reading.isHeld = true;
    await widen(10);
    await expect.poll(() => reading.asked).toBeGreaterThan(0);
    expect(await width()).toBe(490);
    writing.isHeld = true;
    await widen(30);
    await expect.poll(() => writing.asked).toBe(2);
    // A response from before the second resize arrives now; it must not override the sizes already sent.
    const read = page.waitForResponse('**/sheet/v1/get_charts');
    reading.isHeld = false;
    reading.open();
    await (await read).finished();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))));
    await page.keyboard.press('Shift+ArrowLeft');
    writing.isHeld = false;
    writing.open();
    await expect.poll(width).toBe(510);
    await expect.poll(async () => (await frame.boundingBox())!.width).toBe(510);
    for (const { tool } of gates) await page.unroute(`**/sheet/v1/${tool}`);
    browser.expectClean();
  });

  test('all types of charts are drawn', async () => {
    const made = await panels.open('day,open,high,low,close\n1,4,6,3,5\n2,5,8,4,7\n3,7,9,5,6\n4,6,7,2,3\n');
    const kinds = [
      'AREA',
      'AREA_3D',
      'STACKED_AREA',
      'PERCENT_STACKED_AREA',
      'LINE',
      'LINE_3D',
      'STACKED_LINE',
      'HIGH_LOW_CLOSE_STOCK',
      'RADAR',
      'SCATTER',
      'PIE',
      'CLUSTERED_BAR',
      'CLUSTERED_COLUMN',
      'BUBBLE',
      'CUSTOM_COMBO',
      'REGION_MAP',
      'TREEMAP',
    ] as const;
    for (const [index, kind] of kinds.entries()) {
      const location = {
        row_index: Math.floor(index / 6) * 9 + 6,
        col_index: (index % 6) * 2,
        width: 195,
        height: 230,
      };
      await sheaf.client.sheet.add_chart({
        ...made,
        chart_type: `CHART_${kind}`,
        data_range: { start_row: 0, start_col: 0, end_row: 4, end_col: 4 },
        drawing_id: `c${index}`,
        title: kind,
        location,
      });
    }
    await expect.poll(() => page.locator('[data-object-frame] [role=img]').count(), { timeout: 20_000 }).toBe(17);
    const blank = (): Promise<number> =>
      page.locator('[data-object-frame] canvas').evaluateAll(
        (all) =>
          all.filter((one) => {
            const canvas = one as HTMLCanvasElement;
            const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
            return !data.some((value) => value !== 0);
          }).length,
      );
    await expect.poll(blank).toBe(0);
    await takeScreenshot(page, 'sheet-chart-all');
    browser.expectClean();
  });

  test('an agent adds a chart and changes its data in an open sheet; the chart follows', async () => {
    const made = await panels.open();
    await panels.agent('sheet_add_chart', {
      ...made,
      chart_type: 'CHART_CLUSTERED_COLUMN',
      data_range: { start_row: 0, start_col: 1, end_row: 5, end_col: 2 },
      drawing_id: 'live',
      title: 'By the agent',
    });
    const frame = page.getByRole('group', { name: 'Chart: By the agent' });
    await frame.waitFor();
    const picture = frame.getByRole('img');
    await expect.poll(() => picture.getAttribute('aria-label')).toBe('Columns. By the agent. units: 12, 7, 9, 15, 4');
    const pixels = (): Promise<string> =>
      frame
        .locator('canvas')
        .first()
        .evaluate((one) => (one as HTMLCanvasElement).toDataURL());
    const before = await pixels();
    await panels.agent('sheet_set_cell_value', { ...made, row: 1, col: 2, value_type: 'NUMBER', number_value: 90 });
    await expect.poll(() => picture.getAttribute('aria-label')).toBe('Columns. By the agent. units: 90, 7, 9, 15, 4');
    await expect.poll(async () => (await pixels()) === before).toBe(false);
    await takeScreenshot(page, 'sheet-chart-live');
    await panels.agent('sheet_delete_chart', { ...made, drawing_id: 'live' });
    await frame.waitFor({ state: 'detached' });
    browser.expectClean();
  });

  test('an image is put in, moved by keys and deleted', async () => {
    const made = await panels.open();
    const file = join(folder, 'dot.png');
    writeFileSync(file, png);
    await panels.select('F3');
    await panels.tool('Insert image').click();
    await page.getByLabel('Choose an image, or drop one here').setInputFiles(file);
    const images = async () => (await sheaf.client.sheet.get_images(made)).images;
    await expect
      .poll(async () => (await images()).map((one) => [one.location.row_index, one.location.col_index]))
      .toEqual([[2, 5]]);
    const frame = page.getByRole('group', { name: 'Image 1' });
    await frame.focus();
    for (let step = 0; step < 8; step++) await page.keyboard.press('Shift+ArrowDown');
    for (let step = 0; step < 8; step++) await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(async () => (await images())[0]!.location).toMatchObject({ width: 104, height: 94 });
    await expect.poll(() => frame.getByRole('img').evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(1);
    await takeScreenshot(page, 'sheet-image');
    await frame.focus();
    await page.keyboard.press('Delete');
    await frame.waitFor({ state: 'detached' });
    expect(await images()).toEqual([]);
    browser.expectClean();
  });

  test('[finding X21] controls and text boxes of an imported file are gray boxes, a picture in a cell is drawn', async () => {
    const bytes = describedWorkbook({ ...described, columns: '', features: ['textBox', 'control', 'cellPicture'] });
    const content = Buffer.from(bytes).toString('base64');
    const { file_id } = await sheaf.client.manage.import_file({ title: 'With controls', content, format: 'xlsx' });
    const { sheets } = await sheaf.client.sheet.get_sheet_info({ file_id });
    await page.goto(`${sheaf.url}/sheet/${file_id}?tab=${sheets[1]!.sheet_id}`);
    await page.getByRole('img', { name: 'Form control: Start' }).waitFor();
    await page.getByRole('img', { name: /^Shape: Read me/ }).waitFor();
    await panels.select('H50');
    const picture = page.getByRole('img', { name: 'A dot' }).first();
    await expect.poll(() => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(1);
    await takeScreenshot(page, 'sheet-kept-objects');
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('img', { name: 'A dot' }).and(page.locator(':visible')).count()).toBe(0);
    browser.expectClean();
  });

  test('on a phone a chart and its panel are readable', async () => {
    const made = await panels.make(orders, 'Pocket orders');
    await sheaf.client.sheet.add_chart({
      ...made,
      chart_type: 'CHART_CLUSTERED_COLUMN',
      data_range: { start_row: 0, start_col: 1, end_row: 5, end_col: 2 },
      drawing_id: 'c1',
      title: 'Units',
      location: { row_index: 8, col_index: 0, width: 300, height: 220 },
    });
    const phone = await browser.signedIn(sheaf, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark',
    });
    await phone.goto(`${sheaf.url}/sheet/${made.file_id}`);
    await phone.getByRole('group', { name: 'Chart: Units' }).waitFor();
    await expect.poll(() => phone.locator('[data-object-frame] canvas').count()).toBe(1);
    expect(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await takeScreenshot(phone, 'sheet-phone');
    browser.expectClean();
  });
});
