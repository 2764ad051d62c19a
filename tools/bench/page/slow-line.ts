import type { BrowserContext } from 'playwright-core';
import { atMost, type Row } from '../measure/figures.ts';
import type { AuditedPage } from './audited-pages.ts';

/** A slow mobile line: 1.6 Mbit/s in each direction, 300 ms until each answer. */
const bytesPerSecond = (1.6 * 1_000_000) / 8;
const latencyMs = 300;
const goalSeconds = 5;
const names = ['home', 'base', 'notes', 'note', 'sheets'];

/** Measures how long main pages take on a slow line, on a first visit with nothing cached, until they can be read. */
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
