import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';

const browserPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export interface OpenBrowser {
  readonly context: BrowserContext;
  /** Debugging port, through which other tools can drive the same browser. */
  readonly port: number;
  close(): Promise<void>;
}

/** Opens a browser with one profile for all measurements, so that the session stays signed in. */
export async function openBrowser(): Promise<OpenBrowser> {
  const executablePath = process.env['SHEAF_CHROMIUM'] ?? browserPaths.find((place) => existsSync(place));
  if (executablePath === undefined)
    throw new Error('there is no chromium: apt-get install chromium, or set SHEAF_CHROMIUM');
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-browser-'));
  const port = await freePort();
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    viewport: { width: 1280, height: 800 },
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--remote-debugging-port=${port}`,
      '--enable-precise-memory-info',
      '--js-flags=--expose-gc',
    ],
  });
  return {
    context,
    port,
    close: async () => {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
