import { afterEach, describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';
import { newDocument, openSheet, type OpenSheet } from './sheet-page.ts';

describe('a spreadsheet whose server goes away', async () => {
  const { sheaf, browser } = await journey();

  afterEach(() => sheaf.start());

  const kept = (sheet: OpenSheet): Promise<string[]> =>
    sheet.page.locator('[data-kept]').evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['cell']!));
  const type = async (sheet: OpenSheet, ...texts: string[]): Promise<void> => {
    for (const text of texts) {
      await sheet.page.keyboard.type(text);
      await sheet.page.keyboard.press('Enter');
    }
  };
  const stored = (sheet: OpenSheet, range: string) =>
    expect.poll(() => sheet.csv(range).catch(() => 'away'), { timeout: 30_000 });
  /** Returns the tools that wrote, oldest first; an edit applied twice appears twice. */
  const revisions = async ({ file_id }: OpenSheet): Promise<string[]> => {
    const { revisions: all } = await sheaf.client.sheet.get_history({ file_id, limit: 100 });
    return all
      .map((one) => one.tool)
      .filter((tool) => tool !== 'create_file')
      .toReversed();
  };
  /** Matches the errors the browser reports for failed requests while the server is stopped. */
  const away =
    /ERR_(CONNECTION_(REFUSED|RESET|CLOSED)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|INTERNET_DISCONNECTED|SOCKET_NOT_CONNECTED)/;
  const onlyAway = (): void => expect(browser.takeFaults().filter((fault) => !away.test(fault))).toEqual([]);
  const keptCount = (sheet: OpenSheet): Promise<number> =>
    sheet.page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('sheaf.outbox/')).length);

  test('[finding P2] cells typed while the server is away are kept, shown as such, and written once each when it is back', async () => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'Cut off'));
    const { page } = sheet;
    await type(sheet, 'one');
    await stored(sheet, 'A1:A1').toBe('one\n');
    await expect.poll(() => keptCount(sheet)).toBe(0);
    await sheaf.cut();
    await type(sheet, 'two', 'three', '=1+2', 'five');
    await sheet.shows('A1', 'one');
    await sheet.shows('A2', 'two');
    await sheet.shows('A4', '=1+2');
    await page.getByText('Offline, edits kept here: 4').waitFor();
    await expect.poll(() => kept(sheet)).toEqual(['A2', 'A3', 'A4', 'A5']);
    await page.keyboard.press('ArrowUp');
    await sheet.active(/^A5, five, not sent yet$/);
    // An unsent edit is undone without the server, and typing over an unsent cell is shown.
    await page.keyboard.press('Control+z');
    await sheet.shows('A5', '');
    await page.getByLabel('Go to cell or range').fill('A3');
    await page.keyboard.press('Enter');
    await type(sheet, 'third');
    await sheet.shows('A3', 'third');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Delete');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await type(sheet, 'last');
    await sheet.shows('A5', 'last');
    await takeScreenshot(page, 'sheet-away');
    // An edit that cannot be shown before the server applies it is refused at once with a message.
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+b');
    await page.getByText('The server cannot be reached.').waitFor();

    await sheaf.start();
    await stored(sheet, 'A1:A5').toBe('one\ntwo\n\n3\nlast\n');
    await page.getByText('Offline, edits kept here').waitFor({ state: 'detached' });
    await sheet.shows('A4', '3');
    expect(await kept(sheet)).toEqual([]);
    expect(await revisions(sheet)).toEqual([
      'enter_cells',
      'enter_cells',
      'enter_cells',
      'enter_cells',
      'enter_cells',
      'clear_range_cells',
      'enter_cells',
    ]);
    expect(await keptCount(sheet)).toBe(0);
    // The page still receives changes and can undo.
    await page.getByLabel('Go to cell or range').fill('A6');
    await page.keyboard.press('Enter');
    await type(sheet, 'after');
    await stored(sheet, 'A6:A6').toBe('after\n');
    await page.keyboard.press('Control+z');
    await sheet.shows('A6', '');
    onlyAway();
  });

  test('[finding P2] what was kept survives a reload, and goes from whichever page is opened first', async () => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'Reloaded'));
    const { page } = sheet;
    await sheaf.cut();
    await type(sheet, 'kept', 'over', 'a reload');
    await page.getByText('Offline, edits kept here: 3').waitFor();
    await page.reload().catch(() => undefined);
    await sheaf.start();
    await page.goto(`${sheaf.url}/sheet/${sheet.file_id}`);
    await stored(sheet, 'A1:A3').toBe('kept\nover\na reload\n');
    await sheet.shows('A3', 'a reload');

    await sheaf.cut();
    await type(sheet, 'at home');
    await page.getByText('Offline, edits kept here: 1').waitFor();
    await page.reload().catch(() => undefined);
    await sheaf.start();
    await page.goto(sheaf.url);
    await stored(sheet, 'A1:A1').toBe('at home\n');
    expect(await revisions(sheet)).toEqual(['enter_cells', 'enter_cells', 'enter_cells', 'enter_cells']);
    await expect.poll(() => keptCount(sheet)).toBe(0);
    onlyAway();
  });

  test('[finding P2] an edit that was carried out, but whose answer was lost, is not carried out again', async () => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'Answer lost'));
    const { page } = sheet;
    const sent: string[] = [];
    await page.route('**/enter_cells', async (route) => {
      sent.push(route.request().headers()['idempotency-key']!);
      if (sent.length > 1) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await type(sheet, '=RAND()', 'next');
    await stored(sheet, 'A2:A2').toBe('next\n');
    expect(await revisions(sheet)).toEqual(['enter_cells', 'enter_cells']);
    expect(sent).toHaveLength(3);
    expect(sent[1]).toBe(sent[0]);
    expect(sent[2]).not.toBe(sent[0]);
    await page.unroute('**/enter_cells');
    onlyAway();
  });

  test('[finding P2] what the server refuses when it is back is told, with what was typed to recover', async () => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'Refused'));
    const { page } = sheet;
    await sheaf.cut();
    await type(sheet, '=1+*', 'fine');
    await page.getByText('Offline, edits kept here: 2').waitFor();
    // A user who is editing another cell stays there.
    await page.keyboard.type('half');
    await sheaf.start();
    await stored(sheet, 'A2:A2').toBe('fine\n');
    await page.getByText('Edits that were not accepted: 1').waitFor();
    await sheet.formulaBar('half');
    await page.keyboard.press('Enter');
    await stored(sheet, 'A3:A3').toBe('half\n');

    // The refused edit survives a reload.
    await page.reload();
    await page.getByRole('button', { name: 'Review' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edits that were not accepted' });
    await dialog.getByText('=1+*').first().waitFor();
    await dialog.getByText('Sheet1 A1').waitFor();
    await takeScreenshot(page, 'sheet-refused');
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('=1+*');
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('Edits that were not accepted').waitFor({ state: 'detached' });
    expect(await keptCount(sheet)).toBe(0);
    const faults = browser.takeFaults().filter((fault) => !/ERR_|refused|200|400/.test(fault));
    expect(faults).toEqual([]);
  });
});
