/** [finding P3] Presses every key of the table in docs/guide/keys.md in a real browser. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { journey } from './journey.ts';
import { newDocument, openSheet, region, type OpenSheet } from './sheet-page.ts';
import type { SheafProcess } from '@sheaf/tools/testing/browser.ts';

interface Row {
  readonly keys: readonly string[];
  readonly what: string;
  readonly from: string;
  readonly result: string;
}

const page = readFileSync(new URL('../../../../docs/guide/keys.md', import.meta.url), 'utf8');
const rows: readonly Row[] = page
  .slice(page.indexOf('| Keys |'))
  .split('\n')
  .slice(2)
  .filter((line) => line.startsWith('|'))
  .map((line) => {
    const [keys, what, from, result] = line.slice(2, -2).split(' | ') as [string, string, string, string];
    return {
      keys: [...keys.matchAll(/`` (.+?) ``|`([^`]+)`/g)].map((found) => found[1] ?? found[2]!),
      what,
      from,
      result,
    };
  });

const sample = [
  ['item', 'price', 'count', 'total'],
  ['pear', '3', '2', '=B2*C2'],
  ['fig', '4.5', '1', ''],
  ['plum', '2', '5', ''],
  ['', '', '', ''],
  ['', '', '', ''],
  ['', '', 'note', ''],
];

const today = (): string => new Date().toLocaleDateString('sv-SE');

/** Checks for the phrases in the table's last column; each polls until it holds. */
function expectations(
  sheet: OpenSheet,
  sheaf: SheafProcess,
): readonly [RegExp, (...found: string[]) => Promise<unknown>][] {
  const on = { file_id: sheet.file_id, sheet_id: sheet.sheet_id };
  const at = (cell: string) => ({ ...on, ...region(cell) });
  const eventually = (read: () => unknown) => expect.poll(read, { timeout: 15_000 });
  const held = async (cell: string): Promise<unknown> => {
    const [found] = (await sheaf.client.sheet.get_cell_data(at(cell))).cells ?? [];
    return found?.formula ?? found?.string_value ?? found?.number_value;
  };
  const style = async (cell: string, name: string): Promise<unknown> =>
    ((await sheet.view(cell)).looks[0] as Record<string, unknown> | undefined)?.[name];
  const layout = async () => (await sheet.view('A1:A1')).layout!;
  const groups = async (): Promise<unknown> => {
    const { sheets } = await sheaf.client.sheet.list_objects({ ...on, object_types: ['sheet'] });
    return (sheets![0]!.outline?.['rows'] ?? []) as unknown;
  };
  const focused = () =>
    sheet.page.evaluate(() => {
      const element = document.activeElement!;
      return `${element.getAttribute('role') ?? element.tagName.toLowerCase()} ${element.getAttribute('aria-label') ?? ''}`;
    });
  return [
    [/^goes to (\w+)$/, (cell) => sheet.active(new RegExp(`^${cell}, [^]*(?<!selected \\w+:\\w+)$`))],
    [/^selects everything$/, () => sheet.active(/selected A1:[A-Z]+\d{3,}$/)],
    [/^selects row (\d+)$/, (row) => sheet.active(new RegExp(`selected A${row}:[A-Z]+${row}$`))],
    [/^selects column (\w+)$/, (col) => sheet.active(new RegExp(`selected ${col}1:${col}\\d{3,}$`))],
    [/^selects (\S+)$/, (range) => sheet.active(new RegExp(`selected ${range}$`))],
    [/^has (\w+) active in (\S+)$/, (cell, range) => sheet.active(new RegExp(`^${cell},.* selected ${range}$`))],
    [/^(\w+) shows nothing$/, (cell) => sheet.shows(cell, '')],
    [/^(\w+) shows today$/, (cell) => sheet.shows(cell, today())],
    [/^(\w+) shows the time$/, (cell) => eventually(() => held(cell)).toMatch(/^\d\d:\d\d$/)],
    [/^(\w+) shows (.+)$/, (cell, text) => sheet.shows(cell, text)],
    [
      /^(\w+) holds (.+)$/,
      (cell, text) => eventually(async () => String(await held(cell))).toBe(text.replace('⏎', '\n')),
    ],
    [/^(\w+) has no (\w+)$/, (cell, name) => eventually(() => style(cell, name)).toBeFalsy()],
    [/^(\w+) has (\w+) (\d+)$/, (cell, name, value) => eventually(() => style(cell, name)).toBe(Number(value))],
    [
      /^has a filter on (\S+)$/,
      (range) =>
        eventually(async () => (await sheaf.client.sheet.get_filters(on)).filters).toMatchObject([region(range)]),
    ],
    [/^(\w+) has (\w+)$/, (cell, name) => eventually(() => style(cell, name)).toBeTruthy()],
    [
      /^hides row (\d+)$/,
      (row) => eventually(async () => (await layout()).hidden_rows).toEqual([[Number(row) - 1, Number(row) - 1]]),
    ],
    [/^shows row (\d+)$/, () => eventually(async () => (await layout()).hidden_rows).toEqual([])],
    [
      /^groups rows (\d+) to (\d+)$/,
      (first, last) => eventually(groups).toEqual([[Number(first) - 1, Number(last) - 1, 1]]),
    ],
    [/^has no groups$/, () => eventually(groups).toEqual([])],
    [/^hides column B$/, () => eventually(async () => (await layout()).hidden_cols).toEqual([[1, 1]])],
    [/^has the focus on (.+)$/, (what) => eventually(focused).toContain(what)],
    [/^has the focus outside the cells$/, () => eventually(focused).not.toContain('Cell ')],
    [/^opens the menu$/, () => sheet.page.getByRole('menu').waitFor()],
    [/^opens Find and replace$/, () => sheet.page.getByRole('complementary', { name: 'Find and replace' }).waitFor()],
    [/^opens (.+)$/, (name) => sheet.page.getByRole('dialog', { name }).waitFor()],
    [/^says (.+)$/, (text) => sheet.page.getByText(text).first().waitFor()],
  ];
}

describe('[finding P3] the keys of docs/guide/keys.md', async () => {
  const { sheaf, browser } = await journey();

  test('there are at least 70 of them', () => {
    expect(rows.length).toBeGreaterThanOrEqual(70);
  });

  test('each does what the table says', { timeout: 600_000 }, async () => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'Keys', sample));
    const { keyboard } = sheet.page;
    const { version } = await sheet.view('A1:A1');
    const results = expectations(sheet, sheaf);
    const failures: string[] = [];
    for (const { keys, what, from, result } of rows) {
      await sheet.shows('B2', '3');
      await sheet.shows('D2', '6');
      await sheet.page.getByLabel('Go to cell or range').fill(from);
      await keyboard.press('Enter');
      for (const key of keys) {
        if (key.length === 1) await keyboard.type(key);
        else await keyboard.press(key.replace('Ctrl', 'Control'));
      }
      const [form, look] = results.find(([one]) => one.test(result))!;
      const [, ...found] = form.exec(result)!;
      await look(...found).catch((error: unknown) => failures.push(`${keys.join(' ')} (${what}): ${String(error)}`));
      // Restores the initial state: cells by a revert on the server, the page by closing dialogs and panels.
      await keyboard.press('Escape');
      await sheet.page.getByRole('dialog').first().waitFor({ state: 'detached' });
      const panel = sheet.page.getByRole('complementary', { name: 'Find and replace' });
      if (await panel.isVisible()) await panel.getByLabel('Close').click();
      const now = await sheet.view('A1:A1');
      if (now.version !== version) await sheaf.client.sheet.revert({ file_id: sheet.file_id, version });
    }
    expect(failures).toEqual([]);
    browser.expectClean();
  });

  test('keys pressed while a sub-sheet is being made act on it, in order', async () => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'Quick', [['first']]));
    const { page, file_id } = sheet;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/sheet/v1/add_sheet', async (route) => {
      await released;
      await route.continue();
    });
    await page.keyboard.press('Shift+F11');
    await page.keyboard.type('new');
    await page.keyboard.press('Tab');
    await page.evaluate(() => navigator.clipboard.writeText('pasted'));
    await page.keyboard.press('Control+v');
    await page.keyboard.press('Control+Shift+PageUp');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('old');
    await page.keyboard.press('Enter');
    release();
    await sheet.shows('B1', 'old');
    await sheet.shows('A1', 'first');
    const { sheets } = await sheaf.client.sheet.get_sheet_info({ file_id });
    expect(sheets).toHaveLength(2);
    const made = { file_id, sheet_id: sheets[1]!.sheet_id, ...region('A1:B1') };
    await expect
      .poll(async () => (await sheaf.client.sheet.get_view(made)).cells.map(([, , text]) => text))
      .toEqual(['new', 'pasted']);
    browser.expectClean();
  });

  test('the list in the page shows them, and ? opens it outside the cells', async () => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'List of keys'));
    await sheet.page.keyboard.press('F6');
    await sheet.page.keyboard.press('?');
    const list = sheet.page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.waitFor();
    await list.getByText('Sum of the numbers above or to the left').waitFor();
    browser.expectClean();
  });
});
