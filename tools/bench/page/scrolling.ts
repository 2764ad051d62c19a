import type { BrowserContext, Page } from 'playwright-core';
import { median, type Row } from '../measure/figures.ts';
import { startServer, type Running } from '../measure/servers.ts';

const rowCount = 100_000;
const steps = 400;
const rounds = 3;
/** Pixels per wheel step in most browsers. */
const notch = 100;

/**
 * Measures the script time per step of scrolling through 100,000 rows. `checkout` is the folder of another built
 * checkout of this repository; if it is given, both are measured in turns and compared.
 */
export async function measureScrolling(context: BrowserContext, checkout: string | undefined): Promise<Row[]> {
  const folders = [undefined, ...(checkout === undefined ? [] : [checkout])];
  const servers = await Promise.all(
    folders.map((folder) => startServer(folder === undefined ? {} : { checkout: folder })),
  );
  try {
    const pages: Page[] = [];
    for (const server of servers) pages.push(await openLarge(context, server));
    const found = pages.map(() => ({ wheel: [] as number[], through: [] as number[] }));
    for (let round = 0; round < rounds; round++) {
      for (const [index, page] of pages.entries()) {
        found[index]!.wheel.push(await scriptAStep(page, notch));
        found[index]!.through.push(await scriptAStep(page, 'through'));
      }
    }
    return (['wheel', 'through'] as const).map((how) => {
      const [ours, theirs] = found.map((one) => median(one[how]));
      return {
        what: how === 'wheel' ? `script per step of ${notch} pixels` : `script per step, ${steps} through all rows`,
        value:
          theirs === undefined
            ? `${ours!.toFixed(2)} ms`
            : `${ours!.toFixed(2)} ms, the other checkout ${theirs.toFixed(2)} ms, ratio ${(ours! / theirs).toFixed(2)}`,
        ...(theirs === undefined ? {} : { goal: 'ratio <= 0.33', met: ours! / theirs <= 1 / 3 }),
      };
    });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function openLarge(context: BrowserContext, { client, url }: Running): Promise<Page> {
  const lines = ['id,name,amount,share,day'];
  for (let i = 1; i < rowCount; i++)
    lines.push(`${i},item ${i % 977},${((i * 7919) % 100_003) / 100},${((i * 31) % 997) / 1000},${45_000 + (i % 900)}`);
  const { upload_url, file_key } = await client.manage.pre_import({ file_name: 'rows.csv' });
  const { pathname, search } = new URL(upload_url);
  await fetch(url + pathname + search, { method: 'PUT', body: lines.join('\n') });
  const { file_id } = await client.manage.import_file({ title: 'Many rows', file_key, format: 'csv' });
  // Ports of a host share cookies, so each server gets a separate browser context.
  const own = await context.browser()!.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await own.newPage();
  await page.goto(url + (await client.account.create_sign_in_link({})).sign_in_path);
  await page.locator('form[action="/sign-in"] button').click();
  await page.waitForURL(`${url}/`);
  await page.goto(`${url}/sheet/${file_id}`);
  await page.getByRole('gridcell', { name: 'item 12', exact: true }).first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  return page;
}

/**
 * Returns the mean script time per step of scrolling in milliseconds, with one step per frame. `by` is the step in
 * pixels; 'through' divides all rows into equal steps.
 */
async function scriptAStep(page: Page, by: number | 'through'): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const script = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ScriptDuration')!.value;
  };
  await page.bringToFront();
  const before = await script();
  await page.evaluate(`(async () => {
    const scroller = [...document.querySelectorAll('main *')]
      .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY))
      .sort((one, other) => other.scrollHeight - one.scrollHeight)[0];
    const whole = scroller.scrollHeight - scroller.clientHeight;
    for (let step = 1; step <= ${steps}; step++) {
      scroller.scrollTop = ${by === 'through' ? `(whole * step) / ${steps}` : `${by} * step`};
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    scroller.scrollTop = 0;
  })()`);
  const took = (((await script()) - before) * 1000) / steps;
  await session.detach();
  return took;
}
