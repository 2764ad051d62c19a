import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import type { Row } from '../measure/report.ts';
import type { BenchPage } from './pages.ts';

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

interface Mode {
  readonly name: string;
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: { readonly width: number; readonly height: number };
  readonly language?: 'zh';
}

const modes: readonly Mode[] = [
  { name: 'desktop, light', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'desktop, dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'phone, light', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'phone, dark', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  // Dialogs are found by their English names, so the Chinese modes check only the pages themselves.
  { name: 'desktop, light, Chinese', colorScheme: 'light', viewport: { width: 1440, height: 900 }, language: 'zh' },
  { name: 'phone, dark, Chinese', colorScheme: 'dark', viewport: { width: 390, height: 844 }, language: 'zh' },
];

const patienceMs = 5_000;
/** axe takes half a minute for a page of many thousand elements on a busy machine. */
const longestMs = 180_000;

/**
 * Reports axe violations on every page, with its dialogs and panels opened one by one; names a dialog that did not open.
 */
export async function measure(
  context: BrowserContext,
  root: string,
  places: readonly BenchPage[],
  wanted: readonly string[],
): Promise<Row[]> {
  const file = createRequire(join(root, 'tools', 'bench', 'package.json')).resolve('axe-core/axe.min.js');
  const axe = readFileSync(file, 'utf8');
  const rows: Row[] = [];
  const isOf = ({ name }: Mode, word: string): boolean => name.split(', ').includes(word);
  const ofModes = wanted.filter((word) => modes.some((mode) => isOf(mode, word)));
  const ofPlaces = wanted.filter((word) => !ofModes.includes(word));
  for (const mode of modes.filter((one) => ofModes.every((word) => isOf(one, word)))) {
    const isChinese = mode.language === 'zh';
    /** A violation at the same element is reported once, for the first state that showed it. */
    const told = new Set<string>();
    let looked = 0;
    let found = 0;
    const look = async (page: Page, name: string): Promise<void> => {
      looked++;
      for (const { id, help, nodes } of await violationsOf(page, axe)) {
        for (const { target, failureSummary } of nodes) {
          const key = `${name.split(',')[0]} ${id} ${target.join(' ')}`;
          if (told.has(key)) continue;
          told.add(key);
          found++;
          rows.push({
            what: `  ${mode.name}: ${name}: ${id}`,
            value: `${help}: ${target.join(' ')} (${(failureSummary ?? '').split('\n').slice(1, 2).join('').trim()})`,
          });
        }
      }
    };
    for (const place of places) {
      if (ofPlaces.length > 0 && !ofPlaces.includes(place.name)) continue;
      const page = await context.newPage();
      page.setDefaultTimeout(patienceMs);
      await page.setViewportSize(mode.viewport);
      await page.emulateMedia({ colorScheme: mode.colorScheme });
      const attempt = async (name: string, act: () => Promise<void>): Promise<void> => {
        try {
          await Promise.race([act().then(() => look(page, name)), tooLong()]);
        } catch (error) {
          found++;
          rows.push({ what: `  ${mode.name}: ${name}`, value: `not reached: ${String(error).split('\n')[0]}` });
        }
      };
      await attempt(place.name, async () => {
        await page.goto(place.url);
        if (isChinese) {
          await page.evaluate("localStorage.setItem('sheaf.language', 'zh')").catch(() => undefined);
          await page.reload();
        }
        await place.ready(page);
      });
      for (const step of isChinese ? [] : (place.steps ?? [])) {
        if (step.only !== undefined && !mode.name.startsWith(step.only)) continue;
        await attempt(`${place.name}, ${step.name}`, () => step.open(page));
        await (step.close?.(page) ?? page.keyboard.press('Escape')).catch(() => undefined);
      }
      await place.leave?.(page);
      await page.evaluate("localStorage.removeItem('sheaf.language')").catch(() => undefined);
      await page.close();
    }
    rows.push({
      what: `${mode.name}: violations in ${looked} states`,
      value: String(found),
      goal: '0',
      met: found === 0,
    });
  }
  return rows;
}

async function tooLong(): Promise<never> {
  await sleep(longestMs, undefined, { ref: false });
  throw new Error(`no result after ${longestMs / 1000} s`);
}

/** Injects axe through the debugger, because the page's content security policy blocks other scripts. */
async function violationsOf(page: Page, axe: string): Promise<readonly Violation[]> {
  await page.bringToFront();
  await page.evaluate(settled);
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe);
  return page.evaluate<readonly Violation[]>(
    "axe.run(document, { resultTypes: ['violations'] }).then((one) => one.violations)",
  );
}

/** Waits for animations to finish, so that axe does not check intermediate colors; endless animations are ignored. */
const settled = `Promise.all(document.getAnimations()
  .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
  .map((one) => one.finished.catch(() => undefined)))`;
