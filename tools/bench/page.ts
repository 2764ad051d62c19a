import { readFileSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type BrowserContext, type CDPSession, type Page } from 'playwright-core';
import { requireChromium } from '../chromium.mjs';
import {
  arePeersInstalled,
  atMost,
  importPeer,
  median,
  percentile,
  report,
  root,
  type Row,
} from './measure/figures.ts';
import { startServer, type Running } from './measure/servers.ts';
import { createAuditedPages, type AuditedPage } from './page/audited-pages.ts';
import { measureIdlePages } from './page/idle.ts';
import { measureSlowLine } from './page/slow-line.ts';

interface Session {
  context: BrowserContext;
  server: Running;
  /** URL of a small spreadsheet without charts. */
  sheet: string;
  pages: readonly AuditedPage[];
  /** Command line words that select the pages and the display modes (such as phone or dark) to check. */
  words: readonly string[];
  /** Debugging port of the browser, for tools such as Lighthouse. */
  port: number;
}

const parts = {
  sizes: measureSizes,
  axe: measureAxe,
  million: measureMillionRows,
  lighthouse: measureLighthouse,
  idle: measureIdle,
  line: ({ context, pages }: Session) => measureSlowLine(context, pages),
};

/**
 * Measures the built web page in a real browser: accessibility with axe on every page, Lighthouse scores of the main
 * pages, script sizes, scrolling a sheet of a million rows, pages on a slow connection, and the traffic of an idle
 * page. The goals are fixed values and not ratios, so a busy machine makes the results worse.
 *
 *    npm run bench -- page [sizes | axe | lighthouse | million | idle | line]...
 *    npm run bench -- page lighthouse note spreadsheet      only these pages
 *    npm run bench -- page axe phone dark base              only these modes and pages; Chinese is a mode too
 */
export async function run(args: readonly string[] = []): Promise<void> {
  const wanted = Object.entries(parts).filter(([name]) => args.includes(name));
  const executablePath = requireChromium();
  const server = await startServer();
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-browser-'));
  const flags = 'headless no-sandbox disable-gpu no-first-run disable-background-networking disable-component-update';
  // Use one browser profile for all measurements, so that the session stays signed in.
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    viewport: { width: 1280, height: 800 },
    // Block service workers, so that every page is measured as on a first visit.
    serviceWorkers: 'block',
    args: [
      ...flags.split(' ').map((flag) => `--${flag}`),
      '--disable-sync',
      '--remote-debugging-port=0',
      '--enable-precise-memory-info',
      '--js-flags=--expose-gc',
    ],
  });
  try {
    const port = Number((await readFile(join(folder, 'DevToolsActivePort'), 'utf8')).split('\n')[0]);
    const first = context.pages()[0] ?? (await context.newPage());
    await first.goto(server.url + (await server.client.account.create_sign_in_link({})).sign_in_path);
    await first.locator('form[action="/sign-in"] button').click();
    await first.waitForURL(`${server.url}/`);
    await first.locator('main').first().waitFor();
    const { file_id, sheet_id } = await server.client.manage.create_file({ title: 'Small' });
    await server.client.sheet.set_range_value_by_csv({ file_id, sheet_id, csv_data: 'month,spent\nJan,98\nFeb,141\n' });
    const words = args.filter((arg) => !(arg in parts));
    const sheet = `${server.url}/sheet/${file_id}`;
    const session = { context, server, sheet, pages: await createAuditedPages(server), words, port };
    for (const [name, measure] of wanted.length > 0 ? wanted : Object.entries(parts))
      report(`page, ${name}`, await measure(session));
  } finally {
    await context.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function measureIdle({ context, server, pages }: Session): Promise<Row[]> {
  return measureIdlePages(context, server.url, pages);
}

const assets = join(root, 'dist', 'web', 'assets');
type Sizes = ReadonlyMap<string, number>;

const gzipSize = (name: string): number =>
  statSync(join(assets, `${name}.gz`), { throwIfNoEntry: false })?.size ?? statSync(join(assets, name)).size;
const total = (sizes: Sizes): number => [...sizes.values()].reduce((sum, size) => sum + size, 0);
const without = (sizes: Sizes, known: Sizes): Sizes => new Map([...sizes].filter(([name]) => !known.has(name)));
const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/**
 * Measures the gzip size of the scripts that a page loads with an empty cache. `first` are the scripts and translations
 * needed for the first paint; `later` are those loaded afterwards.
 */
async function scriptsOf(
  context: BrowserContext,
  { url, ready }: Pick<AuditedPage, 'url' | 'ready'>,
): Promise<{ first: Sizes; later: Sizes }> {
  const page = await context.newPage();
  const names = new Set<string>();
  page.on('request', (request) => {
    const name = /\/assets\/([\w.-]+\.js)$/.exec(new URL(request.url()).pathname)?.[1];
    if (name !== undefined) names.add(name);
  });
  const document = await (await page.goto(url))!.text();
  await ready(page);
  await page.waitForLoadState('networkidle');
  await page.close();
  const isFirst = (name: string): boolean => document.includes(name) || /^(en|zh)-/.test(name);
  const sized = (list: readonly string[]): Sizes => new Map(list.map((name) => [name, gzipSize(name)]));
  return { first: sized([...names].filter(isFirst)), later: sized([...names].filter((name) => !isFirst(name))) };
}

/**
 * Measures the script size of a first visit to each main page in both languages, and what opening a spreadsheet adds.
 */
async function measureSizes({ context, pages, sheet }: Session): Promise<Row[]> {
  const rows: Row[] = [];
  const main = ['home', 'bases', 'base', 'notes', 'note', 'sheets', 'search', 'account, keys'];
  const setting = context.pages()[0]!;
  for (const language of ['en', 'zh']) {
    await setting.evaluate(`localStorage.setItem('sheaf.language', '${language}')`);
    let home: Sizes | undefined;
    for (const page of pages.filter(({ name }) => main.includes(name))) {
      const { first, later } = await scriptsOf(context, page);
      home ??= first;
      const value = kB(total(first)) + (later.size === 0 ? '' : `, then ${kB(total(later))}`);
      rows.push(atMost(`${language}: first load, kB: ${page.name}`, total(first) / 1000, 170, value));
    }
    const ready = (page: Page) => page.locator('canvas').first().waitFor();
    const opened = await scriptsOf(context, { url: sheet, ready });
    const grid = total(without(opened.first, home!)) / 1000;
    rows.push(atMost(`${language}: opening a spreadsheet adds, kB: grid`, grid, 60));
    const panels = kB(total(without(opened.later, home!)));
    rows.push({ what: `${language}: opening a spreadsheet adds: panels, after the grid`, value: panels });
  }
  await setting.evaluate("localStorage.removeItem('sheaf.language')");
  // The folder may still contain files of earlier builds, so take the newest.
  const time = (name: string): number => statSync(join(assets, name)).mtimeMs;
  const charts = readdirSync(assets).filter((name) => /^draw-[\w-]+\.js$/.test(name));
  const [newest] = charts.sort((a, b) => time(b) - time(a));
  if (newest !== undefined) rows.push({ what: 'with the first chart', value: kB(gzipSize(newest)) });
  return rows;
}

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const modes = [
  { name: 'desktop, light', colorScheme: 'light', viewport: desktop },
  { name: 'desktop, dark', colorScheme: 'dark', viewport: desktop },
  { name: 'phone, light', colorScheme: 'light', viewport: phone },
  { name: 'phone, dark', colorScheme: 'dark', viewport: phone },
  // The Chinese modes check only the pages without dialogs, because the steps that open dialogs use English names.
  { name: 'desktop, light, Chinese', colorScheme: 'light', viewport: desktop },
  { name: 'phone, dark, Chinese', colorScheme: 'dark', viewport: phone },
] as const;

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/**
 * Timeout of one run of the accessibility checker axe. A run may take half a minute for thousands of elements on a busy
 * machine.
 */
const longestMs = 180_000;

/**
 * Runs the accessibility checker axe on every page and on each of its dialogs and panels. Returns the violations, and
 * the pages and dialogs that could not be opened.
 */
async function measureAxe({ context, pages, words }: Session): Promise<Row[]> {
  if (!arePeersInstalled()) return [];
  const axe = readFileSync(join(root, 'tools/bench/node_modules/axe-core/axe.min.js'), 'utf8');
  const rows: Row[] = [];
  const isOf = ({ name }: { name: string }, word: string): boolean => name.split(', ').includes(word);
  const ofModes = words.filter((word) => modes.some((mode) => isOf(mode, word)));
  const ofPages = words.filter((word) => !ofModes.includes(word));
  for (const mode of modes.filter((one) => ofModes.every((word) => isOf(one, word)))) {
    const isChinese = mode.name.endsWith('Chinese');
    /**
     * Violations already reported for a page. An element that is also visible while dialogs are open is reported only
     * once.
     */
    const told = new Set<string>();
    let looked = 0;
    let found = 0;
    const add = (what: string, value: string): void => {
      found++;
      rows.push({ what: `  ${mode.name}: ${what}`, value });
    };
    for (const state of pages.filter(({ name }) => ofPages.length === 0 || ofPages.includes(name))) {
      const page = await context.newPage();
      page.setDefaultTimeout(5000);
      await page.setViewportSize(mode.viewport);
      await page.emulateMedia({ colorScheme: mode.colorScheme });
      const look = async (name: string): Promise<void> => {
        looked++;
        for (const { id, help, nodes } of await violationsOf(page, axe)) {
          for (const { target, failureSummary = '' } of nodes) {
            const key = `${state.name} ${id} ${target.join(' ')}`;
            if (told.has(key)) continue;
            told.add(key);
            add(`${name}: ${id}`, `${help}: ${target.join(' ')} (${failureSummary.split('\n')[1]?.trim() ?? ''})`);
          }
        }
      };
      const attempt = async (name: string, act: () => Promise<unknown>): Promise<void> => {
        const late = sleep(longestMs, undefined, { ref: false }).then(() => {
          throw new Error(`no result after ${longestMs / 1000} s`);
        });
        await Promise.race([act().then(() => look(name)), late]).catch((error: unknown) =>
          add(name, `not reached: ${String(error).split('\n')[0]}`),
        );
      };
      await attempt(state.name, async () => {
        await page.goto(state.url);
        if (isChinese) {
          await page.evaluate("localStorage.setItem('sheaf.language', 'zh')").catch(() => undefined);
          await page.reload();
        }
        await state.ready(page);
      });
      for (const step of isChinese ? [] : (state.steps ?? [])) {
        if (step.isDesktopOnly && mode.viewport === phone) continue;
        await attempt(`${state.name}, ${step.name}`, () => step.open(page));
        await (step.close ?? closePopup)(page).catch(() => undefined);
      }
      await state.leave?.(page);
      await page.evaluate("localStorage.removeItem('sheaf.language')").catch(() => undefined);
      await page.close();
    }
    rows.push(atMost(`${mode.name}: violations in ${looked} states`, found, 0, String(found)));
  }
  return rows;
}

async function closePopup(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  const close = page.getByRole('button', { name: 'Close', exact: true }).first();
  if (await close.isVisible()) await close.click();
}

/** Script that waits for all finite animations, so that axe does not check intermediate colors. */
const settled = `Promise.all(document.getAnimations()
  .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
  .map((one) => one.finished.catch(() => undefined)))`;

/**
 * Returns the axe violations of the page's current state. axe is injected through the debugger, because the page's
 * content security policy blocks other scripts.
 */
async function violationsOf(page: Page, axe: string): Promise<readonly Violation[]> {
  await page.bringToFront();
  await page.evaluate(settled);
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe);
  return page.evaluate<readonly Violation[]>(
    "axe.run(document, { resultTypes: ['violations'] }).then((one) => one.violations)",
  );
}

const categories = ['performance', 'accessibility', 'best-practices'];
const lighthouseGoal = 95;
const lighthouseRuns = 3;

/**
 * Measures the Lighthouse scores of the main pages on a desktop and a slow phone, and lists the audits that cost
 * points. Takes the best of up to three runs, because other machine load only lowers scores.
 */
async function measureLighthouse({ pages, sheet, words, port }: Session): Promise<Row[]> {
  if (!arePeersInstalled()) return [];
  const { default: lighthouse } = await importPeer('lighthouse/core/index.js');
  const { default: desktopConfig } = await importPeer('lighthouse/core/config/desktop-config.js');
  const flags = { port, onlyCategories: categories, disableStorageReset: true, logLevel: 'error' };
  const scoresOf = (lhr: any): number[] =>
    categories.map((category) => Math.round((lhr.categories[category]?.score ?? 0) * 100));
  const all = ['home', 'base', 'note', 'sheets', 'spreadsheet'];
  const chosen = all.filter((name) => words.includes(name));
  const rows: Row[] = [];
  for (const name of chosen.length > 0 ? chosen : all) {
    const url = name === 'spreadsheet' ? sheet : pages.find((page) => page.name === name)!.url;
    for (const [device, config] of Object.entries({ desktop: desktopConfig, phone: undefined })) {
      let best: any;
      for (let turn = 0; turn < lighthouseRuns && (!best || scoresOf(best)[0]! < lighthouseGoal); turn++) {
        const result = await lighthouse(url, flags, config);
        if (!result) throw new Error(`Lighthouse answered nothing about ${url}`);
        if (!best || scoresOf(result.lhr)[0]! > scoresOf(best)[0]!) best = result.lhr;
      }
      const scores = scoresOf(best);
      rows.push({
        what: `${name}, ${device}: performance, accessibility, best practices`,
        value: `${scores.join(', ')} (speed of the machine ${Math.round(best.environment.benchmarkIndex)})`,
        goal: `>= ${lighthouseGoal} each`,
        met: scores.every((score) => score >= lighthouseGoal),
      });
      const lost = categories
        .flatMap((category): { id: string; weight: number }[] => best.categories[category]?.auditRefs ?? [])
        .filter(({ id, weight }) => weight > 0 && (best.audits[id]?.score ?? 1) < 0.9)
        .map(({ id }) => `${id} ${best.audits[id]?.displayValue ?? ''}`.trim());
      if (lost.length > 0) rows.push({ what: '  points lost by', value: lost.join('; ') });
    }
  }
  return rows;
}

const millionRows = 1_000_000;
const frames = 1200;
const opens = 5;
/** Pixels per wheel step in most browsers. */
const wheelPixels = 100;

type Rule = Omit<Parameters<Running['client']['sheet']['set_conditional_format']>[0], 'file_id' | 'ranges'>;

/**
 * Ten conditional formats over whole columns, including every expensive kind. Some read the whole column for a cell,
 * others only the cell itself.
 */
const tenRules: [columns: string, rule: Rule][] = [
  ['AA', { kind: 'duplicate', style: { bg_color: 'FFC7CE' } }],
  ['AA', { kind: 'formula', values: ['=MOD($A2,7)=0'], style: { bold: true } }],
  ['BB', { kind: 'text', test: 'ends_with', values: ['7'], style: { font_color: '9C5700' } }],
  ['CC', { kind: 'scale', colors: ['F8696B', 'FFEB84', '63BE7B'] }],
  ['CC', { kind: 'top', rank: 10, percent: true, style: { bold: true } }],
  ['DD', { kind: 'bar', colors: ['638EC6'] }],
  ['DD', { kind: 'average', below: true, style: { italic: true } }],
  ['EE', { kind: 'icons', icons: '3Arrows' }],
  ['EE', { kind: 'cell', test: 'greater', values: ['45800'], style: { bg_color: 'C6EFCE' } }],
  ['AE', { kind: 'formula', values: ['=$C2>$D2*1000'], style: { underline: true } }],
];

/**
 * Imports a spreadsheet of a million rows and five columns through the API, adds the conditional formats and returns
 * the spreadsheet's URL.
 */
async function makeMillion({ client, url }: Running, rules: typeof tenRules): Promise<string> {
  const lines = ['id,name,amount,share,day'];
  for (let i = 1; i < millionRows; i++)
    lines.push(`${i},item ${i % 977},${((i * 7919) % 100_003) / 100},${((i * 31) % 997) / 1000},${45_000 + (i % 900)}`);
  const { upload_url, file_key } = await client.manage.pre_import({ file_name: 'million.csv' });
  const { pathname, search } = new URL(upload_url);
  const sent = await fetch(url + pathname + search, { method: 'PUT', body: lines.join('\n') });
  if (!sent.ok) throw new Error(`the upload was answered with ${sent.status}`);
  const { file_id } = await client.manage.import_file({ title: 'A million rows', file_key, format: 'csv' });
  for (const [[from, to], rule] of rules)
    await client.sheet.set_conditional_format({ file_id, ranges: [`${from}2:${to}${millionRows}`], ...rule });
  return `${url}/sheet/${file_id}`;
}

const twoFrames = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/**
 * Opens the spreadsheet in a new tab and measures the time until its first cells are painted. They are detected in the
 * HTML table for screen readers, which is filled about 80 ms after the paint, so the time is slightly too long.
 */
async function openSheet(context: BrowserContext, address: string): Promise<{ page: Page; took: number }> {
  const page = await context.newPage();
  const start = performance.now();
  await page.goto(address);
  await page.locator('canvas').first().waitFor();
  await page.getByRole('gridcell', { name: 'item 12', exact: true }).first().waitFor({ state: 'attached' });
  await page.evaluate(twoFrames);
  const took = performance.now() - start;
  await page.waitForLoadState('networkidle');
  return { page, took };
}

/**
 * Measures opening a spreadsheet of a million rows, alternately without and with conditional formats. Then measures
 * scrolling from the top to the last row in large steps, and scrolling by wheel steps.
 */
async function measureMillionRows({ context, server }: Session): Promise<Row[]> {
  const plain = await makeMillion(server, []);
  const formatted = await makeMillion(server, tenRules);
  const times: Record<string, number[]> = { [plain]: [], [formatted]: [] };
  for (let round = 0; round <= opens; round++) {
    for (const address of [plain, formatted]) {
      const { page, took } = await openSheet(context, address);
      times[address]!.push(took);
      await page.close();
    }
  }
  const opened = (address: string): [middle: number, value: string] => {
    const [first, ...warm] = times[address]!;
    return [median(warm), `${median(warm).toFixed(0)} ms (${first!.toFixed(0)} ms)`];
  };
  const { page } = await openSheet(context, formatted);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const heap = () => metricOf(session, 'JSHeapUsedSize');
  let peak = 0;
  const timer = setInterval(() => void heap().then((now) => (peak = Math.max(peak, now))), 250);
  const down = await scroll(page, 'down');
  const wheel = await scroll(page, wheelPixels);
  clearInterval(timer);
  await session.send('HeapProfiler.collectGarbage');
  const kept = await heap();
  await page.close();
  const other = await openSheet(context, plain);
  const plainWheel = await scroll(other.page, wheelPixels);
  await other.page.close();
  return [
    atMost(
      '1,000,000 rows, ten conditional formats: cells on the screen, ms (first)',
      ...withGoal(opened(formatted), 1000),
    ),
    { what: 'the same without formats, in turns (the first time)', value: opened(plain)[1] },
    ...frameRows(`scrolled top to bottom in ${frames} frames`, down, true),
    ...frameRows(`scrolled by ${wheelPixels} pixels a frame, ${frames} frames`, wheel, true),
    ...frameRows('the same without formats', plainWheel, false),
    atMost(
      'heap: largest while scrolling, after a collection, MB',
      peak / 1e6,
      150,
      `${(peak / 1e6).toFixed(0)}, ${(kept / 1e6).toFixed(0)}`,
    ),
  ];
}

const withGoal = ([figure, value]: [number, string], goal: number): [number, number, string] => [figure, goal, value];

async function metricOf(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((metric) => metric.name === name)?.value ?? 0;
}

interface Scrolled {
  /** Wall time of each frame in milliseconds, including the effect of other machine load. */
  readonly times: readonly number[];
  /** Mean processor time of the page's thread per frame, which is independent of other machine load. */
  readonly processor: number;
}

function frameRows(what: string, { times, processor }: Scrolled, hasGoal: boolean): Row[] {
  const p95 = percentile(times, 95);
  const row = {
    what: `${what}: median, 95th percentile, longest`,
    value: `${median(times).toFixed(1)}, ${p95.toFixed(1)}, ${Math.max(...times).toFixed(1)} ms`,
  };
  return [
    hasGoal ? { ...row, goal: '95th <= 17 ms', met: Math.round(p95) <= 17 } : row,
    { what: `${what}: processor time a frame`, value: `${processor.toFixed(1)} ms` },
  ];
}

async function scroll(page: Page, by: number | 'down'): Promise<Scrolled> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await metricOf(session, 'TaskDuration');
  const times = await page.evaluate<number[]>(`${scrollThrough}(${frames}, ${JSON.stringify(by)})`);
  const processor = (((await metricOf(session, 'TaskDuration')) - before) * 1000) / frames;
  await session.detach();
  return { times, processor };
}

/**
 * Script for the page: scrolls one step per frame and returns the durations of the frames. `by` is the step in pixels,
 * or 'down' to reach the bottom in `count` steps.
 */
const scrollThrough = `(async (count, by) => {
  const inside = [...document.querySelectorAll('main *')];
  const scroller = inside.filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY)).sort((a, b) => b.scrollHeight - a.scrollHeight)[0];
  if (!scroller) throw new Error('there is nothing to scroll');
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const times = [];
  if (by !== 'down') scroller.scrollTop = 0;
  let last = await frame();
  for (let i = 1; i <= count; i++) {
    scroller.scrollTop = by === 'down' ? ((scroller.scrollHeight - scroller.clientHeight) * i) / count : by * i;
    const now = await frame();
    times.push(now - last);
    last = now;
  }
  return times;
})`;
