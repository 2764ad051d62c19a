import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import type { Row } from '../report.ts';

const kB = 1000;

/** The scripts a browser fetches for an address, without a cache, by the size they are sent with gzip. */
async function scriptsOf(
  context: BrowserContext,
  root: string,
  url: string,
  ready: string,
): Promise<Map<string, number>> {
  const page = await context.newPage();
  const names = new Set<string>();
  page.on('request', (request) => {
    const name = /\/assets\/([\w.-]+\.js)$/.exec(new URL(request.url()).pathname)?.[1];
    if (name !== undefined) names.add(name);
  });
  await page.goto(url);
  await page.locator(ready).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.close();
  return new Map([...names].map((name) => [name, sizeOf(root, name)]));
}

function sizeOf(root: string, name: string): number {
  const path = join(root, 'dist', 'web', 'assets', name);
  return statSync(`${path}.gz`, { throwIfNoEntry: false })?.size ?? statSync(path).size;
}

export async function measure(
  context: BrowserContext,
  root: string,
  addresses: { home: string; sheet: string },
): Promise<Row[]> {
  const home = await scriptsOf(context, root, addresses.home, 'main h1');
  const sheet = await scriptsOf(context, root, addresses.sheet, 'canvas');
  const total = (sizes: Iterable<number>): number => [...sizes].reduce((sum, size) => sum + size, 0);
  const first = total(home.values());
  const added = [...sheet].filter(([name]) => !home.has(name));
  const isPanels = ([name]: [string, number]): boolean => name.startsWith('panels-');
  const grid = total(added.filter((one) => !isPanels(one)).map(([, size]) => size));
  const panels = total(added.filter(isPanels).map(([, size]) => size));
  const charts = readdirSync(join(root, 'dist', 'web', 'assets')).filter((name) => /^draw-[\w-]+\.js$/.test(name));
  const newest = charts.sort(
    (a, b) =>
      statSync(join(root, 'dist', 'web', 'assets', b)).mtimeMs -
      statSync(join(root, 'dist', 'web', 'assets', a)).mtimeMs,
  )[0];
  const show = (bytes: number): string => `${(bytes / kB).toFixed(0)} kB`;
  return [
    { what: 'first load: script, gzip', value: show(first), goal: '< 250 kB', met: first < 250 * kB },
    { what: 'opening a spreadsheet adds: grid', value: show(grid), goal: '< 150 kB', met: grid < 150 * kB },
    { what: 'opening a spreadsheet adds: panels, after the grid', value: show(panels) },
    ...(newest === undefined ? [] : [{ what: 'with the first chart', value: show(sizeOf(root, newest)) }]),
  ];
}
