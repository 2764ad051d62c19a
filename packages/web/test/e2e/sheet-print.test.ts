import { describe, expect, test } from 'vitest';
import { decode } from '@sheaf/files';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';
import { newDocument, openSheet } from './sheet-page.ts';

describe('a spreadsheet on paper', async () => {
  const { sheaf, browser } = await journey();

  test('[finding P8] [finding P21] is set up, kept with the sheet, and becomes pages with repeated rows and numbers', async () => {
    const rows = Array.from({ length: 90 }, (_, n) => [`item ${n + 1}`, String(n * 1.5)]);
    const document = await newDocument(sheaf, 'Stock', [['what', 'price'], ...rows]);
    await sheaf.client.sheet.set_dimension_visible({
      ...document,
      dimension_type: 'row',
      index: 5,
      count: 1,
      visible: false,
    });
    const sheet = await openSheet(browser, sheaf, document);
    const { page } = sheet;
    // Replaces the browser's print dialog, so that the printed content can be checked.
    await page.evaluate(() => {
      window.print = () => globalThis.document.body.setAttribute('data-printed', '');
    });
    await page.getByRole('button', { name: 'Actions for Stock' }).click();
    await page.getByRole('menuitem', { name: 'Print…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Print “Sheet1”' });
    await dialog.getByLabel('Paper').selectOption({ label: 'A5' });
    await dialog.getByLabel('Orientation').selectOption({ label: 'Landscape' });
    await dialog.getByLabel('Size').selectOption({ label: 'Fit to width' });
    await dialog.getByLabel('Rows on every page').fill('1:1');
    // [finding P21] What people read is words; the codes are for the file.
    await dialog.getByRole('textbox', { name: 'Footer, Left' }).click();
    await dialog.getByRole('button', { name: 'Footer: Add document' }).click();
    await dialog.getByRole('textbox', { name: 'Footer, Right' }).fill('Page [page] of [pages]');
    expect(await dialog.getByRole('textbox', { name: 'Footer, Left' }).inputValue()).toBe('[document]');
    expect(await dialog.textContent()).not.toMatch(/&[A-Z]/);
    await dialog.getByLabel('Row and column headings').check();
    await dialog.getByLabel('Cells').fill('A1:B60');
    const preview = dialog.getByRole('figure', { name: 'Preview of the first page' });
    await expect.poll(() => preview.textContent()).toMatch(/what.*item 1.*Stock.*Page 1 of \d+/);
    await takeScreenshot(page, 'sheet-print-dialog');
    await dialog.getByRole('button', { name: 'Print', exact: true }).click();
    await page.locator('body[data-printed]').waitFor();
    const { sheets } = await sheaf.client.sheet.list_objects({ file_id: document.file_id, object_types: ['sheet'] });
    expect(sheets![0]!.page).toMatchObject({
      paper: 11,
      orientation: 'landscape',
      fit: '1x0',
      titles: '1:1',
      print_area: 'A1:B60',
      footer: '&L&F&RPage &P of &N',
      options: ['headings'],
    });

    const pdf = await decode(await page.pdf({ preferCSSPageSize: true, printBackground: true }), { kind: 'pdf' });
    const pages = Number(pdf.meta['pages']);
    expect(pages).toBeGreaterThan(2);
    expect(pdf.text.match(/what/g)).toHaveLength(pages);
    expect(pdf.text).toContain(`Page ${pages} of ${pages}`);
    expect(pdf.text).toContain('item 59');
    expect(pdf.text).not.toContain('item 60');
    expect(pdf.text).not.toMatch(/\bitem 5\b/);
    // Afterwards the page is restored.
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    expect(await page.locator('#print-root').count()).toBe(0);
    browser.expectClean();
  });

  test('[finding P8] an empty one says that there is nothing to print', async () => {
    const { page } = await openSheet(browser, sheaf, await newDocument(sheaf, 'Nothing'));
    await page.keyboard.press('Control+p');
    await page.getByRole('dialog').getByRole('button', { name: 'Print', exact: true }).click();
    await page.getByText('There is nothing to print here.').waitFor();
    browser.expectClean();
  });
});
