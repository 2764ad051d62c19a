import { chromium } from 'playwright-core';
import { requireChromium } from '../chromium.mjs';
import { report } from './measure/figures.ts';
import { startServer } from './measure/servers.ts';
import { measureScrolling } from './page/scrolling.ts';
import { measureSlowProcessor } from './page/slow-processor.ts';

/**
 * Measures the responsiveness of the built web page in a real browser. `keys` measures the time from a key press to the
 * paint, and the time to open panels, with the processor slowed down four times. `scrolling` measures the script time
 * of scrolling through 100,000 rows, and compares it with another built checkout of this repository in FOLDER.
 *
 *    npm run bench -- page-speed [keys | scrolling [FOLDER]]
 */
export async function run([part, checkout]: readonly string[] = []): Promise<void> {
  const browser = await chromium.launch({
    executablePath: requireChromium(),
    args: ['headless', 'no-sandbox', 'disable-gpu', 'no-first-run'].map((flag) => `--${flag}`),
  });
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    if (part !== 'scrolling') {
      const server = await startServer();
      try {
        const page = await context.newPage();
        await page.goto(server.url + (await server.client.account.create_sign_in_link({})).sign_in_path);
        await page.locator('form[action="/sign-in"] button').click();
        await page.waitForURL(`${server.url}/`);
        await page.close();
        const { file_id, sheet_id } = await server.client.manage.create_file({ title: 'Small' });
        await server.client.sheet.set_range_value_by_csv({ file_id, sheet_id, csv_data: 'month,spent\nJan,98\n' });
        const sheet = `${server.url}/sheet/${file_id}`;
        report('page, processor slowed 4 times', await measureSlowProcessor(context, server, sheet));
      } finally {
        await server.stop();
      }
    }
    if (part !== 'keys') report('page, 100,000 rows', await measureScrolling(context, checkout));
  } finally {
    await browser.close();
  }
}
