import { describe, expect, test } from 'vitest';
import { takeScreenshot } from '@sheaf/tools/testing/browser.ts';
import { journey } from './journey.ts';

const formulas = [
  '# Gravity',
  'The force is $F = G\\frac{m_1 m_2}{r^2}$, and a ticket costs $5 or $6.',
  '$$\n\\begin{aligned}\na &= b \\\\\n- c &= d_1\n\\end{aligned}\n$$',
  'after',
].join('\n\n');

describe('formulas in notes', async () => {
  const { sheaf, browser } = await journey();
  const page = await browser.signedIn(sheaf);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const isDrawn = (): boolean => asked.some((url) => url.includes('/assets/math-renderer-'));
  const editor = page.locator('.ProseMirror[contenteditable=true]');
  const imported = async (content: string): Promise<string> =>
    (await sheaf.client.note.import_doc({ content_format: 1, content })).note_id;
  const markdownOf = async (id: string): Promise<string> =>
    (await sheaf.client.note.export_note({ note_id: id, format: 'markdown' })).content;

  test('typed, they become formulas; prices do not, and nothing is fetched for them', async () => {
    const id = await imported('# Typed\n\nfrom $5 to $6');
    await page.goto(`${sheaf.url}/notes/${id}`);
    await editor.getByText('from $5 to $6').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(', $7-$8.');
    await expect.poll(() => markdownOf(id)).toBe('# Typed\n\nfrom $5 to $6, $7-$8.');
    expect(await editor.locator('[data-math]').count()).toBe(0);
    expect(isDrawn()).toBe(false);

    await page.keyboard.type(' But $x_1^2$ is one.');
    await editor.locator('[data-math=inline] math').waitFor();
    await expect.poll(() => markdownOf(id)).toBe('# Typed\n\nfrom $5 to $6, $7-$8. But $x_1^2$ is one.');
    expect(isDrawn()).toBe(true);
    browser.expectClean();
  });

  test('read and edited: they are drawn, opened by a click, and stay Markdown', async () => {
    const id = await imported(formulas);
    await page.goto(`${sheaf.url}/notes/${id}`);
    await editor.locator('[data-math=inline] mfrac').waitFor();
    await editor.locator('[data-math=block] mtable').waitFor();
    expect(await editor.locator('[data-math]').count()).toBe(2);
    await takeScreenshot(page, 'notes-math');
    await editor.locator('[data-math=inline]').click();
    const dialog = page.getByRole('dialog', { name: 'Formula' });
    const field = dialog.getByRole('textbox');
    expect(await field.inputValue()).toBe('F = G\\frac{m_1 m_2}{r^2}');
    await field.fill('F = m a');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => markdownOf(id)).toBe(formulas.replace('F = G\\frac{m_1 m_2}{r^2}', 'F = m a'));
    // Invalid TeX is shown as source with the reason.
    await editor.getByText('after').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' $\\frac{$ end, /');
    await page.getByRole('listbox', { name: 'Insert a block' }).waitFor();
    await page.keyboard.type('form');
    await page.keyboard.press('Enter');
    await field.fill('\\sqrt 2');
    await field.press('Enter');
    await editor.locator('msqrt').waitFor();
    await editor.locator('[data-math=source][title]', { hasText: '$\\frac{$' }).waitFor();
    await expect.poll(() => markdownOf(id)).toContain('after $\\frac{$ end, $\\sqrt 2$');
    browser.expectClean();
  });

  test('wherever they stand, the editor writes them as it read them', async () => {
    const markdown = [
      '# Everywhere',
      'A line with $a_1*b*c + \\frac{1}{2} < 3$ and $5 or $6.',
      '$$\\int_0^1 x\\,dx$$',
      'before $$\\sum_i x_i$$ after',
      '- item $x_1$\n- item **bold** $y$',
      '> $z$ said',
      '| a | b |\n| --- | --- |\n| $p_1$ | $q_1$ |',
      'end',
    ].join('\n\n');
    const id = await imported(markdown);
    await page.goto(`${sheaf.url}/notes/${id}`);
    await expect.poll(() => editor.locator('[data-math] math').count()).toBe(8);
    await editor.getByText('end', { exact: true }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('!');
    // Normalizes tables, because the editor pads columns and adds blank lines around them.
    const stored = async (): Promise<string> =>
      (await markdownOf(id))
        .replaceAll(/ +\|/g, ' |')
        .replaceAll(/-+/g, '-')
        .replaceAll(/\n{3,}/g, '\n\n');
    await expect.poll(stored).toBe(`${markdown.replaceAll(/-+/g, '-')}!`);
    browser.expectClean();
  });

  test('a reader of a base sees them too; what a backslash made a sign stays one', async () => {
    const { knowledge_base_id: base } = await sheaf.client.wiki.create_knowledge_base({ name: 'Physics' });
    const { media_id } = await sheaf.client.wiki.upload_knowledge({
      knowledge_base_id: base,
      file_name: 'gravity.md',
      content: Buffer.from(`${formulas}\n\nNot \\$y\\$ here.`).toString('base64'),
    });
    await sheaf.client.wiki.get_knowledge_state({ media_ids: [media_id], wait_seconds: 20 });
    await page.goto(`${sheaf.url}/wiki/${base}/item/${media_id}`);
    await page.locator('main [data-math=inline] mfrac').waitFor();
    await page.locator('main [data-math=block] mtable').waitFor();
    await page.getByText('Not $y$ here.').waitFor();
    const id = await imported('# Signs\n\nNot \\$y\\$ here.');
    await page.goto(`${sheaf.url}/notes/${id}`);
    await editor.getByText('Not $y$ here.').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('!');
    await expect.poll(() => markdownOf(id)).toBe('# Signs\n\nNot \\$y$ here.!');
    await page.reload();
    await editor.getByText('Not $y$ here.!').waitFor();
    browser.expectClean();
  });
});
