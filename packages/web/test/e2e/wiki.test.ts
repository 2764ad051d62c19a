import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { docxParts, pptx, relations, wordParagraph, zip } from '@sheaf/tools/testing/formats/ooxml.ts';
import { journey } from './journey.ts';

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** One second of silence: 8-bit mono at 8 kHz. */
function silence(): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + 8000, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(8000, 40);
  return Buffer.concat([head, Buffer.alloc(8000, 128)]);
}

/** A minimal PDF with one page and one line. */
function pdf(line: string): Buffer {
  const draw = `BT /F1 24 Tf 72 700 Td (${line}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${draw.length} >>\nstream\n${draw}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const places: number[] = [];
  objects.forEach((object, index) => {
    places.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  const start = text.length;
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  return Buffer.from(
    `${text}xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    'latin1',
  );
}

describe('knowledge bases', async () => {
  const { sheaf, browser, folder } = await journey();
  const page = await browser.signedIn(sheaf);

  const file = (name: string, content: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const contents = () => page.getByRole('table', { name: 'Contents' });
  const newBase = async (name: string): Promise<string> =>
    (await sheaf.client.wiki.create_knowledge_base({ name })).knowledge_base_id;
  const upload = async (base: string, name: string, content: string | Buffer, parent?: string): Promise<string> => {
    const { media_id: id } = await sheaf.client.wiki.upload_knowledge({
      knowledge_base_id: base,
      folder_id: parent,
      file_name: name,
      content: Buffer.from(content).toString('base64'),
    });
    await sheaf.client.wiki.get_knowledge_state({ media_ids: [id], wait_seconds: 20 });
    return id;
  };

  test('a base is made, files are uploaded with progress through the storage, read, searched and opened at the place', async () => {
    await page.goto(`${sheaf.url}/wiki`);
    await page.getByRole('button', { name: 'New knowledge base' }).click();
    await page.getByLabel('Name').fill('Field guide');
    await page.getByLabel('Description').fill('What grows where.');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor();
    await takeScreenshot(page, 'wiki-empty-base');

    const puts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') puts.push(request.headers()['authorization']?.split('&')[0] ?? '');
    });
    const filler = Array.from({ length: 400 }, (_, index) => `Paragraph ${index} about soil and rain.`).join('\n\n');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([
        file('barley.md', `# Barley\n\n${filler}\n\nThe rare *quinquefoil* grows by the mill.\n\n${filler}`),
        file('dot.png', onePixel),
        file('list.txt', 'rye\nwheat\n大麦 barley'),
      ]);
    await page.getByText('Uploaded 3 of 3').waitFor();
    await takeScreenshot(page, 'wiki-uploaded');
    expect(puts).toEqual(['q-sign-algorithm=sha1', 'q-sign-algorithm=sha1', 'q-sign-algorithm=sha1']);
    await contents().getByRole('link', { name: 'barley.md' }).waitFor();
    await page.getByRole('region', { name: 'Uploads' }).getByRole('button', { name: 'Close' }).click();

    await page.getByPlaceholder('Search in this knowledge base').fill('quinquefoil');
    const found = page.getByRole('list', { name: 'Found' });
    await found.locator('mark', { hasText: 'quinquefoil' }).waitFor();
    await takeScreenshot(page, 'wiki-search');
    await found.getByRole('link').first().click();
    const mark = page.locator('article mark', { hasText: 'quinquefoil' });
    await mark.waitFor();
    await expect
      .poll(async () => {
        const box = await mark.boundingBox();
        return box !== null && box.y > 50 && box.y < 750;
      })
      .toBe(true);
    await takeScreenshot(page, 'wiki-reader');
    browser.expectClean();
  });

  test('typing finds by beginnings; the link of a passage opens the text at its place', async () => {
    const base = await newBase('Passages');
    const filler = Array.from({ length: 200 }, (_, index) => `Paragraph ${index} about soil and rain.`).join('\n\n');
    await upload(base, 'mill.md', `# Mill\n\n${filler}\n\n## Bellflowers\n\nThey grow by the mill.\n\n${filler}`);
    await page.goto(`${sheaf.url}/wiki/${base}`);
    await page.getByPlaceholder('Search in this knowledge base').fill('bellfl');
    await page.getByRole('list', { name: 'Found' }).locator('mark', { hasText: 'Bellflowers' }).waitFor();
    const search = () => sheaf.client.wiki.search_passages({ query: 'bellflower', knowledge_base_id: base });
    let found = await search();
    for (let tries = 0; found.passages.length === 0 && tries < 50; tries++) found = await search();
    const [passage] = found.passages;
    const link = new URL(found.documents[passage!.document]!.link);
    await page.goto(`${sheaf.url}${link.pathname}?at=${passage!.start}`);
    const place = page.locator('article [data-place]', { hasText: 'Bellflowers' });
    await place.waitFor();
    await expect
      .poll(async () => {
        const box = await place.boundingBox();
        return box !== null && box.y > 50 && box.y < 750;
      })
      .toBe(true);
    browser.expectClean();
  });

  test('an image and an audio file are shown by their link', async () => {
    const base = await newBase('Media');
    const id = await upload(base, 'dot.png', onePixel);
    await page.goto(`${sheaf.url}/wiki/${base}/item/${id}`);
    const image = page.getByRole('img', { name: 'dot.png' });
    await image.waitFor();
    await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1);
    const sound = await upload(base, 'second.wav', silence());
    await page.goto(`${sheaf.url}/wiki/${base}/item/${sound}`);
    await expect
      .poll(() => page.locator('audio').evaluate((element) => (element as HTMLAudioElement).duration))
      .toBe(1);
    browser.expectClean();
  });

  test('[finding P19] a PDF opens as its pages; its text is one press away', async () => {
    const base = await newBase('Papers');
    const id = await upload(base, 'paper.pdf', pdf('Wheat prices of 1851'));
    const loaded = page.waitForResponse((response) => response.url().includes('/files/'));
    await page.goto(`${sheaf.url}/wiki/${base}/item/${id}`);
    expect((await loaded).headers()['content-type']).toBe('application/pdf');
    const paper = page.getByRole('region', { name: 'paper.pdf' });
    await paper.locator('canvas').waitFor();
    await paper.getByText('Wheat prices of 1851').waitFor();
    await takeScreenshot(page, 'wiki-pdf');
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.getByText('Wheat prices of 1851').waitFor();
    browser.expectClean();
  });

  test('Markdown is read as it was meant, and nothing in it runs', async () => {
    const base = await newBase('Formatted');
    const id = await upload(
      base,
      'guide.md',
      '# Guide\n\n| crop | month |\n|---|---|\n| rye | May |\n\n<img src="data:," onerror="window.hurt=7">\n\n[run](javascript:window.hurt=8)',
    );
    await page.goto(`${sheaf.url}/wiki/${base}/item/${id}`);
    await page.locator('article h1', { hasText: 'Guide' }).waitFor();
    await page.locator('article td', { hasText: 'rye' }).waitFor();
    await takeScreenshot(page, 'wiki-markdown');
    expect(await page.locator('article a[href^="javascript"]').count()).toBe(0);
    expect(await page.evaluate(() => (window as unknown as { hurt?: number }).hurt)).toBeUndefined();
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.locator('article p', { hasText: 'Guide' }).waitFor();
    browser.expectClean();
  });

  test('what an agent adds appears at once, with its state', async () => {
    const base = await newBase('Live base');
    await page.goto(`${sheaf.url}/wiki/${base}`);
    await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor();
    await upload(base, 'by-agent.txt', 'written elsewhere');
    await contents().getByRole('link', { name: 'by-agent.txt' }).waitFor({ timeout: 5000 });
    browser.expectClean();
  });

  test('files dropped on the page are added', async () => {
    const base = await newBase('Drop here');
    await page.goto(`${sheaf.url}/wiki/${base}`);
    await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor();
    const transfer = await page.evaluateHandle(() => {
      const made = new DataTransfer();
      made.items.add(new File(['carried by hand'], 'carried.txt', { type: 'text/plain' }));
      return made;
    });
    await page.getByRole('main').locator('> div').dispatchEvent('dragover', { dataTransfer: transfer });
    await page.getByText('Drop to add here').waitFor();
    await takeScreenshot(page, 'wiki-drop');
    await page.getByRole('main').locator('> div').dispatchEvent('drop', { dataTransfer: transfer });
    await contents().getByRole('link', { name: 'carried.txt' }).waitFor();
    browser.expectClean();
  });

  test('a folder chosen on the page keeps its folders', async () => {
    const base = await newBase('Dropped');
    await page.goto(`${sheaf.url}/wiki/${base}`);
    await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor();
    const tree = join(folder, 'garden');
    mkdirSync(join(tree, 'herbs'), { recursive: true });
    writeFileSync(join(tree, 'plan.txt'), 'north bed');
    writeFileSync(join(tree, 'herbs', 'mint.txt'), 'mint spreads');
    await page.locator('input[type=file]').nth(1).setInputFiles(tree);
    await page.getByText('Uploaded 2 of 2').waitFor();
    await contents()
      .getByRole('link', { name: /^garden/ })
      .click();
    await contents().getByRole('link', { name: 'plan.txt' }).waitFor();
    await contents()
      .getByRole('link', { name: /^herbs/ })
      .click();
    await contents().getByRole('link', { name: 'mint.txt' }).waitFor();
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'garden' }).waitFor();
    await takeScreenshot(page, 'wiki-folders');
    browser.expectClean();
  });

  test('rename, tag, pin, move, delete and undo', async () => {
    const base = await newBase('Work');
    const { folder_id: inbox } = await sheaf.client.wiki.create_folder({ knowledge_base_id: base, name: 'Inbox' });
    await upload(base, 'draft.txt', 'some draft');
    await page.goto(`${sheaf.url}/wiki/${base}`);
    const menu = async (name: string, entry: string): Promise<void> => {
      await page
        .getByRole('main')
        .getByRole('button', { name: `Actions for ${name}` })
        .click();
      await page.getByRole('menuitem', { name: entry }).click();
    };
    await menu('draft.txt', 'Rename');
    await page.getByRole('textbox', { name: 'Name' }).fill('final.txt');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await contents().getByRole('link', { name: 'final.txt' }).waitFor();
    await menu('final.txt', 'Tags');
    await page.getByLabel('Tags, separated by commas').fill('report, 2026');
    await page.getByRole('button', { name: 'Save' }).click();
    await contents().getByText('report', { exact: true }).waitFor();
    await menu('Inbox', 'Pin');
    await contents().getByLabel('Pinned').waitFor();
    await takeScreenshot(page, 'wiki-list');
    await menu('final.txt', 'Delete');
    await page.getByText('Deleted: 1').waitFor();
    await contents().getByText('final.txt').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await contents().getByRole('link', { name: 'final.txt' }).waitFor();
    await menu('final.txt', 'Move to…');
    await page.getByRole('list', { name: 'Folders', exact: true }).getByRole('button', { name: 'Inbox' }).click();
    await page.getByRole('button', { name: 'Move here' }).click();
    await page.getByText('Moved: 1').waitFor();
    const moved = await sheaf.client.wiki.get_knowledge_list({
      knowledge_base_id: base,
      folder_id: inbox,
      cursor: '',
      limit: 10,
    });
    expect(moved.knowledge_list.map(({ title, tags }) => ({ title, tags }))).toEqual([
      { title: 'final.txt', tags: ['2026', 'report'] },
    ]);
    browser.expectClean();
  });

  test('[finding P8] the list is a table: sorted, narrowed by a tag, opened by its rows, with a menu under the right button', async () => {
    const base = await newBase('Table');
    for (const name of ['b10.txt', 'b2.txt', 'a.md']) await upload(base, name, name.repeat(name.length));
    const { knowledge_list: all } = await sheaf.client.wiki.get_knowledge_list({
      knowledge_base_id: base,
      folder_id: base,
      cursor: '',
      limit: 10,
    });
    await sheaf.client.wiki.add_tag({
      media_id: all.find((one) => one.title === 'b2.txt')!.media_id!,
      tags: ['draft'],
    });
    await page.goto(`${sheaf.url}/wiki/${base}`);
    const listed = (): Promise<string[]> => contents().getByRole('link').allTextContents();
    await contents().getByRole('link', { name: 'a.md' }).waitFor();
    const head = (name: string) => contents().getByRole('columnheader', { name });
    await head('Name').getByRole('button').click();
    await expect.poll(listed).toEqual(['a.md', 'b2.txt', 'b10.txt']);
    expect(await head('Name').getAttribute('aria-sort')).toBe('ascending');
    await head('Name').getByRole('button').click();
    await expect.poll(listed).toEqual(['b10.txt', 'b2.txt', 'a.md']);
    await head('Size').getByRole('button').click();
    await expect.poll(listed).toEqual(['a.md', 'b2.txt', 'b10.txt']);
    await takeScreenshot(page, 'wiki-table');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitem', { name: 'Kind' }).click();
    await head('Kind').waitFor({ state: 'detached' });
    await contents().getByRole('button', { name: 'draft' }).click();
    await expect.poll(listed).toEqual(['b2.txt']);
    await page.getByRole('group', { name: 'Tags' }).getByRole('button', { name: 'draft' }).click();
    await expect.poll(async () => (await listed()).length).toBe(3);

    const row = (name: string) => contents().getByRole('row', { name: new RegExp(name.replace('.', '\\.')) });
    await row('b10.txt').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    await takeScreenshot(page, 'wiki-right-click');
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download' }).click();
    expect((await downloading).suggestedFilename()).toBe('b10.txt');
    await row('a.md').getByRole('cell').nth(3).click();
    await page.getByRole('heading', { name: 'a.md' }).waitFor();
    await page.evaluate(() => localStorage.removeItem('sheaf.wiki-order'));
    browser.expectClean();
  });

  test('[finding P8] a file whose name is taken replaces the other, stands beside it, or is left out', async () => {
    const base = await newBase('Names');
    await upload(base, 'one.txt', 'old one');
    await upload(base, 'two.txt', 'old two');
    await page.goto(`${sheaf.url}/wiki/${base}`);
    await contents().getByRole('link', { name: 'one.txt' }).waitFor();
    const titles = async (): Promise<string[]> =>
      (
        await sheaf.client.wiki.get_knowledge_list({ knowledge_base_id: base, folder_id: base, cursor: '', limit: 10 })
      ).knowledge_list
        .map((one) => one.title)
        .toSorted();
    const choose = (...names: string[]): Promise<void> =>
      page
        .locator('input[type=file]')
        .first()
        .setInputFiles(names.map((name) => file(name, `new ${name}`)));
    const question = page.getByRole('group', { name: 'Same name' });
    await choose('one.txt');
    await question.getByText('“one.txt” is already here.').waitFor();
    await takeScreenshot(page, 'wiki-same-name');
    await question.getByRole('button', { name: 'Skip' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await titles()).toEqual(['one.txt', 'two.txt']);
    await choose('one.txt');
    await question.getByRole('button', { name: 'Replace' }).click();
    await page.getByText('Uploaded 1 of 2').waitFor();
    expect(await titles()).toEqual(['one.txt', 'two.txt']);
    const { knowledge_list: deleted } = await sheaf.client.wiki.list_deleted({
      knowledge_base_id: base,
      cursor: '',
      limit: 10,
    });
    expect(deleted.map((one) => one.title)).toEqual(['one.txt']);
    await choose('one.txt', 'two.txt');
    await question.getByText('Do this for all 2 files').waitFor();
    await question.getByRole('button', { name: 'Keep both' }).click();
    await page.getByText('Uploaded 3 of 4').waitFor();
    expect(await titles()).toEqual(['one (2).txt', 'one.txt', 'two (2).txt', 'two.txt']);
    await page.getByRole('region', { name: 'Uploads' }).getByRole('button', { name: 'Close' }).click();
    browser.expectClean();
  });

  test('[finding P8] a Word file has its headings, tables and pictures, slides are pages', async () => {
    const base = await newBase('Office');
    const cells = ['rye', 'oats'].map((name) => `<w:tc>${wordParagraph(name)}</w:tc>`).join('');
    const picture =
      '<w:p><w:r><w:drawing><wp:docPr xmlns:wp="wp" id="1" descr="A dot"/><a:blip xmlns:a="a" xmlns:r="r" ' +
      'r:embed="rId9"/></w:drawing></w:r></w:p>';
    const parts = docxParts(
      wordParagraph('Field report', '1') +
        '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Bold words</w:t></w:r></w:p>' +
        `<w:tbl><w:tr>${cells}</w:tr></w:tbl>${picture}${wordParagraph('&lt;script&gt;alert(1)&lt;/script&gt;')}`,
    );
    parts['word/_rels/document.xml.rels'] = relations(
      ['rId1', 'styles', 'styles.xml'],
      ['rId9', 'image', 'media/dot.png'],
    );
    parts['word/media/dot.png'] = onePixel;
    const report = await upload(base, 'report.docx', Buffer.from(zip(parts)));
    await page.goto(`${sheaf.url}/wiki/${base}/item/${report}`);
    await page.locator('article h1', { hasText: 'Field report' }).waitFor();
    await page.locator('article strong', { hasText: 'Bold words' }).waitFor();
    expect(await page.locator('article td').allTextContents()).toEqual(['rye', 'oats']);
    await expect
      .poll(() => page.getByAltText('A dot').evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);
    await page.getByText('<script>alert(1)</script>').waitFor();
    await takeScreenshot(page, 'wiki-word');
    const slides = await upload(base, 'talk.pptx', Buffer.from(pptx()));
    await page.goto(`${sheaf.url}/wiki/${base}/item/${slides}`);
    await page.getByRole('region', { name: 'Slide 2' }).getByText('The end').waitFor();
    await page.getByRole('region', { name: 'Slide 1' }).getByRole('cell', { name: '乙' }).waitFor();
    await takeScreenshot(page, 'wiki-slides');
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.locator('article p', { hasText: 'Second slide' }).first().waitFor();
    browser.expectClean();
  });

  test('[finding P8] a workbook opens as a spreadsheet', async () => {
    const base = await newBase('Workbooks');
    const id = await upload(base, 'yield.csv', 'Year,Barley\n2025,51\n');
    await page.goto(`${sheaf.url}/wiki/${base}/item/${id}`);
    await page.getByRole('button', { name: 'Open in Sheets' }).click();
    await page.waitForURL('**/sheet/**');
    await page.locator('[data-cell="B2"]', { hasText: '51' }).waitFor({ state: 'attached' });
    browser.expectClean();
  });

  test('several at once: chosen by box and by range, moved, deleted, undone, and had back from the trash', async () => {
    const base = await newBase('Many');
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) await upload(base, name, name);
    await sheaf.client.wiki.create_folder({ knowledge_base_id: base, name: 'Shelf' });
    await page.goto(`${sheaf.url}/wiki/${base}`);
    const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
    const listed = (): Promise<string[]> => contents().getByRole('link').allTextContents();
    await contents().getByRole('link', { name: 'd.txt' }).waitFor();
    const order = (await listed()).filter((name) => name.endsWith('.txt'));
    await box(order[0]!).check();
    await box(order[2]!).click({ modifiers: ['Shift'] });
    await page.getByText('Selected: 3').waitFor();
    await contents()
      .getByRole('link', { name: order[1]! })
      .click({ modifiers: ['Control'] });
    await page.getByText('Selected: 2').waitFor();
    await takeScreenshot(page, 'wiki-several');
    await page.getByRole('button', { name: 'Move to…' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Shelf' }).click();
    await page.getByRole('button', { name: 'Move here' }).click();
    await page.getByText('Moved: 2').waitFor();
    await expect
      .poll(async () => (await listed()).filter((name) => name.endsWith('.txt')).sort())
      .toEqual([order[1]!, order[3]!].sort());

    await box(order[1]!).check();
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByText('Selected: 3').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await contents().getByRole('link', { name: order[3]! }).waitFor();

    await box(order[1]!).check();
    await box(order[3]!).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await contents().getByRole('link', { name: order[3]! }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions for Many' }).click();
    await page.getByRole('menuitem', { name: 'Trash' }).click();
    await page.locator('dialog').getByText(order[1]!).waitFor();
    await takeScreenshot(page, 'wiki-trash');
    await page.locator('dialog').getByRole('button', { name: 'Restore all' }).click();
    await page.locator('dialog').getByText('The trash is empty.').waitFor();
    await page.keyboard.press('Escape');
    await contents().getByRole('link', { name: order[3]! }).waitFor();
    browser.expectClean();
  });

  test('an item that cannot be read says why and can be tried again; a private address is refused', async () => {
    const base = await newBase('Faults');
    await page.goto(`${sheaf.url}/wiki/${base}`);
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([file('broken.pdf', '%PDF-1.7\nthis is no document'), file('odd.xyz', 'what')]);
    // [finding F7] Any file is kept.
    await contents().getByRole('link', { name: 'odd.xyz' }).waitFor();
    const again = contents().getByRole('button', { name: 'Try again' });
    await again.waitFor({ timeout: 30_000 });
    await takeScreenshot(page, 'wiki-failed');
    await again.click();
    await again.waitFor({ timeout: 30_000 });
    await page.getByRole('region', { name: 'Uploads' }).getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Add web pages' }).click();
    await page.getByLabel('Addresses, one per line').fill('http://127.0.0.1:1/secret');
    await page.locator('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('These could not be added').waitFor();
    await takeScreenshot(page, 'wiki-urls');
    browser.expectClean();
  });

  test('a base is shared: a viewer reads and cannot change', async () => {
    const { user } = await sheaf.client.account.create_user({ name: 'grace' });
    const base = await newBase('Shared');
    await upload(base, 'open.txt', 'for all to read');
    await page.goto(`${sheaf.url}/wiki/${base}`);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByLabel('User name').fill('grace');
    await page.locator('dialog').getByRole('button', { name: 'Share' }).click();
    await page.getByRole('list', { name: 'Members' }).getByText('grace').waitFor();
    await takeScreenshot(page, 'wiki-share');
    const grace = await browser.signedIn(sheaf, { userId: user.user_id });
    await grace.goto(`${sheaf.url}/wiki/${base}`);
    await grace.getByRole('table', { name: 'Contents' }).getByRole('link', { name: 'open.txt' }).click();
    await grace.getByText('for all to read').waitFor();
    await grace.goBack();
    expect(await grace.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0);
    browser.expectClean();
  });

  test('[T33] [T35] hostile files, names and passages never run', async () => {
    const base = await newBase('<img src=x onerror="window.hurt=1">');
    const html =
      '<h1>Page</h1><script>window.hurt=2</script><img src=x onerror="window.hurt=3"><p>hostile <em><script>window.hurt=4</script></em> words</p>';
    const page_ = await upload(base, '"><script>window.hurt=5</script>.html', html);
    await upload(base, 'trick.txt', 'hostile &lt;em&gt; <em><script>window.hurt=6</script></em> words');
    await page.goto(`${sheaf.url}/wiki/${base}?q=hostile`);
    await page.getByRole('list', { name: 'Found' }).locator('mark').first().waitFor();
    await takeScreenshot(page, 'wiki-hostile');
    await page.goto(`${sheaf.url}/wiki/${base}/item/${page_}?q=hostile`);
    await page.locator('article mark').first().waitFor();
    expect(await page.locator('main script').count()).toBe(0);
    expect(await page.evaluate(() => (window as unknown as { hurt?: number }).hurt)).toBeUndefined();
    const { url_info: link } = await sheaf.client.wiki.get_media_info({ media_id: page_ });
    const answer = await fetch(link!.url);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
    browser.expectClean();

    // The Content Security Policy is the second line of defense: nothing runs without it either.
    const open = await browser.signedIn(sheaf, { bypassCSP: true });
    for (const address of [`/wiki/${base}?q=hostile`, `/wiki/${base}/item/${page_}?q=hostile`]) {
      await open.goto(sheaf.url + address);
      await open.locator('main mark').first().waitFor();
      expect(await open.evaluate(() => (window as unknown as { hurt?: number }).hurt)).toBeUndefined();
    }
    browser.expectClean();
  });

  test('the palette finds items and opens them', async () => {
    await page.goto(sheaf.url);
    await page.getByRole('heading', { name: /^Hello/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search everything').fill('quinquefoil');
    await page.locator('dialog mark').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('article mark', { hasText: 'quinquefoil' }).waitFor();
    browser.expectClean();
  });

  test('on a phone a base is readable', async () => {
    const base = await newBase('Pocket base');
    await upload(base, 'a-very-long-name-of-a-file-that-does-not-fit-on-a-small-screen-at-all.txt', 'text');
    const phone = await browser.signedIn(sheaf, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await phone.goto(`${sheaf.url}/wiki/${base}`);
    await phone.getByRole('table', { name: 'Contents' }).waitFor();
    expect(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await takeScreenshot(phone, 'wiki-phone');
    browser.expectClean();
  });
});
