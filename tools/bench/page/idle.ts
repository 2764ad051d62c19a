import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { atMost, type Row } from '../measure/figures.ts';
import type { AuditedPage } from './audited-pages.ts';

const maxBytesPerHour = 50_000;
const wanted = ['home', 'note', 'spreadsheet', 'base'];
/** Time without input after which a page stops polling (`pauseAfterMs` of the web application), plus a margin. */
const untilRestMs = 7 * 60_000;
const minuteMs = 60_000;

/** Starts a proxy to the server that counts the bytes of both directions. */
async function startByteCounter(url: string): Promise<{ url: string; bytes: () => number; close: () => void }> {
  const target = new URL(url);
  let bytes = 0;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      from.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        to.write(chunk);
      });
      from.on('error', () => undefined).on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = new URL(url);
  own.port = String((server.address() as { port: number }).port);
  return { url: own.origin, bytes: () => bytes, close: () => server.close() };
}

/**
 * Measures the bytes per hour that an open but unused page transfers. The page's clock is advanced by an hour, so that
 * its timers run within a minute. Traffic started by the server is measured for one minute and extrapolated.
 */
export async function measureIdlePages(
  context: BrowserContext,
  serverUrl: string,
  pages: readonly AuditedPage[],
): Promise<Row[]> {
  const counter = await startByteCounter(serverUrl);
  const rows: Row[] = [];
  try {
    for (const { name, url, ready } of pages.filter((page) => wanted.includes(page.name))) {
      const page = await context.newPage();
      await page.clock.install();
      await page.goto(url.replace(serverUrl, counter.url));
      await ready(page);
      await page.clock.runFor(untilRestMs);
      await page.waitForLoadState('networkidle');
      const before = counter.bytes();
      await sleep(minuteMs);
      const perMinute = counter.bytes() - before;
      const startedAt = performance.now();
      const beforeHour = counter.bytes();
      for (let minute = 0; minute < 60; minute++) {
        await page.clock.runFor(minuteMs);
        await sleep(200);
      }
      await sleep(2000);
      // Subtract the traffic that the server started during the simulated hour. It is estimated from `perMinute`, which
      // was measured before that hour.
      const byTimers = counter.bytes() - beforeHour - (perMinute * (performance.now() - startedAt)) / minuteMs;
      const perHour = 60 * perMinute + Math.max(0, byTimers);
      rows.push(atMost(`${name}: bytes an hour`, perHour, maxBytesPerHour, `${(perHour / 1000).toFixed(1)} kB`));
      await page.close();
    }
  } finally {
    counter.close();
  }
  return rows;
}
