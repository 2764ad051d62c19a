import type { BrowserContext } from 'playwright-core';
import { atMost, type Row } from '../measure/figures.ts';
import type { AuditedPage } from './audited-pages.ts';

/** A slow mobile connection: 1.6 Mbit/s in each direction, 300 ms latency. */
const bytesPerSecond = (1.6 * 1_000_000) / 8;
const latencyMs = 300;
const goalSeconds = 5;
const names = ['home', 'base', 'notes', 'note', 'sheets'];

/** Measures the time until the main pages are readable on a slow connection, with an empty cache. */
export async function measureSlowLine(context: BrowserContext, all: readonly AuditedPage[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, url, ready } of all.filter((one) => names.includes(one.name))) {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: latencyMs,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
    const begun = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await ready(page);
    rows.push(atMost(`${name}: seconds until it can be read`, (performance.now() - begun) / 1000, goalSeconds));
    await page.close();
  }
  return rows;
}
