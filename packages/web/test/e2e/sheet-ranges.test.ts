import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { SheetDocument, edit, addSheet, defineName, setRangeBlock } from '@sheaf/engine';
import { writeXlsx } from '@sheaf/files/xlsx/write-workbook';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';
import {
  columnWidth,
  headerHeight,
  headerWidth,
  newDocument,
  openSheet,
  region,
  rowHeight,
  type OpenSheet,
} from './sheet-page.ts';

describe('ranges of a spreadsheet', async () => {
  const { sheaf, browser } = await journey();
  const open = async (title: string, rows?: string[][]): Promise<OpenSheet> =>
    openSheet(browser, sheaf, await newDocument(sheaf, title, rows));

  test('formulas follow cells that are cut and pasted, and come back with undo', async () => {
    const sheet = await open('Cut', [['5', '=A1*2', '=SUM(A1:B1)']]);
    await sheet.shows('C1', '15');
    await sheet.drag('A1', 'B1');
    await sheet.page.keyboard.press('Control+x');
    await sheet.click('A4');
    await sheet.page.keyboard.press('Control+v');
    await sheet.shows('B4', '10');
    await sheet.shows('A1', '');
    expect(await sheet.formula('B4')).toBe('=A4*2');
    expect(await sheet.formula('C1')).toBe('=SUM(A4:B4)');
    await sheet.shows('C1', '15');
    await sheet.page.keyboard.press('Control+z');
    await sheet.shows('A1', '5');
    expect(await sheet.formula('C1')).toBe('=SUM(A1:B1)');
    browser.expectClean();
  });

  test('a name and a chart follow cells that are cut and pasted, and come back with undo', async () => {
    const document = new SheetDocument();
    edit(document, [
      addSheet.of({ sheet: 'one', name: 'Sheet1' }),
      setRangeBlock.of({
        sheet: 'one',
        row: 0,
        col: 0,
        rows: [
          ['month', 'units'],
          ['May', 3],
          ['June', 4],
          [null, null, { formula: '=SUM(units)' }],
        ],
      }),
      defineName.of({ name: 'units', formula: '=Sheet1!$B$2:$B$3' }),
    ]);
    const { file_id } = await sheaf.client.manage.import_file({
      title: 'Names',
      content: Buffer.from(writeXlsx(document)).toString('base64'),
      format: 'xlsx',
    });
    const { sheets } = await sheaf.client.sheet.get_sheet_info({ file_id });
    const made = { file_id, sheet_id: sheets[0]!.sheet_id };
    await sheaf.client.sheet.add_chart({
      ...made,
      drawing_id: 'c',
      chart_type: 'CHART_LINE',
      data_range: region('A1:B3'),
      location: { row_index: 9, col_index: 4, width: 300, height: 200 },
    });
    const sheet = await openSheet(browser, sheaf, made);
    const picture = sheet.page
      .getByRole('group', { name: /^Chart/ })
      .locator('visible=true')
      .first()
      .getByRole('img');
    await expect.poll(() => picture.getAttribute('aria-label')).toContain('units: 3, 4');
    const drawn = async () => (await sheaf.client.sheet.get_charts(made)).charts[0]!.data_range;
    await sheet.drag('A1', 'B3');
    await sheet.page.keyboard.press('Control+x');
    await sheet.click('A6');
    await sheet.page.keyboard.press('Control+v');
    await sheet.shows('B8', '4');
    await sheet.shows('B3', '');
    await sheet.shows('C4', '7');
    expect(await drawn()).toEqual(region('A6:B8'));
    await sheet.click('B8');
    await sheet.page.keyboard.type('10');
    await sheet.page.keyboard.press('Enter');
    await sheet.shows('C4', '13');
    await expect.poll(() => picture.getAttribute('aria-label')).toContain('units: 3, 10');
    await sheet.page.keyboard.press('Control+z');
    await sheet.shows('C4', '7');
    await sheet.page.keyboard.press('Control+z');
    await sheet.shows('B3', '4');
    expect(await drawn()).toEqual(region('A1:B3'));
    await sheet.click('B3');
    await sheet.page.keyboard.type('20');
    await sheet.page.keyboard.press('Enter');
    await sheet.shows('C4', '23');
    await expect.poll(() => picture.getAttribute('aria-label')).toContain('units: 3, 20');
    browser.expectClean();
  });

  test('several ranges: style, sum, clear, copy and delete at once', async () => {
    const sheet = await open('Several', [
      ['1', '2', '3'],
      ['4', '5', '6'],
      ['7', '8', '9'],
      ['10', '11', '12'],
    ]);
    const { page } = sheet;
    await sheet.click('A1');
    await sheet.click('C1', { modifiers: ['Control'] });
    await page.keyboard.down('Control');
    await sheet.drag('A3', 'B3');
    await page.keyboard.up('Control');
    await sheet.active(/selected A1, C1, A3:B3$/);
    await page
      .getByRole('status', { name: 'Summary' })
      .filter({ hasText: 'Sum: 19' })
      .filter({ hasText: 'Count: 4' })
      .waitFor();
    await takeScreenshot(page, 'sheet-several-ranges');
    await page.keyboard.press('Control+b');
    const bold = async (): Promise<number[][]> =>
      (await sheet.view('A1:C4')).styles.map((run) => run.slice(0, 3)).sort();
    await expect.poll(bold).toEqual([
      [0, 0, 0],
      [0, 2, 2],
      [1, 2, 2],
      [2, 0, 0],
    ]);
    await page.keyboard.press('Control+c');
    await page.getByRole('alert').filter({ hasText: 'only if they span the same rows' }).waitFor();
    await page.keyboard.press('Control+z');
    await expect.poll(bold).toEqual([]);

    // Ranges in the same rows are copied side by side.
    await sheet.click('A1');
    await sheet.click('A2', { modifiers: ['Shift'] });
    await page.keyboard.down('Control');
    await sheet.drag('C1', 'C2');
    await page.keyboard.up('Control');
    await page.keyboard.press('Control+c');
    await sheet.click('E1');
    await page.keyboard.press('Control+v');
    await sheet.shows('F2', '6');
    expect(await sheet.csv('E1:F2')).toBe('1,3\n4,6\n');

    // A second Ctrl+click deselects a cell.
    await sheet.click('A1');
    await sheet.click('B2', { modifiers: ['Control'] });
    await sheet.click('C3', { modifiers: ['Control'] });
    await sheet.click('C3', { modifiers: ['Control'] });
    await sheet.active(/selected A1, B2$/);
    await page.keyboard.press('Delete');
    await sheet.shows('B2', '');
    expect(await sheet.csv('A1:C3')).toBe(',2,3\n4,,6\n7,8,9\n');
    await page.keyboard.press('Control+z');
    await sheet.shows('B2', '5');

    // Selects rows 1 and 3 by their headings.
    const box = (await page.locator('[data-grid]').boundingBox())!;
    await page.mouse.click(box.x + 20, box.y + headerHeight + rowHeight * 0.5);
    await page.keyboard.down('Control');
    await page.mouse.click(box.x + 20, box.y + headerHeight + rowHeight * 2.5);
    await page.keyboard.up('Control');
    await page.mouse.click(box.x + 20, box.y + headerHeight + rowHeight * 2.5, { button: 'right' });
    await page.getByRole('menuitem', { name: /^Delete/ }).click();
    await sheet.shows('A1', '4');
    expect(await sheet.csv('A1:C2')).toBe('4,5,6\n10,11,12\n');
    browser.expectClean();
  });

  test('several ranges: fill, paste and insert in each, each as one step to undo', async () => {
    const sheet = await open('Each', [
      ['1', '=A1*10', '', 'x'],
      ['2', '', '', ''],
      ['3', '', '', ''],
    ]);
    const { page } = sheet;
    const versions = async (): Promise<number> =>
      (await sheaf.client.sheet.get_history({ file_id: sheet.file_id })).revisions[0]!.version;
    const start = await versions();
    const select = async (first: [string, string], ...more: [string, string][]): Promise<void> => {
      await sheet.drag(...first);
      await page.keyboard.down('Control');
      for (const one of more) await sheet.drag(...one);
      await page.keyboard.up('Control');
    };
    await select(['B1', 'B3'], ['D1', 'D2']);
    await page.keyboard.press('Control+d');
    await sheet.shows('B3', '30');
    await sheet.shows('D2', 'x');
    expect(await sheet.csv('A1:D3')).toBe('1,10,,x\n2,20,,x\n3,30,,\n');
    expect(await versions()).toBe(start + 1);
    await page.keyboard.press('Control+z');
    await sheet.shows('D2', '');
    expect(await sheet.csv('A1:D3')).toBe('1,10,,x\n2,,,\n3,,,\n');
    // A single cell is filled from the adjacent one.
    await select(['B2', 'B2'], ['E1', 'E1']);
    await page.keyboard.press('Control+r');
    await sheet.shows('E1', 'x');
    await page.keyboard.press('Control+z');
    await sheet.shows('E1', '');

    // Pastes a block with formulas into each range, then text from another program.
    await sheet.drag('A1', 'B1');
    await page.keyboard.press('Control+c');
    await select(['A5', 'A5'], ['D5', 'E6']);
    await page.keyboard.press('Control+v');
    await sheet.shows('E6', '10');
    expect(await sheet.csv('A5:E6')).toBe('1,10,,1,10\n,,,1,10\n');
    expect(await sheet.formula('B5')).toBe('=A5*10');
    expect(await sheet.formula('E6')).toBe('=D6*10');
    await sheet.active(/selected A5:B5, D5:E6$/);
    await page.keyboard.press('Control+z');
    await sheet.shows('B5', '');
    await page.evaluate(() => navigator.clipboard.writeText('p\tq'));
    await select(['A8', 'A8'], ['C9', 'D10']);
    await page.keyboard.press('Control+v');
    await sheet.shows('D10', 'q');
    expect(await sheet.csv('A8:D10')).toBe('p,q,,\n,,p,q\n,,p,q\n');
    await page.keyboard.press('Control+z');
    await sheet.shows('D10', '');
    await sheet.shows('A8', '');

    // Cut cells cannot be pasted into several ranges.
    await sheet.click('D1');
    await page.keyboard.press('Control+x');
    await select(['G1', 'G1'], ['G3', 'G3']);
    await page.keyboard.press('Control+v');
    await page.getByRole('alert').filter({ hasText: 'Cut cells can be pasted in one place only' }).waitFor();
    await page.keyboard.press('Escape');

    // With cells in rows 1, 2 and 3 selected separately, inserts one row above each.
    await select(['A1', 'A1'], ['C2', 'C2'], ['A3', 'A3']);
    await sheet.click('A3', { button: 'right' });
    await page.getByRole('menuitem', { name: 'Insert 3 rows above' }).click();
    await sheet.shows('A6', '3');
    expect(await sheet.csv('A1:B6')).toBe(',\n1,10\n,\n2,\n,\n3,\n');
    await sheet.active(/selected A1, A3, A5$/);
    await page.keyboard.press('Control+z');
    await sheet.shows('A3', '3');
    await select(['A1', 'A1'], ['B1', 'B1']);
    await sheet.click('B1', { button: 'right' });
    await page.getByRole('menuitem', { name: 'Insert 2 columns right' }).click();
    await sheet.shows('C1', '10');
    expect(await sheet.csv('A1:F1')).toBe('1,,10,,,x\n');
    await page.keyboard.press('Control+z');
    await sheet.shows('D1', 'x');
    expect(await sheet.csv('A1:D1')).toBe('1,10,,x\n');
    browser.expectClean();
  });

  /** Counts the pixels of a color in a cell. */
  const points = (sheet: OpenSheet, cell: string, color: 'red' | 'blue' | 'ink'): Promise<number> => {
    const { start_row: row, start_col: col } = region(cell);
    return sheet.page.locator('[data-grid] canvas').evaluate(
      (canvas: HTMLCanvasElement, { x, y, width, height, wanted }) => {
        const ratio = devicePixelRatio;
        const { data } = canvas.getContext('2d')!.getImageData(x * ratio, y * ratio, width * ratio, height * ratio);
        let count = 0;
        for (let i = 0; i < data.length; i += 4) {
          const [r, g, b] = [data[i]!, data[i + 1]!, data[i + 2]!];
          if (
            wanted === 'red'
              ? r > 150 && g < 90 && b < 90
              : wanted === 'blue'
                ? b > 150 && r < 90 && g < 90
                : r + g + b < 240
          )
            count++;
        }
        return count;
      },
      {
        x: headerWidth + col * columnWidth + 4,
        y: headerHeight + row * rowHeight + 4,
        width: columnWidth - 8,
        height: rowHeight - 8,
        wanted: color,
      },
    );
  };

  test('colors of number formats are drawn; long texts go on past a frozen column', async () => {
    const sheet = await open('Colors', [['-12345', '12345'], ['a text that is longer than its column and goes on']]);
    await sheaf.client.sheet.set_cell_style({
      file_id: sheet.file_id,
      sheet_id: sheet.sheet_id,
      ...region('A1:B1'),
      format: { number_format_pattern: '[Blue]0;[Red]-0' },
    });
    await sheet.click('D9');
    await expect.poll(() => points(sheet, 'A1', 'red')).toBeGreaterThan(20);
    await expect.poll(() => points(sheet, 'B1', 'blue')).toBeGreaterThan(20);
    const before = await points(sheet, 'B2', 'ink');
    expect(before).toBeGreaterThan(20);
    await sheaf.client.sheet.set_freeze({
      file_id: sheet.file_id,
      sheet_id: sheet.sheet_id,
      row_count: 0,
      col_count: 1,
    });
    await expect.poll(async () => (await sheet.view('A1')).layout?.frozen_cols).toBe(1);
    await expect.poll(() => points(sheet, 'B2', 'ink')).toBeGreaterThan(before * 0.9);
    await takeScreenshot(sheet.page, 'sheet-colors');
    browser.expectClean();
  });

  test('a text of several looks, as a workbook brings it, is drawn with them', async () => {
    const part = (text: string): Uint8Array =>
      strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${text}`);
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
    const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
    const book = zipSync({
      '[Content_Types].xml': part(
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
          '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
          `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
          `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/>` +
          `<Override PartName="/xl/sharedStrings.xml" ContentType="${types}.sharedStrings+xml"/></Types>`,
      ),
      '_rels/.rels': part(
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
          `<Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      ),
      'xl/_rels/workbook.xml.rels': part(
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
          `<Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>` +
          `<Relationship Id="r2" Type="${office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
      ),
      'xl/workbook.xml': part(
        `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>`,
      ),
      'xl/sharedStrings.xml': part(
        `<sst xmlns="${main}" count="1" uniqueCount="1"><si><r><rPr><b/><color rgb="FFFF0000"/></rPr><t>redred</t></r><r><t>ink</t></r></si></sst>`,
      ),
      'xl/worksheets/sheet1.xml': part(
        `<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData></worksheet>`,
      ),
    });
    const { file_id } = await sheaf.client.manage.import_file({
      title: 'Rich',
      content: Buffer.from(book).toString('base64'),
      format: 'xlsx',
    });
    const { sheets } = await sheaf.client.sheet.get_sheet_info({ file_id });
    const sheet = await openSheet(browser, sheaf, { file_id, sheet_id: sheets[0]!.sheet_id });
    await sheet.shows('A1', 'redredink');
    await sheet.click('C5');
    await expect.poll(() => points(sheet, 'A1', 'red')).toBeGreaterThan(20);
    expect(await points(sheet, 'A1', 'ink')).toBeGreaterThan(5);
    browser.expectClean();
  });

  test('on a phone a long press opens the menu of the cell', async () => {
    const phone = await browser.signedIn(sheaf, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'Press', [['1', '2']]), phone);
    const { x, y } = await sheet.at('B1');
    const touch = await phone.context().newCDPSession(phone);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
    await phone.getByRole('menuitem', { name: 'Cut' }).waitFor();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await phone.getByRole('menuitem', { name: 'Cut' }).waitFor();
    await sheet.active(/^B1, 2/);
    await takeScreenshot(phone, 'sheet-phone-menu');
    browser.expectClean();
  });
});
