import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import type { SheafProcess, TestBrowser } from '@sheaf/tools/testing/browser.ts';

/**
 * A spreadsheet that is open in a page. Cells are drawn on a canvas, so tests read them from the table for screen
 * readers.
 */
export interface OpenSheet {
  readonly page: Page;
  readonly file_id: string;
  readonly sheet_id: string;
  /** Returns the center of a cell in pixels, provided that rows and columns have their default sizes. */
  at(cell: string): Promise<{ x: number; y: number }>;
  click(cell: string, options?: { modifiers?: ('Shift' | 'Control')[]; button?: 'left' | 'right' }): Promise<void>;
  doubleClick(cell: string): Promise<void>;
  drag(from: string, to: string): Promise<void>;
  /** Drags from one point of the grid to another. */
  dragPixels(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void>;
  /** Waits until a cell shows a text; with '' until it is empty. */
  shows(cell: string, text: string): Promise<void>;
  /** Waits until the announcement of the active cell matches. */
  active(description: string | RegExp): Promise<void>;
  formulaBar(text: string): Promise<void>;
  /** Returns the computed values of a range such as A1:C3 from the server. */
  csv(range: string): Promise<string>;
  formula(cell: string): Promise<string | undefined>;
  /** Reads a region with get_view, as the page does. */
  view(range: string): Promise<Awaited<ReturnType<SheafProcess['client']['sheet']['get_view']>>>;
}

export const headerWidth = 44;
export const headerHeight = 26;
export const columnWidth = 100;
export const rowHeight = 80 / 3;

function placeOf(cell: string): { row: number; col: number } {
  const [, letters, digits] = /^([A-Z]+)(\d+)$/.exec(cell)!;
  return {
    row: Number(digits) - 1,
    col: [...letters!].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1,
  };
}

export function region(range: string): { start_row: number; start_col: number; end_row: number; end_col: number } {
  const [from, to = from] = range.split(':') as [string, string?];
  const a = placeOf(from);
  const b = placeOf(to);
  return { start_row: a.row, start_col: a.col, end_row: b.row, end_col: b.col };
}

export async function newDocument(
  sheaf: SheafProcess,
  title: string,
  rows: string[][] = [],
): Promise<{ file_id: string; sheet_id: string }> {
  const { file_id, sheet_id } = await sheaf.client.manage.create_file({ title });
  if (rows.length > 0) await sheaf.client.sheet.enter_cells({ file_id, sheet_id, start_row: 0, start_col: 0, rows });
  return { file_id, sheet_id };
}

export async function openSheet(
  browser: TestBrowser,
  sheaf: SheafProcess,
  document: { file_id: string; sheet_id: string },
  given?: Page,
): Promise<OpenSheet> {
  const page = given ?? (await browser.signedIn(sheaf));
  const { file_id, sheet_id } = document;
  const on = { file_id, sheet_id };
  await page.goto(`${sheaf.url}/sheet/${file_id}`);
  await page.locator('[data-grid-field]').waitFor();
  await page.locator('[data-active-cell]').filter({ hasText: 'A1' }).waitFor({ state: 'attached' });
  const at = async (cell: string): Promise<{ x: number; y: number }> => {
    const box = (await page.locator('[data-grid]').boundingBox())!;
    const { row, col } = placeOf(cell);
    return { x: box.x + headerWidth + (col + 0.5) * columnWidth, y: box.y + headerHeight + (row + 0.5) * rowHeight };
  };
  const dragPixels: OpenSheet['dragPixels'] = async (from, to) => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
  };
  return {
    page,
    file_id,
    sheet_id,
    at,
    async click(cell, { modifiers = [], button = 'left' } = {}) {
      const { x, y } = await at(cell);
      for (const key of modifiers) await page.keyboard.down(key);
      await page.mouse.click(x, y, { button });
      for (const key of modifiers) await page.keyboard.up(key);
    },
    async doubleClick(cell) {
      const { x, y } = await at(cell);
      await page.mouse.dblclick(x, y);
    },
    drag: async (from, to) => dragPixels(await at(from), await at(to)),
    dragPixels,
    async shows(cell, text) {
      const found = page.locator(`[data-cell="${cell}"]`);
      if (text === '') await found.waitFor({ state: 'detached' });
      else await expect.poll(() => found.allTextContents(), { timeout: 15_000 }).toEqual([text]);
    },
    async active(description) {
      await expect
        .poll(() => page.locator('[data-active-cell]').textContent(), { timeout: 15_000 })
        .toMatch(description);
    },
    async formulaBar(text) {
      await expect.poll(() => page.getByLabel('Formula bar').inputValue(), { timeout: 15_000 }).toBe(text);
    },
    csv: async (range) =>
      (await sheaf.client.sheet.get_cell_data({ ...on, ...region(range), return_csv: true })).csv_data!,
    async formula(cell) {
      return (await sheaf.client.sheet.get_cell_data({ ...on, ...region(cell) })).cells?.[0]?.formula;
    },
    view: (range) => sheaf.client.sheet.get_view({ ...on, ...region(range), layout: true }),
  };
}
