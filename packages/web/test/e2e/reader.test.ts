/** [finding P19] Anything opens as itself, and one goes from item to item by the arrow keys. */
import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { pagesPdf } from '@sheaf/tools/testing/one-line-pdf.ts';
import { journey } from './journey.ts';

const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const html = `<!doctype html><title>Harvest</title><style>body { display: none }</style>
<h1 onclick="window.ran = 1">Harvest report</h1><script>window.ran = 1</script>
<p style="position: fixed">Pears were <b>good</b>, see <a href="javascript:window.ran = 1">this</a> and
<a href="https://example.com/pears">that</a>.</p>
<table><tr><th colspan="2">Fruit</th></tr><tr><td>pears</td><td>12</td></tr></table>
<img src="https://example.com/spy.png" alt="a far picture"><img src="data:image/png;base64,${onePixel}" alt="a near picture">
<iframe src="https://example.com/"></iframe><form action="/sign-out"><button>Sign out</button></form>`;

const code = `// Adds what was picked.
export function total(baskets) {
  return baskets.reduce((sum, one) => sum + one.pears, 0);
}
`;

const mail = [
  'From: Ada <ada@example.com>',
  'To: Grace <grace@example.com>',
  'Subject: Baskets for Monday',
  'Date: Mon, 02 Nov 2026 09:00:00 +0000',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Please bring twelve baskets.',
  '',
].join('\r\n');

describe('the reader', async () => {
  const { sheaf, browser } = await journey();
  const page = await browser.signedIn(sheaf);
  const { knowledge_base_id: base } = await sheaf.client.wiki.create_knowledge_base({ name: 'Reading' });
  const add = async (file_name: string, content: string, encoding: 'utf8' | 'base64' = 'utf8'): Promise<string> => {
    const { media_id } = await sheaf.client.wiki.upload_knowledge({
      knowledge_base_id: base,
      file_name,
      content: Buffer.from(content, encoding).toString('base64'),
    });
    await sheaf.client.wiki.get_knowledge_state({ media_ids: [media_id], wait_seconds: 20 });
    return media_id;
  };
  /** The browser reports what the policy of the page refused while an HTML file was taken apart. */
  const expectCleanButRefused = (): void =>
    expect(browser.takeFaults().filter((fault) => !fault.includes('Content Security Policy directive'))).toEqual([]);
  const open = (id: string) => page.goto(`${sheaf.url}/wiki/${base}/item/${id}`);

  test('[finding P19] [T34] an HTML file is read as a page, and nothing in it runs, loads or covers', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await open(await add('harvest.html', html));
    await page.getByRole('heading', { name: 'Harvest report' }).waitFor();
    await page.getByRole('cell', { name: 'pears' }).waitFor();
    expect(await page.getByRole('link', { name: 'that' }).getAttribute('href')).toBe('https://example.com/pears');
    expect(await page.locator('article a[href^="javascript:"], article [style], article [onclick]').count()).toBe(0);
    expect(await page.locator('article :is(script, style, iframe, form, button)').count()).toBe(0);
    await page.getByRole('img', { name: 'a near picture' }).waitFor();
    expect(asked.filter((url) => url.includes('example.com'))).toEqual([]);
    expect(await page.evaluate(() => (window as { ran?: number }).ran)).toBeUndefined();
    await takeScreenshot(page, 'reader-html');
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.getByText('Pears were', { exact: false }).waitFor();
    expect(await page.getByRole('cell', { name: 'pears' }).count()).toBe(0);
    expectCleanButRefused();
  });

  test('[finding P19] code has numbered lines and the colors of its language', async () => {
    await open(await add('total.js', code));
    const shown = page.locator('[data-code="js"]');
    await shown.getByText('// Adds what was picked.').waitFor();
    expect(await shown.locator('.code-keyword').allTextContents()).toEqual(['export', 'function', 'return']);
    expect(await shown.locator('code').count()).toBe(4);
    await takeScreenshot(page, 'reader-code');
    browser.expectClean();
  });

  test('[finding P19] a mail has its head, and its text below', async () => {
    await open(await add('baskets.eml', mail));
    const head = page.locator('article dl');
    await head.getByText('Baskets for Monday').waitFor();
    expect(await head.locator('dt').allTextContents()).toEqual(['Subject', 'From', 'To', 'Date']);
    await page.getByText('Please bring twelve baskets.').waitFor();
    await takeScreenshot(page, 'reader-mail');
    browser.expectClean();
  });

  test('[finding P19] arrow keys and buttons go on in the order of the list; a picture has no hint below it', async () => {
    await add('dot.png', onePixel, 'base64');
    await page.goto(`${sheaf.url}/wiki/${base}`);
    const names = page.getByRole('table', { name: 'Contents' }).getByRole('link');
    await expect.poll(() => names.count()).toBe(4);
    const order = await names.allTextContents();
    await names.first().click();
    const title = page.getByRole('main').getByRole('heading', { level: 1 }).first();
    await expect.poll(() => title.textContent()).toBe(order[0]);
    for (const next of order.slice(1)) {
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => title.textContent()).toBe(next);
    }
    await page.getByText('4 of 4').waitFor();
    expect(await page.getByRole('button', { name: 'Next item' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Previous item' }).click();
    await expect.poll(() => title.textContent()).toBe(order[2]);
    while ((await title.textContent()) !== 'dot.png') await page.keyboard.press('ArrowLeft');
    await page.getByRole('img', { name: 'dot.png' }).waitFor();
    expect(await page.getByRole('main').textContent()).not.toMatch(/SHEAF_OCR|not read by this installation/);
    await takeScreenshot(page, 'reader-picture');
    expectCleanButRefused();
  });

  test('[finding P19] details and tags of an item stand beside it', async () => {
    await open(await add('notes.md', '# Notes\n\nOn birds.'));
    await page.getByRole('heading', { name: 'Notes', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await expect.poll(() => details.locator('dt').allTextContents()).toEqual(['Kind', 'Size', 'Added', 'Changed']);
    expect((await details.locator('dd').allTextContents()).slice(0, 2)).toEqual(['Markdown', '18 bytes']);
    await details.getByRole('button', { name: 'Change tags' }).click();
    await page.getByLabel('Tags, separated by commas').fill('river, birds');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect
      .poll(async () => (await details.getByRole('listitem').allTextContents()).toSorted())
      .toEqual(['birds', 'river']);
    await takeScreenshot(page, 'reader-details');
    await page.getByRole('button', { name: 'Details' }).click();
    await details.waitFor({ state: 'detached' });
    expectCleanButRefused();
  });

  const birds = [
    'The heron waits',
    'Sand martins nest',
    'A dipper bobs',
    'Swallows drink',
    'The kingfisher dives at noon',
  ];
  const marked = (name: string): Promise<string[]> =>
    page.evaluate((of) => [...(CSS.highlights.get(of) ?? [])].map(String), name);

  test('[finding P19] a PDF found by a search opens at its passage, marked on the drawn page', async () => {
    const id = await add('birds.pdf', pagesPdf(birds).toString('base64'), 'base64');
    // The index follows the upload after a moment.
    const find = () => sheaf.client.wiki.search_knowledge({ knowledge_base_id: base, query: 'kingfisher', cursor: '' });
    await expect.poll(async () => (await find()).info_list.map(({ media_id }) => media_id)).toEqual([id]);
    await open(`${id}?q=kingfisher`);
    const paper = page.getByRole('region', { name: 'birds.pdf' });
    await expect.poll(() => marked('pdf-passage')).toEqual(['The kingfisher dives at noon']);
    expect(await marked('pdf-words')).toEqual(['kingfisher']);
    await page.getByRole('status').filter({ hasText: 'Page 5 of 5' }).waitFor();
    // The mark is in sight, and letters are drawn under it.
    const drawn = (): Promise<boolean> =>
      page.evaluate(() => {
        const [word] = CSS.highlights.get('pdf-words')!;
        const place = (word as Range).getBoundingClientRect();
        const canvas = document.querySelector<HTMLCanvasElement>('[data-page="5"] canvas')!;
        const at = canvas.getBoundingClientRect();
        const scale = canvas.width / at.width;
        const { data } = canvas
          .getContext('2d')!
          .getImageData((place.x - at.x) * scale, (place.y - at.y) * scale, place.width * scale, place.height * scale);
        return (
          place.top > 0 && place.bottom < innerHeight && data.some((value, index) => index % 4 === 0 && value < 90)
        );
      });
    await expect.poll(drawn).toBe(true);
    await takeScreenshot(page, 'reader-pdf-passage');
    const width = async (): Promise<number> => (await paper.locator('[data-page="5"]').boundingBox())!.width;
    const before = await width();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(width).toBeGreaterThan(before * 1.2);
    // Pages far from the window hold no picture.
    expect(await paper.locator('canvas').count()).toBeLessThan(birds.length);
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.locator('article mark', { hasText: 'kingfisher' }).waitFor();
    browser.expectClean();
  });

  test('[finding P19] a PDF that the page cannot draw is shown by the viewer of the browser', async () => {
    const scan = Buffer.concat([pagesPdf(['A scan']), Buffer.from('% /Filter /JPXDecode')]);
    // Its letters are numbers in a table that the file does not have.
    const unmapped = pagesPdf(
      ['\xb4\xe4\xc4\xf1'],
      '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /GBK-EUC-H /DescendantFonts [<< /Type /Font ' +
        '/Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> ' +
        '/FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 ' +
        '/Ascent 880 /Descent -120 /CapHeight 880 /StemV 80 >> >>] >>',
    );
    for (const [name, file] of Object.entries({ 'scan.pdf': scan, 'unmapped.pdf': unmapped })) {
      await open(`${await add(name, file.toString('base64'), 'base64')}?page=page+1`);
      expect(await page.locator(`iframe[title="${name}"]`).getAttribute('src')).toMatch(/#page=1$/);
    }
    // A browser without a PDF viewer reports that in its console.
    browser.takeFaults();
  });
});
