import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer, type ViteDevServer } from 'vite';
import { openBrowser, type TestBrowser } from '@sheaf/tools/testing/browser.ts';

const folder = fileURLToPath(new URL('../../../../examples/engine-in-a-page', import.meta.url));

describe('[finding A7] the example of the engine alone in a page', () => {
  let vite: ViteDevServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    vite = await createServer({
      root: folder,
      configFile: false,
      logLevel: 'error',
      server: { host: '127.0.0.1', port: 0 },
    });
    await vite.listen();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await vite.close();
  });

  test('computes when it opens and after each change', async () => {
    const page = await browser.open();
    await page.goto(vite.resolvedUrls!.local[0]!);
    const payment = page.locator('#payment');
    await expect.poll(() => payment.textContent()).toBe('1,158.73');
    await page.fill('#rate', '0');
    await expect.poll(() => payment.textContent()).toBe('1,000.00');
  });
});
