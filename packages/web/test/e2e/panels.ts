import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import type { SheafProcess } from '@sheaf/tools/testing/browser.ts';

export const orders =
  'month,region,units,price\nJan,North,12,3.5\nJan,South,7,4\nFeb,North,9,3.5\nFeb,South,15,4\nMar,North,4,3.5\n';

export interface Opened {
  file_id: string;
  sheet_id: string;
}

export interface Panels {
  make(csv: string, title?: string): Promise<Opened>;
  /** Creates a document, opens it and waits for its panels. */
  open(csv?: string): Promise<Opened>;
  cell(name: string): Locator;
  tool(name: string): Locator;
  select(range: string): Promise<void>;
  /** Clicks an entry of the grid's context menu. */
  menu(entry: string): Promise<void>;
  csvOf(sheet: Opened, end_row: number, end_col: number): Promise<string>;
  /** Calls a tool by its MCP name, as an agent does. */
  agent(name: string, args: Record<string, unknown>): Promise<void>;
}

/** Helpers shared by the panel tests. */
export function panelsOf(sheaf: SheafProcess, page: Page): Panels {
  const panels: Panels = {
    async make(csv, title = 'Orders') {
      const { file_id, sheet_id } = await sheaf.client.manage.create_file({ title });
      await sheaf.client.sheet.set_range_value_by_csv({ file_id, sheet_id, csv_data: csv });
      return { file_id, sheet_id };
    },
    async open(csv = orders) {
      const made = await panels.make(csv);
      await page.goto(`${sheaf.url}/sheet/${made.file_id}`);
      await panels.cell('A1').waitFor({ state: 'attached' });
      await panels.tool('History').waitFor();
      return made;
    },
    cell: (name) => page.locator(`[data-cell="${name}"]`),
    tool: (name) => page.getByRole('toolbar').getByRole('button', { name, exact: true }),
    async select(range) {
      const box = page.getByLabel('Go to cell or range');
      await box.fill(range);
      await box.press('Enter');
    },
    async menu(entry) {
      await page.keyboard.press('Shift+F10');
      await page.getByRole('menuitem', { name: entry }).click();
    },
    async csvOf({ file_id, sheet_id }, end_row, end_col) {
      return (
        (
          await sheaf.client.sheet.get_cell_data({
            file_id,
            sheet_id,
            start_row: 0,
            start_col: 0,
            end_row,
            end_col,
            return_csv: true,
          })
        ).csv_data ?? ''
      );
    },
    async agent(name, args) {
      const answer = await fetch(`${sheaf.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'svc-openapi-clientid': sheaf.credentials.client_id,
          'svc-openapi-apikey': sheaf.credentials.api_key,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
      });
      const body = await answer.text();
      expect(answer.status, body).toBe(200);
      expect(body).not.toContain('"isError":true');
    },
  };
  return panels;
}
