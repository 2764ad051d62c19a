import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { atMost, median, percentile, type Row } from '../measure/figures.ts';
import type { Running } from '../measure/servers.ts';

/** Factor by which the processor is slowed down, to about the speed of a mid-range phone. */
const slowdown = 4;
const goalMs = 200;
const letters = 'pears and figs and quinces for the harvest ';
const opens = 5;
const panels = ['Find and replace', 'Comments', 'History'];

/**
 * Script for the page: records the times from each keyboard input event to the next paint in `window.eventTimes`.
 * Browsers do not report times below 16 ms.
 */
const recordEvents = `(() => {
  window.eventTimes = [];
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries())
      if (/^(keydown|keypress|input)$/.test(name)) window.eventTimes.push(duration);
  }).observe({ type: 'event', durationThreshold: 16 });
})()`;

/**
 * Script for the page: defines `paintedSince`, which waits until an element that matches the selector is painted and
 * returns the time since the last click.
 */
const recordClicks = `(() => {
  let clicked = 0;
  addEventListener('click', (event) => { clicked = event.timeStamp; }, true);
  window.paintedSince = (selector) => new Promise((resolve) => {
    const look = () => {
      if (clicked === 0 || !document.querySelector(selector)) return requestAnimationFrame(look);
      requestAnimationFrame(() => requestAnimationFrame((now) => { const took = now - clicked; clicked = 0; resolve(took); }));
    };
    look();
  });
})()`;

async function slow(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return session;
}

async function keyTimes(page: Page, type: () => Promise<void>): Promise<number[]> {
  await page.evaluate(recordEvents);
  await type();
  await page.waitForTimeout(1000);
  return page.evaluate<number[]>('window.eventTimes');
}

const keyRow = (what: string, times: readonly number[]): Row =>
  atMost(
    `${what}: key to paint, 95th percentile and longest, ms`,
    percentile(times, 95),
    goalMs,
    `${percentile(times, 95).toFixed(0)}, ${Math.max(0, ...times).toFixed(0)}`,
  );

/**
 * Measures, on a slowed processor, the time from a key press to the paint in a cell and in a note, and the time to open
 * panels.
 */
export async function measureSlowProcessor(
  context: BrowserContext,
  { client, url }: Running,
  sheet: string,
): Promise<Row[]> {
  const rows: Row[] = [];
  const page = await context.newPage();
  await page.goto(sheet);
  await page.locator('[data-grid-field]').waitFor();
  await page.waitForLoadState('networkidle');
  await slow(page);
  await page.locator('[data-grid-field]').focus();
  const typeCells = async (): Promise<void> => {
    for (const word of letters.trim().split(' ')) {
      for (const letter of word) await page.keyboard.press(letter);
      await page.keyboard.press('Enter');
    }
  };
  rows.push(keyRow('in a cell', await keyTimes(page, typeCells)));
  await page.evaluate(recordClicks);
  for (const name of panels) {
    const times: number[] = [];
    for (let turn = 0; turn < opens; turn++) {
      const painted = page.evaluate<number>(`window.paintedSince('aside[aria-label="${name}"]')`);
      await page.getByRole('button', { name, exact: true }).first().click();
      times.push(await painted);
      await page.locator(`aside[aria-label="${name}"]`).getByRole('button', { name: 'Close' }).first().click();
      // Reset the recorder, because the click that closes a panel must not count as the one that opens the next.
      await page.evaluate(recordClicks);
    }
    const [first, ...again] = times;
    const value = [first!, median(again), Math.max(...again)].map((ms) => ms.toFixed(0)).join(', ');
    rows.push(atMost(`opening ${name}: first, then median and longest, ms`, Math.max(...times), goalMs, value));
  }
  await page.close();
  const paragraph = 'Pears, plums and figs are brought in before the storm, and the rest waits for the week after. ';
  const { note_id } = await client.note.import_doc({
    content_format: 1,
    content: `# Harvest\n\n${`${paragraph.repeat(4)}\n\n`.repeat(60)}`,
  });
  const note = await context.newPage();
  await note.goto(`${url}/notes/${note_id}`);
  await note.locator('.ProseMirror[contenteditable=true]').waitFor();
  await note.waitForLoadState('networkidle');
  await slow(note);
  await note.locator('.ProseMirror p').nth(3).click();
  const typeNote = async (): Promise<void> => {
    for (const letter of letters) await note.keyboard.press(letter === ' ' ? 'Space' : letter);
  };
  rows.push(keyRow('in a note of 23 kB', await keyTimes(note, typeNote)));
  await note.close();
  return rows;
}
