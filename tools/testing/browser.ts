/**
 * A real browser on a real server, for end-to-end tests.
 *
 *   const sheaf = await startSheaf();                 // the built product on a free port, with an empty folder
 *   const browser = await openBrowser();
 *   const page = await browser.signedIn(sheaf);       // through the one-time link, as its owner
 *   await takeScreenshot(page, 'home');               // written to test-results/
 *   browser.expectClean();                            // no console error, no failed request
 */
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { call, createClient, type Client } from '@sheaf/client';
import { requireChromium } from '../chromium.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const results = join(root, 'test-results');

export interface SheafProcess {
  readonly url: string;
  readonly credentials: { client_id: string; api_key: string; user_id: string };
  readonly client: Client;
  /** Creates a one-time sign-in link for a user, by default the owner. */
  signInLink(userId?: string): Promise<string>;
  /** Kills the process without shutdown, like a power failure. The data folder stays. */
  cut(): Promise<void>;
  /** Starts the server again with the same address and data folder. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function startSheaf(env: Record<string, string> = {}): Promise<SheafProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-e2e-'));
  let { child, url } = await serve(folder, '0', env);
  const credentials = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8')) as SheafProcess['credentials'];
  const options = { url, clientId: credentials.client_id, apiKey: credentials.api_key };
  return {
    url,
    credentials,
    client: createClient(options),
    async signInLink(userId) {
      const { data } = await call(
        options,
        'account',
        'create_sign_in_link',
        userId === undefined ? {} : { user_id: userId },
      );
      return url + String(data['sign_in_path']);
    },
    cut: () => end(child, 'SIGKILL'),
    async start() {
      if (child.exitCode === null && child.signalCode === null) return;
      ({ child, url } = await serve(folder, new URL(url).port, env));
    },
    async stop() {
      await end(child, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function serve(
  folder: string,
  port: string,
  env: Record<string, string>,
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [join(root, 'tools', 'sheaf.mjs'), 'serve'], {
    env: {
      ...process.env,
      SHEAF_DATA: folder,
      SHEAF_PORT: port,
      SHEAF_HOST: '127.0.0.1',
      SHEAF_LOG_LEVEL: 'error',
      SHEAF_RATE_LIMIT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const ready = /ready at (\S+)/.exec(text);
      if (ready?.[1]) resolve(ready[1]);
    });
    child.on('exit', (code) => reject(new Error(`the server ended with code ${code}`)));
  });
  return { child, url };
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}

export interface TestBrowser {
  /** Opens a page in a new browser profile. */
  open(options?: BrowserContextOptions): Promise<Page>;
  signedIn(sheaf: SheafProcess, options?: BrowserContextOptions & { userId?: string }): Promise<Page>;
  /** Returns the errors of all pages since the last call, and clears them. */
  takeFaults(): string[];
  expectClean(): void;
  close(): Promise<void>;
}

/** Browser shared by all tests of the process, because starting one is slow. */
let launched: Promise<Browser> | undefined;

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: requireChromium(),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export async function openBrowser(): Promise<TestBrowser> {
  const browser = await (launched ??= launch());
  const contexts: BrowserContext[] = [];
  let faults: string[] = [];
  const open: TestBrowser['open'] = async (options) => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      acceptDownloads: true,
      permissions: ['clipboard-read', 'clipboard-write'],
      // Block service workers, because Playwright can neither intercept nor delay requests that pass through one.
      // offline.test.ts overrides this, and SHEAF_SERVICE_WORKER=1 allows them in all tests.
      serviceWorkers: process.env['SHEAF_SERVICE_WORKER'] === '1' ? 'allow' : 'block',
      ...options,
    });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`console: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      // The page itself aborts some requests, e.g. an outdated search; those are not failures.
      if (reason !== 'net::ERR_ABORTED') faults.push(`failed: ${request.method()} ${request.url()} ${reason}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) faults.push(`status ${response.status()}: ${response.url()}`);
    });
    return page;
  };
  const takeFaults = (): string[] => {
    const taken = faults;
    faults = [];
    return taken;
  };
  return {
    open,
    async signedIn(sheaf, { userId, ...options } = {}) {
      const page = await open(options);
      await openSignInLink(page, await sheaf.signInLink(userId));
      await page.getByRole('navigation', { name: 'Main' }).first().waitFor({ state: 'attached' });
      return page;
    },
    takeFaults,
    expectClean() {
      expect(takeFaults()).toEqual([]);
    },
    async close() {
      for (const context of contexts.splice(0)) await context.close();
    },
  };
}

export async function openSignInLink(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.locator('form[action="/sign-in"] button').click();
}

export async function takeScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(results, { recursive: true });
  await page.screenshot({ path: join(results, `${name}.png`) });
}
