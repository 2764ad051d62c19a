import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { gif, png } from '@sheaf/tools/testing/tiny-images.ts';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';
import { newDocument, openSheet, region } from './sheet-page.ts';

interface Given {
  readonly types?: Readonly<Record<string, string>>;
  /** Images as base64, by file name. */
  readonly pictures?: Readonly<Record<string, string>>;
}

/** Dispatches a paste or drop event, because a page cannot put other programs' formats on the clipboard. */
async function give(page: Page, kind: 'paste' | 'drop', selector: string, given: Given): Promise<void> {
  await page.locator(selector).evaluate(
    (element, { kind: what, types = {}, pictures = {} }) => {
      const data = new DataTransfer();
      for (const [type, text] of Object.entries(types)) data.setData(type, text);
      for (const [name, base64] of Object.entries(pictures)) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name, { type: `image/${name.split('.').at(-1)!}` }));
      }
      const box = element.getBoundingClientRect();
      const options = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        what === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent('drop', { ...options, dataTransfer: data, clientX: box.left + 60, clientY: box.top + 12 }),
      );
    },
    { kind, ...given },
  );
}

describe('what is pasted', async () => {
  const { sheaf, browser } = await journey();
  const page = await browser.signedIn(sheaf);

  const imported = async (content: string): Promise<string> =>
    (await sheaf.client.note.import_doc({ content_format: 1, content })).note_id;
  const markdownOf = async (id: string): Promise<string> =>
    (await sheaf.client.note.export_note({ note_id: id, format: 'markdown' })).content;
  const openNote = async (content: string): Promise<string> => {
    const id = await imported(content);
    await page.goto(`${sheaf.url}/notes/${id}`);
    await page.locator('.ProseMirror[contenteditable=true]').waitFor();
    await page.locator('.ProseMirror').focus();
    // A focused editor restores its caret 20 ms later, faster than any user types.
    await page.waitForTimeout(60);
    await page.keyboard.press('Control+End');
    return id;
  };

  test('[finding P7] Markdown pasted into a note is what it means; with Shift it stays as it is written', async () => {
    const id = await openNote('# Pasted');
    await page.keyboard.press('Enter');
    const text =
      '## Plan\r\n\r\n- **rope**\r\n- [sickle](https://example.com/)\r\n\r\n| a | b |\r\n|---|---|\r\n| 1 | 2 |';
    await page.evaluate((given) => navigator.clipboard.writeText(given), text);
    await page.keyboard.press('Control+v');
    await page.locator('.ProseMirror h2', { hasText: 'Plan' }).waitFor();
    await page.locator('.ProseMirror li strong', { hasText: 'rope' }).waitFor();
    await page.locator('.ProseMirror table td', { hasText: '2' }).waitFor();
    await takeScreenshot(page, 'notes-pasted');
    await expect.poll(() => markdownOf(id)).toMatch(/^# Pasted\n\n## Plan\n\n- \*\*rope\*\*\n- \[sickle\]/);

    // Within a line, pasted Markdown stays inline; other text is pasted literally.
    const line = await openNote('# Line\n\nbefore');
    await page.keyboard.type(' ');
    await page.evaluate(() => navigator.clipboard.writeText('**strong** words'));
    await page.keyboard.press('Control+v');
    await expect.poll(() => markdownOf(line)).toBe('# Line\n\nbefore **strong** words');
    await page.keyboard.type(' and ');
    await page.evaluate(() => navigator.clipboard.writeText('2 * 3'));
    await page.keyboard.press('Control+v');
    await page.locator('.ProseMirror p', { hasText: 'strong words and 2 * 3' }).waitFor();

    const literal = await openNote('# Literal');
    await page.keyboard.press('Enter');
    await page.evaluate(() => navigator.clipboard.writeText('**stars**'));
    await page.keyboard.press('Control+Shift+v');
    await page.locator('.ProseMirror p', { hasText: '**stars**' }).waitFor();
    expect(await page.locator('.ProseMirror strong').count()).toBe(0);
    await expect.poll(() => markdownOf(literal)).toContain('stars');

    // A code editor also copies its colors as HTML.
    const colored = await openNote('# Colored');
    await page.keyboard.press('Enter');
    await give(page, 'paste', '.ProseMirror', {
      types: { 'text/plain': '> said', 'text/html': '<meta charset="utf-8"><div><span>&gt; said</span></div>' },
    });
    await expect.poll(() => markdownOf(colored)).toBe('# Colored\n\n> said');
    browser.expectClean();
  });

  test('[finding P7] pictures come into a note by paste, drop and button, and are there for readers', async () => {
    const id = await openNote('# Pictures\n\nhere');
    await give(page, 'paste', '.ProseMirror', { pictures: { 'image.png': png } });
    await page.locator('.ProseMirror img').first().waitFor();
    await give(page, 'drop', '.ProseMirror', { pictures: { 'barn.gif': gif } });
    await expect.poll(() => page.locator('.ProseMirror img').count()).toBe(2);
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Picture', exact: true }).click();
    await (await choosing).setFiles([{ name: 'field.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') }]);
    await expect.poll(() => page.locator('.ProseMirror img').count()).toBe(3);
    await expect.poll(async () => (await markdownOf(id)).match(/!\[[^\]]*\]\(\/files\/images\/img_/g)?.length).toBe(3);
    expect(await markdownOf(id)).toMatch(/!\[barn\]\(.*!\[field\]\(|!\[field\]\(.*!\[barn\]\(/s);
    await takeScreenshot(page, 'notes-pictures');
    const drawn = (): Promise<boolean[]> =>
      page
        .locator('main .prose img')
        .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth > 0));
    await expect.poll(drawn).toEqual([true, true, true]);
    await page.reload();
    await page.locator('main .prose img').first().waitFor();
    await expect.poll(drawn).toEqual([true, true, true]);

    // In the Markdown view the image is inserted at the caret.
    await page.getByRole('button', { name: 'Markdown', exact: true }).click();
    await give(page, 'paste', 'main textarea', { pictures: { 'yard.png': png } });
    await expect.poll(() => markdownOf(id)).toContain('![yard](/files/images/img_');
    browser.expectClean();

    // An unsupported image type is reported.
    await give(page, 'paste', 'main textarea', { pictures: { 'drawing.svg': btoa('<svg/>') } });
    await page.getByRole('alert').filter({ hasText: 'PNG, JPEG, GIF or WebP' }).waitFor();
    browser.takeFaults();
  });

  const fromExcel = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style><!--table
    {mso-displayed-decimal-separator:"\\.";}
    td {padding:0px; color:black; font-size:11.0pt; font-weight:400; font-family:Calibri, sans-serif; text-align:general; border:none; white-space:nowrap;}
    .xl65 {font-weight:700; color:white; background:#1F4E78; text-align:center; border:.5pt solid windowtext;}
    .xl66 {mso-number-format:"\\#\\,\\#\\#0\\.00"; border-bottom:1.0pt solid red;}
    .xl67 {mso-number-format:"\\@";}
    .xl68 {white-space:normal;}
    --></style></head><body><table><col width=64><!--StartFragment-->
    <tr height=20><td colspan=2 class=xl65>Harvest</td><td class=xl67>0042</td></tr>
    <tr height=20><td rowspan=2>wheat</td><td class=xl66 align=right x:num="1234.5678">1,234.57</td><td class=xl68>two<br>lines</td></tr>
    <tr height=20><td class=xl66 align=right x:num="8">8.00</td><td>&nbsp;</td></tr>
    <!--EndFragment--></table></body></html>`;

  test('[finding P7] cells of Excel come with their looks, merges and numbers, as one step', async () => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'From Excel'), page);
    const on = { file_id: sheet.file_id, sheet_id: sheet.sheet_id };
    const text = 'Harvest\t\t0042\r\nwheat\t1,234.57\t"two\nlines"\r\n\t8.00\t\r\n';
    await sheet.click('B2');
    await give(page, 'paste', '[data-grid-field]', { types: { 'text/plain': text, 'text/html': fromExcel } });
    await sheet.shows('B2', 'Harvest');
    await sheet.shows('D2', '0042');
    await sheet.shows('C3', '1,234.57');
    await takeScreenshot(page, 'sheet-pasted');
    const view = await sheet.view('A1:E6');
    expect(view.merges.toSorted()).toEqual([
      [1, 1, 1, 2],
      [2, 1, 3, 1],
    ]);
    const [number] = (await sheaf.client.sheet.get_cell_data({ ...on, ...region('C3') })).cells ?? [];
    expect(number).toMatchObject({ number_value: 1234.5678 });
    const looks = JSON.stringify(view.looks);
    expect(looks).toMatch(/"bgColor":"(FF)?1F4E78"/);
    expect(looks).toContain('"bold":true');
    expect(looks).toContain('"borderBottom":"thin:FF0000"');
    expect(looks).toContain('"wrapText":true');
    await page.keyboard.press('Control+z');
    await sheet.shows('B2', '');
    expect((await sheet.view('A1:E6')).merges).toEqual([]);

    // Paste values only.
    await page.locator('[data-grid-field]').evaluate((field) => {
      const options = { key: 'V', code: 'KeyV', ctrlKey: true, shiftKey: true, bubbles: true, cancelable: true };
      field.dispatchEvent(new KeyboardEvent('keydown', options));
    });
    await give(page, 'paste', '[data-grid-field]', { types: { 'text/plain': text, 'text/html': fromExcel } });
    await sheet.shows('B2', 'Harvest');
    expect((await sheet.view('A1:E6')).merges).toEqual([]);
    browser.expectClean();
  });

  test('[finding P7] formulas of Google Sheets come along; what is copied here carries looks and merges', async () => {
    const sheet = await openSheet(browser, sheaf, await newDocument(sheaf, 'From Google'), page);
    await sheet.click('B2');
    await give(page, 'paste', '[data-grid-field]', {
      types: {
        'text/plain': '2\t4',
        'text/html':
          '<google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}--></style><table><tbody><tr>' +
          '<td style="font-weight:bold;font-style:italic;" data-sheets-value="{}">2</td>' +
          '<td style="background-color:#ff9900;" data-sheets-formula="=R[0]C[-1]*2" ' +
          'data-sheets-numberformat="{&quot;1&quot;:2,&quot;2&quot;:&quot;0.0&quot;,&quot;3&quot;:1}">4</td>' +
          '</tr></tbody></table>',
      },
    });
    await sheet.shows('C2', '4.0');
    expect(await sheet.formula('C2')).toBe('=B2*2');
    await sheaf.client.sheet.merge_cell({
      file_id: sheet.file_id,
      sheet_id: sheet.sheet_id,
      ...region('B3:C3'),
      merge_type: 'all',
    });
    await expect.poll(async () => (await sheet.view('A1:E6')).merges.length).toBe(1);
    await sheet.click('B2');
    await sheet.click('C3', { modifiers: ['Shift'] });
    const copied = await page.locator('[data-grid-field]').evaluate((element) => {
      const data = new DataTransfer();
      element.dispatchEvent(new ClipboardEvent('copy', { bubbles: true, cancelable: true, clipboardData: data }));
      return data.getData('text/html');
    });
    expect(copied).toContain('font-weight:bold;font-style:italic');
    expect(copied).toContain('background-color:#FF9900');
    expect(copied).toContain('colspan="2"');
    expect(copied).toContain('mso-number-format:');
    browser.expectClean();
  });
});
