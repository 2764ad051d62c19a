import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import type { Row } from '../measure/report.ts';

const kB = 1000;
const maxFirst = 170 * kB;
const maxGrid = 60 * kB;

type Sizes = ReadonlyMap<string, number>;

export interface Address {
  readonly name: string;
  readonly url: string;
  readonly ready: string;
}

/**
 * Measures the scripts that a browser fetches for a URL without a cache, by gzip size: `first` are those that the document
 * names and the translations, needed for the first paint; `later` are those fetched afterwards.
 */
async function scriptsOf(
  context: BrowserContext,
  root: string,
  address: Address,
): Promise<{ first: Sizes; later: Sizes }> {
  const page = await context.newPage();
  const names = new Set<string>();
  page.on('request', (request) => {
    const name = /\/assets\/([\w.-]+\.js)$/.exec(new URL(request.url()).pathname)?.[1];
    if (name !== undefined) names.add(name);
  });
  const document = await (await page.goto(address.url))!.text();
  await page.locator(address.ready).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.close();
  const isFirst = (name: string): boolean => document.includes(name) || /^(en|zh)-/.test(name);
  const sized = (some: readonly string[]): Sizes => new Map(some.map((name) => [name, sizeOf(root, name)]));
  return {
    first: sized([...names].filter(isFirst)),
    later: sized([...names].filter((name) => !isFirst(name))),
  };
}

function sizeOf(root: string, name: string): number {
  const path = join(root, 'dist', 'web', 'assets', name);
  return statSync(`${path}.gz`, { throwIfNoEntry: false })?.size ?? statSync(path).size;
}

function total(sizes: Sizes): number {
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

function without(sizes: Sizes, known: Sizes): Sizes {
  return new Map([...sizes].filter(([name]) => !known.has(name)));
}

function show(bytes: number): string {
  return `${(bytes / kB).toFixed(1)} kB`;
}

/** Measures every page as a first visit, and what a spreadsheet adds to the first one. */
export async function measure(
  context: BrowserContext,
  root: string,
  pages: readonly Address[],
  sheet: Address,
): Promise<Row[]> {
  const rows: Row[] = [];
  let home: Sizes | undefined;
  for (const page of pages) {
    const { first, later } = await scriptsOf(context, root, page);
    home ??= first;
    rows.push({
      what: `first load: ${page.name}`,
      value: show(total(first)) + (later.size === 0 ? '' : `, then ${show(total(later))}`),
      goal: `<= ${maxFirst / kB} kB`,
      met: total(first) <= maxFirst,
    });
  }
  const opened = await scriptsOf(context, root, sheet);
  const grid = total(without(opened.first, home!));
  const newest = newestOf(root, /^draw-[\w-]+\.js$/).slice(0, 1);
  return [
    ...rows,
    {
      what: 'opening a spreadsheet adds: grid',
      value: show(grid),
      goal: `<= ${maxGrid / kB} kB`,
      met: grid <= maxGrid,
    },
    { what: 'opening a spreadsheet adds: panels, after the grid', value: show(total(without(opened.later, home!))) },
    ...newest.map((name) => ({ what: 'with the first chart', value: show(sizeOf(root, name)) })),
  ];
}

/** The folder may still hold files of earlier builds, so newest first. */
function newestOf(root: string, pattern: RegExp): string[] {
  const folder = join(root, 'dist', 'web', 'assets');
  const time = (name: string): number => statSync(join(folder, name)).mtimeMs;
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort((a, b) => time(b) - time(a));
}
